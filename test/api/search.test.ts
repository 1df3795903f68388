import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeMedia } from '../../src/model/post.ts'
import { makePost, startService, type Service } from './harness.ts'
import { DAY, fillWorld } from './world.ts'

/** The posts of ChessNews that can be found, newest first. */
const CHESS = ['17', '16', '15', '14', '13', '11', '10']

/** One test for each parameter of `/search`. */
describe('search', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const search = async (query: string) => (await service.get(`/v1/search?${query}`)).json
  const slugs = async (query: string) =>
    ((await search(query)).data as { slug: string }[]).map(({ slug }) => slug)
  const ids = async (query: string) =>
    ((await search(query)).data as { id: string }[]).map(({ id }) => id)

  test('a search needs q or a filter', async () => {
    const { status, json } = await service.get('/v1/search?sort=newest')
    assert.equal(status, 400)
    assert.equal(json.code, 'missing_parameter')
  })

  test('words match their inflected forms, unless match=exact', async () => {
    assert.deepEqual(await slugs('q=champions&sort=newest'), ['11', '10'])
    assert.deepEqual(await slugs('q=champions&match=exact&sort=newest'), ['11'])
  })

  test('the default order is relevance with words, newest without', async () => {
    assert.equal((await search('q=game&explain=true')).data.parsed.sort, 'relevance')
    assert.equal((await search('has=photo&explain=true')).data.parsed.sort, 'newest')
    assert.equal((await search('q=%23opening&explain=true')).data.parsed.sort, 'newest')
  })

  test('results are sorted by newest, oldest or views', async () => {
    const newest = await slugs('channel=chessnews&sort=newest')
    assert.deepEqual(newest, CHESS)
    assert.deepEqual(await slugs('channel=chessnews&sort=oldest'), newest.toReversed())
    assert.deepEqual((await slugs('channel=chessnews&sort=views')).slice(0, 2), ['10', '11'])
  })

  test('since is clipped to the last 30 days with a warning', async () => {
    const { warnings, meta } = await search('q=champion&since=60d')
    assert.equal(warnings[0].code, 'window_clipped')
    assert.equal(warnings[0].parameter, 'since')
    const reach = service.clock.now() - Date.parse(meta.window.since)
    assert.ok(Math.abs(reach - 30 * DAY) < 60_000)
    assert.deepEqual((await search('q=champion&since=3d')).warnings, [])
  })

  for (const [path, parameter] of [
    ['/v1/search?since=1d&until=2d', 'since'],
    ['/v1/search?since=2030-01-01', 'since'],
    ['/v1/search?q=champion after:2030-01-01', 'q'],
    ['/v1/search?until=2d&q=champion after:1d', 'until'],
    ['/v1/channels/ChessNews/posts?since=1d&until=2d', 'since'],
    ['/v1/channels/ChessNews/posts?since=2030-01-01', 'since'],
  ] as const) {
    test(`${path} warns that no post can match`, async () => {
      const { data, meta, warnings } = (await service.get(path)).json
      assert.deepEqual(data, [])
      if (path.startsWith('/v1/search')) assert.ok(meta.window.since <= meta.window.until)
      assert.deepEqual([warnings[0].code, warnings[0].parameter], ['window_empty', parameter])
    })
  }

  test('a window in the near future includes a post from a channel whose clock is ahead', async () => {
    await using service = await startService()
    const now = service.clock.now()
    const post = makePost({ number: 1, publishedAt: now + 120_000, text: 'a post from ahead' })
    await service.publish({ username: 'fast_clock' }, [post])
    const since = new Date(now + 60_000).toISOString()
    const { data, meta, warnings } = (
      await service.get(`/v1/search?channel=fast_clock&since=${since}`)
    ).json
    assert.deepEqual([data.length, warnings], [1, []])
    assert.ok(meta.window.since <= meta.window.until)
    const listed = (await service.get(`/v1/channels/fast_clock/posts?since=${since}`)).json
    assert.deepEqual([listed.data.length, listed.warnings], [1, []])
  })

  test('a window ends no later than now, or at its start if that is later', async () => {
    for (const query of ['q=game', 'since=2030-01-01', 'q=game&until=2030-01-01']) {
      const { window } = (await search(query)).meta
      const latest = Math.max(Date.parse(window.since), service.clock.now())
      assert.ok(Date.parse(window.until) <= latest, query)
    }
  })

  test('after: in the query narrows the window like since', async () => {
    assert.deepEqual(await slugs('q=champion after:270m&sort=newest'), ['11'])
  })

  test('arrived_since returns posts captured since then, also old ones, and none for a time in the future', async () => {
    await using service = await startService()
    const now = service.clock.now()
    const publish = (number: number, age: number) =>
      service.publish({ username: 'late_mail' }, [makePost({ number, publishedAt: now - age })])
    await publish(9, DAY)
    service.pass(60_000)
    const since = service.clock.now()
    await publish(4, 5 * DAY)
    const found = async (at: number) =>
      (
        await service.get(
          `/v1/search?channel=late_mail&arrived_since=${new Date(at).toISOString()}`,
        )
      ).json.data.map(({ slug }: { slug: string }) => slug)
    assert.deepEqual(await found(now - DAY), ['9', '4'])
    assert.deepEqual(await found(since), ['4'])
    assert.deepEqual(await found(since + DAY), [])
  })

  test('arrived_since of a hit’s own first_captured_at finds that hit', async () => {
    const [hit] = (await search('q=%23opening')).data
    assert.deepEqual(await slugs(`q=%23opening&arrived_since=${hit.first_captured_at}`), ['10'])
  })

  test('lang and exclude_lang filter by language; a language that no post has gives a warning', async () => {
    assert.deepEqual(await slugs('lang=ru'), ['2', '1'])
    assert.deepEqual(await slugs('exclude_lang=ru'), CHESS)
    const none = await search('lang=fi')
    assert.deepEqual([none.data.length, none.warnings[0].code], [0, 'language_not_held'])
    assert.equal((await service.get('/v1/search?lang=xq')).json.code, 'invalid_parameter')
    for (const q of ['lang:fi game', 'game OR lang:fi', '(game lang:fi) OR zebra']) {
      const [told] = (await search(`q=${encodeURIComponent(q)}`)).warnings
      assert.deepEqual([told?.code, told?.parameter], ['language_not_held', 'q'], q)
    }
    assert.deepEqual((await search('q=game -lang:fi')).warnings, [])
    assert.deepEqual((await search('q=game lang:en')).warnings, [])
  })

  test('hashtag, mention, domain, url and forwarded_from filter, and their exclude_ forms exclude', async () => {
    assert.deepEqual(await slugs('hashtag=opening'), ['10'])
    assert.deepEqual(await slugs('hashtag=%23Opening'), ['10'])
    assert.deepEqual(await slugs('mention=Durov'), ['10'])
    assert.deepEqual(await slugs('domain=example.com'), ['10'])
    assert.deepEqual(await slugs('url=http://www.example.com/games?id=1'), ['10'])
    assert.deepEqual(await slugs('url=https://example.org/a,b,https://example.com/games?id=1'), [
      '10',
    ])
    assert.deepEqual(await slugs('forwarded_from=chessnews'), ['2'])
    for (const twin of [
      'exclude_hashtag=opening',
      'exclude_mention=durov',
      'exclude_domain=example.com',
      'exclude_url=https://example.com/games?id=1',
    ]) {
      assert.deepEqual(await slugs(`channel=chessnews&${twin}`), CHESS.slice(0, -1), twin)
    }
    const others = await slugs('channel=novosti_shahmat&exclude_forwarded_from=chessnews')
    assert.deepEqual(others, ['1'])
  })

  for (const [parameter, operator, id] of [
    ['forwards', 'is:forward', 'novosti_shahmat/2'],
    ['replies', 'is:reply', 'ChessNews/13'],
    ['edited', 'is:edited', 'ChessNews/11'],
  ] as const) {
    test(`${parameter} selects by include, exclude and only, and ${operator} by itself and negated`, async () => {
      const both = 'channel=chessnews,novosti_shahmat'
      const all = await ids(both)
      const rest = all.filter((other) => other !== id)
      assert.deepEqual([all.length, rest.length], [9, 8])
      assert.deepEqual(await ids(`${both}&${parameter}=include`), all)
      assert.deepEqual(await ids(`${both}&${parameter}=exclude`), rest)
      assert.deepEqual(await ids(`${both}&${parameter}=only`), [id])
      assert.deepEqual(await ids(`${both}&q=${operator}`), [id])
      assert.deepEqual(await ids(`${both}&q=-${operator}`), rest)
    })
  }

  test('min_views, min_reactions and min_subscribers set lower bounds', async () => {
    for (const [bound, found] of [
      ['min_views=900', ['11', '10']],
      ['min_views=901', ['10']],
      ['min_views=1201', []],
      ['min_reactions=14', ['10']],
      ['min_reactions=15', []],
      ['min_subscribers=12300', CHESS],
      ['min_subscribers=12301', []],
    ] as const) {
      assert.deepEqual(await slugs(bound), found, bound)
    }
  })

  test('when too few posts contain all words, posts with some of them follow, unless strict', async () => {
    const { data, meta } = await search('q=queen lost zugzwang')
    assert.equal(meta.query.relaxed, true)
    assert.equal(meta.total.value, 0)
    assert.equal(data[0].slug, '13')
    assert.equal(data[0].matched, 'some')
    assert.deepEqual(data[0].missing, ['zugzwang'])
    const strict = await search('q=queen lost zugzwang&strict=true')
    assert.deepEqual([strict.data.length, strict.meta.query.relaxed], [0, false])
  })

  test('words in typographic quotes may match apart when relaxed, those of a "phrase" never do', async () => {
    const found = async (q: string) => {
      const { data, meta } = await search(`q=${encodeURIComponent(q)}`)
      const hits = (data as { slug: string; matched: string; missing?: string[] }[]).map(
        ({ slug, matched, missing }) => [slug, matched, missing ?? []],
      )
      return { hits, total: meta.total.value, parsed: meta.query.parsed }
    }
    assert.deepEqual(await found('"lost queens"'), { hits: [], total: 0, parsed: '"lost queens"' })
    assert.deepEqual(await found('«lost queens»'), {
      hits: [
        ['13', 'some', ['lost queens']],
        ['10', 'some', ['lost']],
      ],
      total: 0,
      parsed: '“lost queens”',
    })
    assert.deepEqual(await slugs(`q=${encodeURIComponent('«lost queens»')}&strict=true`), [])
    assert.deepEqual(await slugs(`q=${encodeURIComponent('«lost queens»')}&match=exact`), [])
    assert.deepEqual(await slugs(`q=${encodeURIComponent('«lost queens»')}&sort=newest`), [])
  })

  test('facets count hits by channel, language, domain, hashtag, attachment, hour and day', async () => {
    const { meta } = await search(
      'lang=en,ru&facets=day,hour,channel,lang,domain,hashtag,has&limit=1',
    )
    const { day, hour, ...facets } = meta.facets
    assert.deepEqual(facets, {
      channel: [
        { value: 'ChessNews', count: 7, title: 'Chess news' },
        { value: 'novosti_shahmat', count: 2, title: 'Новости шахмат' },
      ],
      lang: [
        { value: 'en', count: 7 },
        { value: 'ru', count: 2 },
      ],
      domain: [{ value: 'example.com', count: 1 }],
      hashtag: [{ value: 'opening', count: 1 }],
      has: ['link', 'media', 'photo', 'poll', 'video'].map((value) => ({ value, count: 1 })),
    })
    const times = ((await search('lang=en,ru')).data as { published_at: string }[])
      .map(({ published_at }) => published_at)
      .toSorted()
    const countBy = (start: (time: string) => string) =>
      [...Map.groupBy(times, start)].map(([value, { length }]) => ({ value, count: length }))
    assert.equal(times.length, 9)
    assert.deepEqual(
      day,
      countBy((time) => time.slice(0, 10)),
    )
    assert.deepEqual(
      hour,
      countBy((time) => `${time.slice(0, 13)}:00:00Z`),
    )
  })

  test('detail=full returns the post without versions, detail=ids only ids, url and score', async () => {
    const [full] = (await search('q=%23opening&detail=full')).data
    const { json } = await service.get('/v1/channels/ChessNews/posts/10')
    const { versions: _versions, ...post } = json.data
    const { score: _score, matched: _matched, ...hit } = full
    assert.deepEqual(hit, post)
    const [id] = (await search('q=%23opening&detail=ids')).data
    assert.deepEqual(Object.keys(id).toSorted(), ['id', 'matched', 'score', 'slug', 'url'])
  })

  test('max_chars does not count or cut names of authors and files, and its description says so', async () => {
    await using service = await startService()
    const now = service.clock.now()
    const media = [makeMedia('document', { fileName: 'minutes-of-the-meeting.pdf' })]
    const post = makePost({
      number: 1,
      publishedAt: now,
      text: 'The minutes',
      author: 'Ann',
      media,
    })
    await service.publish({ username: 'minutes' }, [post])
    const { json } = await service.get('/v1/search?has=document&detail=full&max_chars=1')
    const [hit] = json.data
    assert.deepEqual(
      [hit.text, hit.author, hit.media[0].file_name],
      ['T', 'Ann', 'minutes-of-the-meeting.pdf'],
    )
    const { paths } = (await service.get('/v1/openapi.json')).json
    for (const path of ['/search', '/channels/{username}/posts']) {
      const parameters = paths[path].get.parameters as { name: string; description: string }[]
      const { description } = parameters.find(({ name }) => name === 'max_chars')!
      assert.match(description, /Names of .* files .* are not counted/)
    }
  })

  test('max_chars limits the total text of a reply, and a cut is reported', async () => {
    const { data, meta } = await search('channel=chessnews&max_chars=60')
    const total = (data as { snippet: string }[]).reduce(
      (sum, { snippet }) => sum + snippet.length,
      0,
    )
    assert.ok(total <= 60, String(total))
    assert.equal(meta.truncated, true)
    const full = await search('channel=chessnews&detail=full&max_chars=60')
    const chars = (full.data as { text: string }[]).reduce((sum, { text }) => sum + text.length, 0)
    assert.ok(chars <= 60)
    assert.equal((await search('channel=chessnews&max_chars=100000')).meta.truncated, false)
    for (const path of ['search?channel=chessnews&', 'channels/chessnews/posts?']) {
      const told = async (max: number) =>
        (await service.get(`/v1/${path}format=md&max_chars=${max}`)).text.includes('`max_chars`')
      assert.deepEqual([await told(60), await told(100_000)], [true, false], path)
    }
  })

  for (const max of [60, 200, 500, 900]) {
    test(`max_chars=${max} counts every rendering of a text, and text is kept before markup`, async () => {
      const { data, meta } = await search(`channel=chessnews&detail=full&max_chars=${max}`)
      let chars = 0
      for (const post of data) {
        const { title, description } = post.link_preview ?? {}
        const poll = post.poll && [post.poll.question, ...post.poll.options.map(textOf)].join('')
        const parts = [post.text, post.markdown, post.html, poll, title, description]
        for (const part of [...parts, post.reply_to?.text]) chars += part?.length ?? 0
      }
      assert.ok(chars <= max, String(chars))
      assert.equal(meta.truncated, true)
      const kept = data.filter((post: { text: string }) => post.text !== '').length
      assert.equal(data.length, CHESS.length)
      assert.ok(max >= 500 ? kept === CHESS.length : kept > 0, `${kept} kept`)
    })
  }

  test('from: in the query filters by channel, has: by media kind', async () => {
    assert.deepEqual(await slugs('q=from:chessnews has:poll'), ['14'])
    assert.ok(!(await slugs('q=game -from:chessnews')).length)
  })

  test('highlights are UTF-16 offsets into the snippet', async () => {
    const [hit] = (await search('q=queen&sort=oldest')).data
    const marked = hit.highlights.map(({ start, end }: { start: number; end: number }) =>
      hit.snippet.slice(start, end),
    )
    assert.deepEqual(marked, ['queen'])
  })

  test('near-identical posts collapse into the earliest', async () => {
    const text =
      'The federation announced the dates of the next candidates tournament in Madrid this morning'
    const now = service.clock.now()
    await service.publish({ username: 'first_source' }, [
      makePost({ number: 1, publishedAt: now - 50_000, text }),
    ])
    await service.publish({ username: 'second_source' }, [
      makePost({ number: 9, publishedAt: now - 40_000, text }),
    ])
    assert.equal((await search('q=candidates')).data.length, 2)
    const { data } = await search('q=candidates&collapse=duplicates')
    assert.equal(data.length, 1)
    assert.equal(data[0].id, 'first_source/1')
    assert.deepEqual(
      { ...data[0].cluster, id: '' },
      { id: '', size: 2, channels: 2, first: 'first_source/1' },
    )
  })

  test('a deleted post is no longer found', async () => {
    assert.deepEqual(await slugs('q=soon'), ['17'])
    await service.publish({ username: 'ChessNews', platformId: 1001 }, [], [17])
    assert.deepEqual(await slugs('q=soon'), [])
  })
})

const textOf = ({ text }: { text: string }) => text
