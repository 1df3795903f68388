import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKeys } from '../src/access/keys.ts'
import { DEFAULT_TIERS } from '../src/access/tiers.ts'
import { SELF_CONTAINED } from '../src/mcp/protocol-versions.ts'
import { readSecret } from '../src/operator-files.ts'
import { makePost } from '../src/store/contract/make-post.ts'
import { startService, type Service } from './start-service.ts'
import { until } from './until.ts'
import { publish } from './web/setting.ts'

const METHOD = 'subscriptions/listen'
const NEW = 'telegrep://new/q=quayside'
/** What distinguishes a client of the current revision from an older one. */
const CURRENT = { 'mcp-protocol-version': SELF_CONTAINED, 'mcp-method': METHOD }
/** The default for callers without a key. */
const STREAMS = 4

describe('an MCP listener', () => {
  let service: Service
  before(async () => {
    const world = { seed: 'listen', channels: 1, days: 1 }
    service = await startService({ world, env: { TELEGREP_TRUST_PROXY: '1' } })
  })
  after(() => service[Symbol.asyncDispose]())
  const open = () => service.app.context.streams.open

  async function listen(
    address: string,
    notifications: object,
    headers: Record<string, string> = CURRENT,
  ): Promise<{ reply: Response; leave: () => void }> {
    const stop = new AbortController()
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: SELF_CONTAINED,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { notifications, ...('mcp-method' in headers ? { _meta } : {}) }
    const reply = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHOD, params }),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-Forwarded-For': address,
        ...headers,
      },
      signal: stop.signal,
    })
    return { reply, leave: () => stop.abort() }
  }

  test('can use the parameters of a stream in a resource address, and each has its effect', async () => {
    let asked = 0
    const read = async (search: string) => {
      const reply = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'resources/read',
          params: { uri: `telegrep://new/${search}` },
        }),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          // Each from another address, because a waiting test asks more often than a quota allows.
          'X-Forwarded-For': `2001:db8:${(++asked).toString(16)}::1`,
        },
      })
      return reply.text()
    }
    const [, sinceId] = /since_id=([\w-]+)/.exec(await read('q=mooring'))!
    const posts = [
      'Una grúa en el muelle',
      'The mooring cost more than a whole month of fishing',
    ].map((text, i) =>
      makePost({ number: i + 1, publishedAt: service.app.clock.now() - 1_000, text }),
    )
    await publish(service, { username: 'mooring_one', title: 'One' }, posts.slice(0, 1))
    await publish(service, { username: 'mooring_two', title: 'Two' }, posts.slice(1))
    const both = `channel=mooring_one&channel=mooring_two&since_id=${sinceId}`
    await until(async () => /mooring_one\/1: .*mooring_two\/2: /.test(await read(both)), 20_000)
    assert.match(await read('q=mooring&q=fishing'), /`q`: given more than once/)
    assert.match(await read('channel=mooring_one,mooring_two&limit=1'), /"1 new.*There is more/)
    assert.match(await read('channel=mooring_two&detail=full'), /a whole month of fishing/)
  })

  test('is disconnected when its key is revoked', { timeout: 30_000 }, async () => {
    const { store, config, clock } = service.app
    const pepper = await readSecret(config, { secret: null, key: null })
    const keys = createKeys({ ledger: store.ledger, tiers: DEFAULT_TIERS, pepper, clock })
    const { key, prefix } = await keys.create({ tier: 'free', name: null })
    const headers = { ...CURRENT, Authorization: `Bearer ${key}` }
    const { reply } = await listen('192.0.2.9', { resourceSubscriptions: [NEW] }, headers)
    assert.equal(reply.status, 200)
    await keys.revoke(prefix)
    await assert.rejects(reply.text())
    await until(() => open() === 0)
  })

  test('gets one notification per change, however many listen for the same search', async () => {
    const many = await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        const { reply, leave } = await listen(`192.0.2.${30 + i}`, { resourceSubscriptions: [NEW] })
        const told = { text: '', leave }
        const decoder = new TextDecoder()
        void (async () => {
          for await (const piece of reply.body!) told.text += decoder.decode(piece)
        })().catch(() => {})
        return told
      }),
    )
    const notices = () => many.map(({ text }) => text.split('resources/updated').length - 1)
    for (const [i, text] of ['A quayside cafe opens', 'Ice kept the quayside closed'].entries()) {
      const post = makePost({ number: i + 1, publishedAt: service.app.clock.now() - 1_000, text })
      await publish(service, { username: 'quay_news', title: 'Quay news' }, [post])
      await until(() => notices().every((each) => each > i), 20_000)
    }
    assert.deepEqual(notices(), [2, 2, 2, 2, 2])
    for (const { leave } of many) leave()
    await until(() => open() === 0)
  })

  test('gets an explanation when it asks for too many searches or an invalid resource', async () => {
    const eleven = Array.from({ length: 11 }, (_, i) => `${NEW}&min_views=${i}`)
    const many = await listen('192.0.2.20', { resourceSubscriptions: eleven })
    assert.match(await many.reply.text(), /at most 10 searches to listen for, found 11/)
    const long = `telegrep://new/${'q=a&'.repeat(3_000)}q=quayside`
    const one = await listen('192.0.2.20', { resourceSubscriptions: [long] })
    assert.match(await one.reply.text(), /expected at most 8192 characters, found 12025/)
    const slip = await listen('192.0.2.20', { resourceSubscriptions: ['telegrep://new?q=x'] })
    assert.equal(slip.reply.status, 400)
    assert.match(await slip.reply.text(), /there is no resource .*telegrep:\/\/new\/q=flood/)
    assert.equal(open(), 0)
    const skill = { resourceSubscriptions: ['skill://verify-a-claim/SKILL.md'] }
    const never = await listen('192.0.2.20', skill)
    assert.equal(never.reply.status, 200)
    never.leave()
    await until(() => open() === 0)
  })

  test('leaves no stream open when it is refused', async () => {
    const bad = `${NEW}&sort=newest`
    const cases: [string, object, Record<string, string>?][] = [
      ['an older revision', { resourceSubscriptions: [NEW] }, {}],
      ['a resource that cannot be followed', { resourceSubscriptions: [NEW, bad] }],
      ['more resources than the tier has streams', { resourceSubscriptions: Array(9).fill(NEW) }],
      ['no filter', { resourceSubscriptions: [NEW], toolsListChanged: 'yes' }],
    ]
    for (const [what, notifications, headers] of cases) {
      const { reply } = await listen('192.0.2.1', notifications, headers)
      assert.match(await reply.text(), /"error"|"code"/, what)
      await until(() => open() === 0, 10_000)
    }
  })

  test('counts against the stream limit of its caller, even when it follows no search', async () => {
    const nothing = { toolsListChanged: true }
    const leaving: (() => void)[] = []
    for (let i = 0; i < STREAMS; i++) {
      const { reply, leave } = await listen('192.0.2.2', nothing)
      assert.equal(reply.status, 200)
      leaving.push(leave)
    }
    assert.equal(open(), STREAMS)
    const { reply } = await listen('192.0.2.2', nothing)
    assert.equal(reply.status, 429)
    assert.deepEqual(((await reply.json()) as Record<string, unknown>)['violated-policies'], [
      'streams',
    ])
    leaving.pop()!()
    await until(() => open() === STREAMS - 1)
    leaving.push((await listen('192.0.2.2', nothing)).leave)

    // More than the protocol's library allows in total by default.
    for (let i = 0; i < 70; i++) {
      const another = await listen(`198.51.100.${i}`, nothing)
      assert.equal(another.reply.headers.get('content-type'), 'text/event-stream', String(i))
      leaving.push(another.leave)
    }
    for (const leave of leaving) leave()
    await until(() => open() === 0)
  })
})
