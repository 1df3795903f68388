import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '../src/client/client.ts'
import type { SimChannel } from '../src/simulator/population.ts'
import { startService, type Service } from './start-service.ts'
import { until } from './until.ts'

const UNLIMITED = {
  TELEGREP_TIERS: fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url)),
}

/** Crawling, archiving, indexing and answering over sockets, on whatever engines the environment names. */
export function describeService(
  name: string,
  options: {
    /** Called before the service starts; disposed of after its end. */
    readonly engines?: () => Promise<Engines & AsyncDisposable>
    readonly skip?: string | false
  } = {},
): void {
  describe(name, { skip: options.skip ?? false }, () => tests(options.engines))
}

interface Engines {
  readonly env: Readonly<Record<string, string>>
}

function tests(open?: () => Promise<Engines & AsyncDisposable>): void {
  const owned = new AsyncDisposableStack()
  let service: Service
  let client: Client

  before(async () => {
    const engines = open && owned.use(await open())
    service = owned.use(await startService({ env: { ...UNLIMITED, ...engines?.env } }))
    client = createClient({ url: service.url })
    await service.settled()
    // On a busy machine the first search of a cluster takes longer than a request is given.
    await until(() =>
      client.search_posts({ q: 'news' }).then(
        () => true,
        () => false,
      ),
    )
  })
  after(() => owned.disposeAsync())

  test('twenty callers at a time are all served', async () => {
    const statuses = new Set<number>()
    const call = async () => {
      for (let i = 0; i < 9; i++) {
        const reply = await fetch(`${service.url}/v1/channels`)
        await reply.arrayBuffer()
        statuses.add(reply.status)
      }
    }
    await Promise.all(Array.from({ length: 20 }, call))
    assert.deepEqual([...statuses], [200])
  })

  test('archives every recent post of the platform, up to the reach of a first visit', async () => {
    const { world } = service.simulator
    for (const name of service.names.slice(0, 6)) {
      const truth = world.truth.postsAt(name, service.simulator.now())
      const archived = new Set<string>()
      for await (const page of client.pages('list_channel_posts', {
        username: name,
        detail: 'ids',
        limit: 100,
        include_service: true,
      })) {
        for (const { slug } of page.data) archived.add(slug)
      }
      const recent = truth
        .filter((post) => post.publishedAt > Date.now() - 29 * 86_400_000)
        .slice(-400)
      const missing = recent.filter((post) => !archived.has(String(post.number)))
      assert.deepEqual(
        missing.map((post) => post.number),
        [],
        name,
      )
    }
  })

  test('finds an archived post by its own words', async () => {
    const { data } = await client.list_channels({ lang: 'en', limit: 1 })
    const name = data[0]?.username ?? service.names[0]!
    const posts = await client.list_channel_posts({ username: name, detail: 'full', limit: 20 })
    const post = (posts.data as { id: string; text: string }[]).find(
      ({ text }) => text.split(/\s+/).length > 8,
    )
    assert.ok(post, 'a channel has a post with some words')
    const words = post.text
      .replaceAll(/[^\p{L}\s]/gu, ' ')
      .split(/\s+/)
      .filter((w) => w.length > 3)
      .slice(0, 5)
    const search = () => client.search_posts({ q: words.join(' '), channel: name, limit: 50 })
    let found = await search()
    // A search that a busy machine cut short says so.
    await eventually(async () => {
      if (!found.meta.coverage?.complete) found = await search()
      return found.meta.coverage?.complete === true
    }, 'a search that is complete')
    assert.ok(
      (found.data as { id: string }[]).some(({ id }) => id === post.id),
      `${post.id} by ${words.join(' ')}`,
    )
  })

  test('reads durov and telegram live, which everybody tries first and the simulator therefore has', async () => {
    for (const username of ['durov', 'telegram']) {
      const { data } = await client.get_live_channel({ username })
      assert.equal(data.channel.username, username)
    }
  })

  test('no longer finds a post that was deleted on the platform', async () => {
    const busiest = await client.list_channels({ sort: 'posts_per_day', limit: 1 })
    const name = busiest.data[0]!.username
    const before = await client.search_posts({ channel: name, limit: 5, detail: 'ids' })
    const [hit] = before.data as { id: string; slug: string }[]
    assert.ok(hit)
    const { world } = service.simulator
    const channel = world.resolve(name, service.simulator.now()) as SimChannel
    world.script.remove(channel, Number(hit.slug), service.simulator.now())
    const { frontier, archive } = service.app.store
    const archived = await archive.channel(name)
    await eventually(async () => {
      await frontier.makeDue(archived!.id, Date.now())
      const { data } = await client.search_posts({ channel: name, limit: 5, detail: 'ids' })
      return !(data as { id: string }[]).some(({ id }) => id === hit.id)
    }, 'the deleted post is gone')
    await assert.rejects(client.get_post({ username: name, slug: hit.slug }), {
      code: 'post_deleted',
    })
  })

  test('removes a channel from every answer and never reads it again', async () => {
    const busiest = await client.list_channels({ sort: 'posts_per_day', limit: 2 })
    const name = busiest.data[1]!.username
    const { archive, frontier, removals } = service.app.store
    const { id } = (await archive.channel(name))!
    const { posts } = await removals.removeChannel(name, 'asked by its owner', Date.now())
    assert.ok(posts > 0)
    const requests = service.simulator.log.of(name.toLowerCase()).length
    await eventually(async () => {
      const { data, meta } = await client.search_posts({ channel: name, limit: 5 })
      return (data as unknown[]).length === 0 && meta.total?.value === 0
    }, 'nothing is found')
    await assert.rejects(client.get_channel({ username: name }), { code: 'channel_removed' })
    await assert.rejects(client.get_live_channel({ username: name }), { code: 'channel_removed' })
    // Even an explicit request does not get it visited.
    await frontier.makeDue(id, Date.now())
    const other = (await archive.channel(busiest.data[0]!.username))!
    const seen = service.simulator.log.total
    await frontier.makeDue(other.id, Date.now())
    await eventually(async () => service.simulator.log.total > seen, 'the crawler went on')
    assert.equal(service.simulator.log.of(name.toLowerCase()).length, requests)
  })

  test('sends request id and rate limit headers with every reply', async () => {
    const home = await (await fetch(service.url)).text()
    const [style] = /\/assets\/[^"]+\.css/.exec(home)!
    const question = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const mcp = {
      method: 'POST',
      body: JSON.stringify(question),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
    }
    const cases: [string, RequestInit][] = [
      ['/', {}],
      [style, {}],
      ['/docs', { method: 'HEAD' }],
      ['/errors', {}],
      ['/llms.txt', {}],
      ['/robots.txt', {}],
      ['/healthz', {}],
      ['/readyz', {}],
      ['/nothing', { headers: { Accept: 'text/html' } }],
      ['/v1/meta', {}],
      ['/mcp', mcp],
      ['/mcp', { ...mcp, body: 'nonsense' }],
    ]
    for (const [path, init] of cases) {
      const headers = { ...(init.headers as Record<string, string>), 'X-Request-Id': 'mine' }
      const reply = await fetch(`${service.url}${path}`, { ...init, headers })
      await reply.text()
      assert.equal(reply.headers.get('x-request-id'), 'mine', path)
      assert.match(reply.headers.get('ratelimit-policy') ?? '', /^"burst";q=\d+;w=60/, path)
      assert.match(reply.headers.get('ratelimit') ?? '', /^"burst";r=\d+;t=\d+/, path)
    }
  })
}

async function eventually(
  check: () => Promise<boolean>,
  what: string,
  timeoutMs = 120_000,
): Promise<void> {
  const until = Date.now() + timeoutMs
  while (!(await check())) {
    if (Date.now() > until) assert.fail(`not within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
