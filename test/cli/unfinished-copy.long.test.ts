import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyStore } from '../../src/cli/copy-store.ts'
import { createPrinter } from '../../src/cli/print.ts'
import { openStore } from '../../src/store/open-store.ts'
import { locateStore, type StoreLocation } from '../../src/store/store-location.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { makeHome, runLine } from './telegrep.ts'

const retention = { deleted: 'redact', versions: 'keep' } as const
const LINES = ['durov', 'telegram', 'news_of_it']
  .map((channel) => ({ channel, id: 1, date: '2026-01-01T00:00:00Z', text: `of ${channel}` }))
  .map((post) => JSON.stringify(post))
  .join('\n')

/** Copies the first of the channels and is then stopped. */
async function copyHalf(source: StoreLocation, target: StoreLocation): Promise<void> {
  await using from = await openStore({ ...source, retention })
  await using to = await openStore({ ...target, retention })
  const stop = new AbortController()
  const print = {
    ...createPrinter({ color: false }),
    progress: () => stop.abort(new Error('stopped')),
  }
  await assert.rejects(copyStore(from, to, print, stop.signal), { message: 'stopped' })
  assert.equal((await to.archive.totals()).channels, 3)
}

const DIRECTIONS = [
  { name: 'from files to PostgreSQL', from: 'files', to: 'server', skip: whyNoEngines() ?? false },
  { name: 'from PostgreSQL to files', from: 'server', to: 'files', skip: whyNoEngines() ?? false },
] as const

for (const { name, from, to, skip } of DIRECTIONS) {
  test(
    `an unfinished copy ${name} is refused by all that would take it for whole, until migrate-store has finished it`,
    { skip },
    async (t) => {
      const home = makeHome('telegrep-unfinished-')
      t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
      const isRemote = from === 'server' || to === 'server'
      await using pair = isRemote ? await openPair({ store: 'postgres', index: null }) : null
      const url = pair?.env['TELEGREP_DATABASE_URL'] ?? ''
      const place = (kind: 'files' | 'server', folder: string) =>
        kind === 'server' ? url : join(home.cwd, folder)
      const [source, target] = [place(from, 'whole'), place(to, 'half')]
      const given = (at: string) =>
        at === url
          ? { TELEGREP_DATABASE_URL: url, TELEGREP_SECRET: pair!.env['TELEGREP_SECRET']! }
          : { TELEGREP_DATA: at }
      const run = (line: string, at: string) =>
        runLine(`telegrep ${line}`, {
          ...home,
          env: { ...home.env, ...given(at) },
          input: LINES,
          timeoutMs: 60_000,
        })
      const imported = await run('import -', source)
      assert.equal(imported.code, 0, imported.stderr)
      const locate = (at: string) => locateStore(at === url ? { folder: '', url } : { folder: at })
      await copyHalf(locate(source), locate(target))

      const elsewhere = join(home.cwd, 'elsewhere')
      for (const line of [
        'serve',
        'export',
        'doctor',
        ...(to === 'files' ? [`backup '${elsewhere}'`] : []),
        `migrate-store --from '${target}' --to '${elsewhere}'`,
      ]) {
        const refused = await run(line, target)
        assert.match(
          refused.stdout + refused.stderr,
          /is an unfinished copy of another store: run the same `telegrep migrate-store` again/,
          line,
        )
        assert.equal(refused.code, 1, line)
      }

      const finished = await run(`migrate-store --from '${source}' --to '${target}' --json`, source)
      assert.deepEqual(JSON.parse(finished.stdout).problems, [], finished.stderr)
      const read = (await run('export', target)).stdout
      assert.equal(read.trim().split('\n').length, 3)
    },
  )
}
