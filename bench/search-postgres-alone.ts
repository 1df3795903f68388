/**
 * Runs PostgreSQL alone, to prepare its table or to measure it by kind of query: `--size 1000000 --keep FOLDER`,
 * `--postgres BIN`, `--posts FILE --queries FILE` for real posts.
 */
import { parseArgs } from 'node:util'
import { fromFiles, simulated } from './search-corpus.ts'
import { latency, latencyByKind } from './search-latency.ts'
import { findPostgres } from './search-postgres-server.ts'
import { createPostgres } from './search-postgres.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    keep: { type: 'string' },
    postgres: { type: 'string' },
    posts: { type: 'string' },
    queries: { type: 'string' },
  },
})
const corpus =
  values.posts !== undefined && values.queries !== undefined
    ? await fromFiles(values.posts, values.queries, { most: 400 })
    : simulated(Number(values.size), 400)
await using rival = await createPostgres(values.postgres ?? findPostgres(), values.keep)
const startedAt = performance.now()
if (!rival.isFilled) {
  for await (const { document, text } of corpus.documents()) {
    const isBusy = rival.add(document, text)
    if (isBusy) await isBusy
  }
  await rival.finish()
  console.log(`filled in ${Math.round((performance.now() - startedAt) / 1000)} s`)
}
for (const [name, taken] of Object.entries(await rival.time(corpus))) {
  console.log(`\n${corpus.name}: ${name}, ms`)
  console.table({ all: latency(taken), ...latencyByKind(taken) })
}
