import assert from 'node:assert/strict'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DEFAULT_TIERS } from '../../src/access/tiers.ts'
import { followSearch } from '../../src/client/follow.ts'
import type { StreamEvent } from '../../src/client/event-stream.ts'
import { until } from '../until.ts'
import { makePost, startService, type Service } from './harness.ts'

const HOUR = 3_600_000

interface Reader extends AsyncDisposable {
  readonly events: StreamEvent[]
  /** `post ChessNews/1`, in the order received. */
  told(): string[]
}

describe('/stream', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  const sending = (from: Service, input: object, headers: Record<string, string> = {}) => {
    const query = new URLSearchParams(input as Record<string, string>)
    const signal = AbortSignal.timeout(30_000)
    return fetch(`${from.url}/v1/stream?${query.toString()}`, { headers, signal })
  }

  /** Reads until disposed of. */
  async function follow(input: object, sinceId?: string, from: Service = service): Promise<Reader> {
    const stop = new AbortController()
    const events: StreamEvent[] = []
    const open = from.ctx.streams.open
    const options = { url: from.url, signal: stop.signal, sinceId }
    const reading = (async () => {
      for await (const event of followSearch(input as Record<string, string>, options)) {
        events.push(event)
      }
    })()
    await until(() => from.ctx.streams.open > open || events.length > 0)
    return {
      events,
      told: () => events.map(({ event, data }) => `${event} ${(data as { id?: string }).id ?? ''}`),
      async [Symbol.asyncDispose]() {
        stop.abort()
        await reading
        await until(() => from.ctx.streams.open === open)
      },
    }
  }

  let next = 100
  const post = (text: string, number = next++) => {
    const publishedAt = service.clock.now() - 60_000
    return makePost({ number, publishedAt, text })
  }
  const publish = (...posts: ReturnType<typeof makePost>[]) =>
    service.publish({ username: 'floods' }, posts)

  test('ends when the key it was opened with is revoked, and not with another key', async () => {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) => service.keys.create({ tier: 'free', name })),
    )
    const opened = (key: string) =>
      sending(service, { q: 'river' }, { Authorization: `Bearer ${key}` })
    const [ended, other] = await Promise.all([opened(one!.key), opened(two!.key)])
    const open = service.ctx.streams.open
    await service.keys.revoke(one!.prefix)
    service.pass(5_000)
    assert.match(await ended.text(), /event: end\ndata: {"reason":"revoked"/)
    assert.equal(service.ctx.streams.open, open - 1)
    await other.body!.cancel()
    await until(() => service.ctx.streams.open === open - 2)
  })

  test('sends a post as a search shows it, then its edits and its deletion', async () => {
    await using reader = await follow({ q: 'river', lang: 'en' })
    const first = post('The river rose overnight')
    await publish(first, post('The bridge is closed'))
    await until(() => reader.events.length === 1)
    const { json } = await service.get('/v1/search?q=river&sort=newest')
    const [hit] = json.data
    assert.deepEqual(reader.events[0]!.data, { ...hit, score: 0 })
    for (const text of ['The river falls', 'The lake falls', 'The river falls again']) {
      const known = reader.events.length
      await publish({ ...first, text })
      // A reader that reads later would see the post in its later state.
      await until(() => reader.events.length > known)
    }
    await service.publish({ username: 'floods' }, [], [first.number])
    await until(() => reader.events.length === 5)
    const id = `floods/${first.number}`
    assert.deepEqual(
      reader.told(),
      ['post', 'edit', 'edit', 'post', 'deleted'].map((kind) => `${kind} ${id}`),
    )
    const edits = reader.events.slice(1, 3).map(({ data }) => data as { matches: boolean })
    assert.deepEqual(
      edits.map(({ matches }) => matches),
      [true, false],
    )
  })

  test('resumes after an event id without gaps or repeats', async () => {
    await publish(post('The lake is full'))
    let sinceId: string | undefined
    {
      await using reader = await follow({ q: 'lake' })
      await publish(post('The lake is wide'), post('Nothing new'))
      await until(() => reader.events.length === 1)
      sinceId = reader.events[0]!.id
    }
    const missed = [post('The lake is deep'), post('The lake is cold')]
    await publish(...missed)
    await using again = await follow({ q: 'lake' }, sinceId)
    const last = post('The lake is calm')
    await publish(last)
    await until(() => again.events.length === 3)
    const expected = [...missed, last].map(({ number }) => `post floods/${number}`)
    assert.deepEqual(again.told(), expected)
    await using parameter = await follow({ q: 'lake', since_id: sinceId, limit: 2 })
    await until(() => parameter.events.length === 3)
    assert.deepEqual(parameter.told(), [...expected.slice(0, 2), 'end '])
  })

  test('sends the deletion of a post that had stopped matching while the client was away', async () => {
    const gone = post('The pond is full')
    let sinceId: string | undefined
    {
      await using reader = await follow({ q: 'pond' })
      await publish(gone)
      await until(() => reader.events.length === 1)
      sinceId = reader.events[0]!.id
    }
    await publish({ ...gone, text: 'The well is full' })
    await service.publish({ username: 'floods' }, [], [gone.number])
    await using again = await follow({ q: 'pond' }, sinceId)
    await until(() => again.events.length === 1)
    assert.deepEqual(again.told(), [`deleted floods/${gone.number}`])
  })

  test('reports an unknown event id as lag, and rejects a malformed one', async () => {
    const { log } = await service.store.events.bounds()
    for (const id of [`${log}-999999`, '00-1']) {
      await using reader = await follow({ q: 'lake' }, id)
      await until(() => reader.events.length === 1)
      const { event, data } = reader.events[0]!
      const { reason, since_id } = data as Record<string, string>
      assert.deepEqual([event, reason, since_id], ['lag', 'unknown_id', id])
    }
    const { json } = await service.get('/v1/stream?q=lake&since_id=yesterday')
    assert.deepEqual([json.status, json.errors[0].parameter], [400, 'since_id'])
  })

  test('tells readers that the log was renamed, and goes on from its end', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-renamed-'))
    await using service = await startService({ folder: folder.path })
    const publish = (number: number, text: string) =>
      service.publish({ username: 'floods' }, [
        makePost({ number, publishedAt: service.clock.now() - 60_000, text }),
      ])
    await publish(1, 'The river is calm')
    await using reader = await follow({ q: 'river' }, undefined, service)
    await publish(2, 'The river rises')
    await until(() => reader.events.length === 1)
    const last = reader.events[0]!.id
    await service.store.events.rename()
    await until(() => reader.events.length === 2)
    const { reason, since_id } = reader.events[1]!.data as Record<string, string>
    assert.deepEqual([reason, since_id], ['unknown_id', last])
    await publish(3, 'The river floods')
    await until(() => reader.events.length === 3)
    assert.deepEqual(reader.told().slice(1), ['lag ', 'post floods/3'])
    assert.equal(reader.events[2]!.id, `${(await service.store.events.bounds()).log}-3`)
  })

  test('sends near-identical posts once, and the copies only when asked for', async () => {
    const story =
      'A ferry ran aground near the harbour this morning and nobody was hurt, says the port'
    await using once = await follow({ q: 'ferry', collapse: 'duplicates' })
    await using all = await follow({ q: 'ferry', collapse: 'duplicates', copies: 'true' })
    const posts = [post(story), post(story), post(`${story} again`)]
    for (const each of posts) await publish(each)
    const other = post('Another ferry')
    await publish(other)
    await until(() => once.events.length === 2 && all.events.length === 4)
    const id = ({ number }: { number: number }) => `floods/${number}`
    assert.deepEqual(once.told(), [`post ${id(posts[0]!)}`, `post ${id(other)}`])
    assert.deepEqual(
      all.told(),
      ['post', 'copy', 'copy', 'post'].map((kind, i) => `${kind} ${id([...posts, other][i]!)}`),
    )
    const copy = all.events[2]!.data as { cluster: { size: number; first: string } }
    assert.deepEqual([copy.cluster.size, copy.cluster.first], [3, id(posts[0]!)])
  })

  test('accepts the filters of a search, but not sort, cursor, facets or format', async () => {
    await using reader = await follow({ channel: 'floods', has: 'link', detail: 'ids' })
    const linked = post('See https://example.com/a')
    await publish(post('See nothing'), linked)
    await until(() => reader.events.length === 1)
    assert.deepEqual(reader.told(), [`post floods/${linked.number}`])
    assert.equal('snippet' in (reader.events[0]!.data as object), false)
    for (const name of ['sort', 'cursor', 'facets', 'format']) {
      const { status, json } = await service.get(`/v1/stream?q=a&${name}=day`)
      assert.deepEqual([status, json.errors[0].parameter], [400, name])
    }
    assert.equal((await service.get('/v1/stream')).json.code, 'missing_parameter')
  })

  test('is refused with 406 to a client that does not accept event streams', async () => {
    const { status, json } = await service.get('/v1/stream?q=lake', { Accept: 'application/json' })
    assert.deepEqual([status, json.code], [406, 'not_acceptable'])
  })

  test('sends headers against buffering, a first event with its position, and heartbeats', async () => {
    const response = await sending(service, { q: 'lake' })
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'private, no-cache, no-transform')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    assert.match(
      Buffer.from(value!).toString(),
      /^: telegrep\nretry: \d+\nid: ([0-9a-f]+-\d+)\nevent: begin\ndata: \{"since_id":"\1"\}\n\n$/,
    )
    service.pass(15_000)
    const beat = await reader.read()
    assert.match(Buffer.from(beat.value!).toString(), /^: \nid: [0-9a-f]+-\d+\n\n$/)
    await reader.cancel()
    const head = await fetch(`${service.url}/v1/stream?q=lake`, { method: 'HEAD' })
    assert.equal(head.status, 200)
    await until(() => service.ctx.streams.open === 0)
  })

  test('is limited in number per caller; /meta counts open ones, and a closed one frees its slot', async () => {
    await using small = await startService({
      tiers: new Map([['anonymous', { ...DEFAULT_TIERS.get('anonymous')!, streams: 2 }]]),
    })
    const standing = async () => (await small.get('/v1/meta', { anonymous: '' })).json.data.streams
    const open = [await sending(small, { q: 'a' }), await sending(small, { q: 'b' })]
    assert.deepEqual(await standing(), { open: 2, limit: 2 })
    const refused = await sending(small, { q: 'c' })
    const problem = (await refused.json()) as Record<string, unknown>
    assert.deepEqual([refused.status, problem['violated-policies']], [429, ['streams']])
    await open[0]!.body!.cancel()
    await until(async () => (await standing()).open === 1)
    assert.equal((await sending(small, { q: 'd' })).status, 200)
  })

  test('ends at once, with a position to resume from, when the server stops', async () => {
    const stopping = await startService()
    const response = await sending(stopping, { q: 'lake' })
    const text = response.text()
    const { log } = await stopping.store.events.bounds()
    await stopping[Symbol.asyncDispose]()
    assert.ok(
      (await text).endsWith(`event: end\ndata: {"reason":"shutdown","since_id":"${log}-0"}\n\n`),
    )
  })

  test('says first what a reader should know before waiting', async () => {
    const begun = async (input: object) => {
      const response = await sending(service, input)
      const reader = response.body!.getReader()
      const { value } = await reader.read()
      await reader.cancel()
      const { warnings = [] } = JSON.parse(
        /^data: (.*)$/m.exec(Buffer.from(value!).toString())![1]!,
      )
      return warnings.map(({ code }: { code: string }) => code)
    }
    await publish(post('nothing much'))
    assert.deepEqual(await begun({ channel: 'misspelt' }), ['channel_not_indexed'])
    assert.deepEqual(await begun({ q: '"an open quote' }), ['query_repaired'])
    assert.deepEqual(await begun({ channel: 'floods', since: '90d' }), [])
    await until(() => service.ctx.streams.open === 0)
  })

  test('sends the posts of a channel that is added while it is followed', async () => {
    await using named = await follow({ channel: 'added_later' })
    await using inQuery = await follow({ q: 'quay from:added_later' })
    const say = () => service.publish({ username: 'added_later' }, [post('the quay')])
    await say()
    await publish(post('the quay elsewhere'))
    service.pass(15_000)
    await until(async () => {
      await say()
      return named.events.length > 0 && inQuery.events.length > 0
    })
    for (const told of [...named.told(), ...inQuery.told()]) assert.match(told, /^post added_later/)
  })

  test('leaves out posts published more than two days before they were captured', async () => {
    await using reader = await follow({ q: 'archive' })
    const old = makePost({
      number: 7,
      publishedAt: service.clock.now() - 49 * HOUR,
      text: 'archive',
    })
    const fresh = post('archive')
    await publish(old, fresh)
    await until(() => reader.events.length > 0)
    assert.deepEqual(reader.told(), [`post floods/${fresh.number}`])
  })
})
