import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service } from './harness.ts'
import { fillWorld } from './world.ts'

/** How `q` is read, in a search and where only words are accepted. */
describe('queries', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const search = async (query: string) => (await service.get(`/v1/search?${query}`)).json

  test('explain returns the parsed query and runs no search', async () => {
    const { data, meta } = await search('q=a b OR -c&lang=en&explain=true')
    assert.deepEqual(data.parsed.tree, {
      or: [{ and: [{ word: 'a' }, { word: 'b' }] }, { not: { word: 'c' } }],
    } satisfies object)
    assert.equal(data.cost.terms, 3)
    assert.equal(meta.total, undefined)
  })

  for (const [q, terms] of [
    ['"a b c d e"', 5],
    [`"${'w '.repeat(64)}"`, 64],
    ['covid-19 -#tag lang:ru,uk', 5],
  ] as const) {
    test(`explain counts ${terms} terms in ${q.slice(0, 32)}, as the limit does`, async () => {
      const { data } = await search(`q=${encodeURIComponent(q)}&explain=true`)
      assert.equal(data.cost.terms, terms)
    })
  }

  test('since, until and after: accept `yesterday` and `today`, in the requested time zone', async () => {
    const midnight = new Date(service.clock.now()).setUTCHours(0, 0, 0, 0)
    const written = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
    const { parsed } = (await search('q=game&since=yesterday&until=today&explain=true')).data
    assert.deepEqual(
      [parsed.since, parsed.until],
      [written(midnight - 86_400_000), written(midnight)],
    )
    const zoned = await search('q=game after:today&tz=Asia/Kolkata&explain=true')
    assert.match(zoned.data.parsed.since, /T18:30:00Z$/)
    const refused = await service.get('/v1/search?q=game&since=yesteday')
    assert.equal(refused.status, 400)
    assert.equal(refused.json.errors[0].suggestion, 'yesterday')
    for (const far of ['q=game&since=999999y&tz=Europe/Kyiv', 'q=game&since=999999y']) {
      const { status, json } = await service.get(`/v1/search?${far}`)
      assert.deepEqual([status, json.errors[0].parameter], [400, 'since'])
      assert.match(json.errors[0].detail, /expected a date .* found "999999y"/)
    }
    const query = await service.get('/v1/search?q=game after:999999y&tz=Europe/Kyiv&strict=true')
    assert.equal(query.status, 400)
    const nowhere = await service.get('/v1/search?q=game&tz=Europe/Kyev')
    assert.equal(nowhere.status, 400)
    assert.equal(nowhere.json.errors[0].parameter, 'tz')
  })

  test('explain returns the window as requested, with an ETag that does not change over time', async () => {
    const path = '/v1/search?q=game before:2026-01-02&since=2026-01-01&explain=true'
    const { parsed } = (await service.get(path)).json.data
    assert.deepEqual([parsed.since, parsed.until], ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'])
    for (const again of [path, '/v1/search?q=game&explain=true']) {
      const first = await service.get(again)
      service.pass(1234)
      const second = await service.get(again)
      assert.equal(second.headers.get('etag'), first.headers.get('etag'))
    }
    const open = await search('q=game&explain=true')
    assert.deepEqual([open.data.parsed.since, open.data.parsed.until], [null, null])
  })

  for (const [q, suggestion] of [
    ['@dur*', 'dur*'],
    ['@duro*', 'duro*'],
    ['#op*', 'op'],
    ['#ope*', 'ope*'],
  ] as const) {
    test(`${q} is rejected with strict, since * may follow words only`, async () => {
      const { status, json } = await service.get(`/v1/search?strict=1&q=${encodeURIComponent(q)}`)
      assert.deepEqual([status, json.errors[0].suggestion], [400, suggestion])
    })
  }

  test('with strict, a malformed query is rejected with the position of the fault and a correction', async () => {
    const { status, json } = await service.get('/v1/search?q=chess (queen&strict=true')
    assert.equal(status, 400)
    assert.equal(json.code, 'invalid_query')
    assert.equal(json.errors[0].position, 6)
    assert.equal(json.errors[0].suggestion, 'chess (queen)')
  })

  for (const path of [
    'search?strict=true&',
    'channels?',
    'channels/ChessNews/posts?',
    'channels/ChessNews/live?',
  ]) {
    test(`the length limit of q at /v1/${path} counts characters, not UTF-16 units`, async () => {
      const long = (chars: number) => `/v1/${path}q=${encodeURIComponent('𝒳'.repeat(chars))}`
      assert.notEqual((await service.get(long(512))).status, 400)
      for (const chars of [513, 600]) {
        const { status, json } = await service.get(long(chars))
        assert.equal(status, 400)
        assert.match(json.detail, new RegExp(`at most 512 characters, found ${chars}`))
      }
    })
  }

  for (const [q, codes] of [
    ['игра', ['ru']],
    ['що сказав президент про нові санкції', ['uk']],
    ['what did the president say about the new sanctions', ['en']],
    ['was hat der Kanzler über die neuen Sanktionen gesagt', ['de']],
    ['que s’est-il passé dans les rues de Paris cette nuit', ['fr']],
    ['chess lang:ru', []],
    ['', []],
  ] as const) {
    test(`the language detected in ${JSON.stringify(q)} is ${codes.join() || 'none'}`, async () => {
      const { meta } = await search(`q=${encodeURIComponent(q || 'after:7d')}&lang=ru`)
      assert.deepEqual(meta.query.detected_languages, codes)
    })
  }

  test('a query beyond 512 characters, 64 terms or 8 levels is cut, or rejected with strict', async () => {
    for (const q of ['a'.repeat(513), 'a '.repeat(65), `${'('.repeat(9)}a${')'.repeat(9)}`]) {
      const path = `/v1/search?q=${encodeURIComponent(q)}`
      const { status, json } = await service.get(`${path}&strict=true`)
      assert.deepEqual([status, json.code], [400, 'invalid_query'])
      assert.equal((await service.get(path)).json.warnings[0].code, 'query_repaired')
    }
  })

  for (const path of ['/v1/channels/ChessNews/posts', '/v1/channels/ChessNews/live']) {
    for (const [q, position, suggestion] of [
      ['game -champion', 6, 'game'],
      ['game OR champion', 0, 'game champion'],
      ['champion "the game"', 9, 'champion the game'],
      ['champion has:photo', 9, 'champion'],
      ['champ* #opening', 0, 'champ opening'],
      ['РИА «Новости»', 4, 'РИА Новости'],
      ['"open quote', 0, 'open quote'],
      ['OR', 0, 'or'],
      ['hashtag:news', 0, 'hashtag news'],
      ["don't (stop", 6, "don't stop"],
      ['!!!', 0, undefined],
      ['🔥', 0, undefined],
      [Array(33).fill('w').join(' '), 64, Array(32).fill('w').join(' ')],
    ] as const) {
      test(`${path} accepts plain words only, and rejects ${q.slice(0, 32)}`, async () => {
        const { status, json } = await service.get(`${path}?q=${encodeURIComponent(q)}`)
        assert.deepEqual([status, json.code], [400, 'invalid_query'])
        assert.deepEqual(
          [json.errors[0].position, json.errors[0].suggestion],
          [position, suggestion],
        )
        if (suggestion === undefined) return
        const again = await service.get(`${path}?q=${encodeURIComponent(suggestion)}`)
        assert.notEqual(again.status, 400, 'what is suggested is taken')
      })
    }
  }

  test('an emoji among words is ignored in a list of posts', async () => {
    const found = async (q: string) =>
      (await service.get(`/v1/channels/ChessNews/posts?q=${encodeURIComponent(q)}`)).json.data
    assert.ok((await found('champion')).length > 0)
    assert.deepEqual(await found('🔥 champion'), await found('champion'))
  })

  for (const q of ['🔥', '!!!', 'w'.repeat(513)]) {
    test(`/v1/channels rejects ${q.slice(0, 8)} as a title`, async () => {
      const { status, json } = await service.get(`/v1/channels?q=${encodeURIComponent(q)}`)
      assert.deepEqual([status, json.code], [400, 'invalid_query'])
    })
  }

  for (const q of [
    '🔥 Новости',
    'Новости | шахмат',
    '«Новости» шахмат',
    '"Новости шахмат"',
    '#новости -шахмат',
    '"новости',
    '@Novosti_Shahmat',
    't.me/novosti_shahmat',
    'https://t.me/s/novosti_shahmat',
    'шахмат НОВОСТИ',
  ]) {
    test(`/v1/channels finds a channel by ${q}`, async () => {
      const { json } = await service.get(`/v1/channels?q=${encodeURIComponent(q)}`)
      assert.deepEqual(
        json.data.map((channel: { username: string }) => channel.username),
        ['novosti_shahmat'],
      )
    })
  }
})
