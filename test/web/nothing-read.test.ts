import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChannel, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { startService, type Service } from '../start-service.ts'
import { until } from '../until.ts'

const SMALL = { seed: 'nothing', channels: 3, days: 2 }

test('without any channel the pages say how to add one', async () => {
  await using service = await startService({ world: SMALL, crawl: false })
  for (const path of ['/', '/?q=snow']) {
    assert.match(
      await read(service, path),
      /Nothing is indexed yet\. On the server: <code>telegrep add/,
    )
  }
})

test('a channel without posts has no empty charts', async () => {
  await using service = await startService({
    world: SMALL,
    crawl: false,
    async prepare({ store }) {
      await addChannel(store, 'quiet_room', Date.now())
    },
  })
  const page = await read(service, '/channels/quiet_room')
  assert.match(page, /No posts here yet\.[^]*<h2>Last 30 days<\/h2>\s+<p class="soft">\s+0 posts,/)
  assert.doesNotMatch(page, /Hours \(UTC\)/)
})

test('while the index is being built the pages say so', async () => {
  await using service = await startService({
    world: SMALL,
    crawl: false,
    async prepare({ store }) {
      const { id } = await addChannel(store, 'newsroom', Date.now())
      const posts = [samplePost(1, { publishedAt: Date.now() - 1000 })]
      await store.archive.record(sampleReading(id, { at: Date.now(), posts }))
    },
  })
  for (const path of ['/', '/?q=snow'])
    assert.match(await read(service, path), /The index is being made of the archive’s 1 post;/)
})

test('while the index cannot be reached the pages say so, and do not speak of a rebuild', async () => {
  const env = { TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' }
  await using service = await startService({ world: SMALL, env, crawl: false })
  for (const path of ['/', '/status']) {
    const page = await read(service, path)
    assert.match(page, /Searches are refused just now:\s+the index cannot be reached/, path)
    assert.doesNotMatch(page, /built anew/, path)
  }
})

test('while the platform does not answer the pages say so', async () => {
  // Nothing listens on the discard port.
  const env = { TELEGREP_SOURCE_URL: 'http://127.0.0.1:9', TELEGREP_LOG: 'silent' }
  await using service = await startService({ world: SMALL, env })
  const { store, clock } = service.app
  const { frontier } = store
  await until(async () => Object.keys((await frontier.overview(clock.now())).failures).length > 0)
  for (const path of ['/', '/?q=snow']) {
    const page = await read(service, path)
    assert.match(page, /<a href="\/status">\d+ could not be read<\/a>/)
    assert.doesNotMatch(page, /telegrep add|fewer or other words/)
  }
  const live = await fetch(`${service.url}/channels/showcase/live`)
  assert.ok(live.status > 500)
  assert.match(await live.text(), /archive still answers[^]*"\/channels\/showcase">The channel</)
  const status = await read(service, '/status')
  assert.match(
    status,
    /could not be read<\/h2>[^]*<th scope="row">the platform could not be reached<\/th>/,
  )
})

async function read({ url }: Service, path: string): Promise<string> {
  const reply = await fetch(`${url}${path}`)
  assert.equal(reply.status, 200, path)
  return reply.text()
}
