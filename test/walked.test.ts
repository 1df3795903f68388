/** What an archive says about its own completeness, compared with a platform whose truth is known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { backfillProgress, startBackfill } from '../src/crawl/backfill.ts'
import { verifyPackage } from '../src/evidence/verify.ts'
import { MAX_POST_NUMBER } from '../src/model/post.ts'
import { startService } from './start-service.ts'
import { until } from './until.ts'

const NAME = 'showcase'
const WORLD = { seed: 'walked', channels: 1, days: 90 }
const UNLIMITED = {
  TELEGREP_TIERS: fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url)),
}

test('a live read of old posts does not extend the coverage claimed in signed evidence, a backfill does', async () => {
  await using service = await startService({ world: WORLD, env: UNLIMITED })
  const { app, simulator, url } = service
  const { id } = (await app.store.archive.channel(NAME))!
  const began = simulator.now()
  /** What is shown now, without posts published since the test began. */
  const truth = () => {
    const shown = simulator.world.truth.postsAt(NAME, simulator.now())
    return shown.filter(({ publishedAt }) => publishedAt <= began)
  }
  await service.settled()
  const archived = () => app.store.archive.numbersBetween(id, 1, MAX_POST_NUMBER)
  const get = async (path: string) => {
    const response = await fetch(`${url}/v1/channels/${NAME}${path}`)
    assert.equal(response.status, 200, path)
    return response
  }
  const signed = async () => {
    const zip = await get(`/posts/${(await archived()).at(-1)}/evidence`)
    const { files, problems } = verifyPackage(Buffer.from(await zip.arrayBuffer()))
    assert.deepEqual(problems, [])
    const facts = files.find(({ name }) => name === 'captures.json')!
    const { channel } = JSON.parse(Buffer.from(facts.bytes).toString())
    return { from: Date.parse(channel.archive_from), isComplete: channel.archive_complete }
  }

  const [lowest] = await archived()
  const first = await signed()
  const missing = async (from: number) => {
    const there = new Set(await archived())
    return truth().filter(({ number, publishedAt }) => publishedAt >= from && !there.has(number))
  }
  assert.ok(lowest! > 100, 'a first visit leaves much unread')
  assert.equal(first.isComplete, false)
  assert.deepEqual(await missing(first.from), [])

  await get('/live?before=30')
  assert.ok((await archived())[0]! < 30)
  assert.deepEqual(await signed(), first)

  simulator.log.clear()
  await startBackfill(app.store, NAME, { until: null, clock: app.clock })
  await until(async () => (await backfillProgress(app.store, id))?.before === null)
  const read = simulator.log.entries().flatMap(({ before }) => before ?? [])
  assert.equal(Math.max(...read), lowest, 'what was walked is not read again')
  const oldest = truth()[0]!.publishedAt
  assert.deepEqual(await signed(), { from: oldest, isComplete: true })
  assert.deepEqual(await missing(oldest), [])
})
