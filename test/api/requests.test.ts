import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service } from './harness.ts'
import { fillWorld } from './world.ts'

/** What can be asked for, and how. */
describe('requests', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  for (const name of ['chessnews', '@ChessNews', 't.me/chessnews', 'https://t.me/s/CHESSNEWS']) {
    test(`${name} is accepted as the name of a channel`, async () => {
      const { json } = await service.get(`/v1/channels/${encodeURIComponent(name)}`)
      assert.equal(json.data.username, 'ChessNews')
      assert.deepEqual(json.warnings, [])
    })
  }

  for (const name of [
    'abc',
    '1abc',
    'a__b',
    'name_',
    'joinchat',
    'a'.repeat(33),
    '..',
    'evil.com/x',
    'имя',
    '%00name',
  ]) {
    test(`${JSON.stringify(name)} is rejected as the name of a channel`, async () => {
      const { status, json } = await service.get(`/v1/search?channel=${encodeURIComponent(name)}`)
      assert.equal(status, 400)
      assert.equal(json.code, 'invalid_username')
    })
  }

  test('a title in place of a name is told where titles are found', async () => {
    for (const [given, isTitle] of [
      ['Ferry Desk', true],
      ['Вести', true],
      ['1abc', false],
    ] as const) {
      const { json } = await service.get(`/v1/search?channel=${encodeURIComponent(given)}`)
      assert.equal(
        json.detail.endsWith('; /v1/channels?q= finds channels by their titles'),
        isTitle,
      )
    }
  })

  test('a language may be given by its code, or by its English or own name', async () => {
    const idsFor = async (lang: string) => {
      const { status, json } = await service.get(`/v1/search?lang=${encodeURIComponent(lang)}`)
      assert.equal(status, 200, lang)
      return json.data.map(({ id }: { id: string }) => id)
    }
    const russian = await idsFor('ru')
    assert.ok(russian.length > 0)
    for (const name of ['Russian', 'русский']) assert.deepEqual(await idsFor(name), russian, name)
  })

  for (const [query, suggestion] of [
    ['search?query=a', 'q'],
    ['search?q=a&language=en', 'lang'],
    ['search?q=a&per_page=5', 'limit'],
    ['search?q=a&sort=date', 'newest'],
    ['search?q=a&format=markdown', 'md'],
    ['search?has=foto', 'photo'],
    ['search?lang=eng', 'en'],
    ['channels/ChessNews/posts?sort=newest', 'order'],
    ['search?lang=ua', 'uk'],
    ['search?lang=cn', 'zh'],
    ['channels?lang=jp', 'ja'],
    ['channels?sort=new', 'newest_post'],
    ['channels?sort=top', 'subscribers'],
    ['channels?sort=name', 'username'],
    ['channels?username=durov', 'q'],
    ['search?username=durov', 'channel'],
    ['search?q=a&fields=id,url', 'detail'],
    ['search?q=a&max_tokens=500', 'max_chars'],
  ] as const) {
    test(`${query} is rejected, and ${suggestion} is suggested`, async () => {
      const { status, json } = await service.get(`/v1/${query}`)
      assert.deepEqual([status, json.errors[0].suggestion], [400, suggestion])
    })
  }

  test('a word reserved by the platform is rejected as a channel name, with that reason', async () => {
    for (const name of ['share', '@JoinChat']) {
      const { status, json } = await service.get(`/v1/channels/${name}`)
      assert.deepEqual([status, json.code], [400, 'invalid_username'])
      assert.match(json.detail, /the platform reserves that word/)
    }
  })

  test('a former channel name returns the renamed channel and a warning', async () => {
    const now = service.clock.now()
    const id = await service.publish({ username: 'old_name_here', platformId: 77 }, [])
    await service.store.archive.record({
      channelId: id,
      at: now + 1,
      capture: 'crawl',
      parserVersion: 1,
      profile: {
        username: 'new_name_here',
        platformId: 77,
        title: 'Renamed',
        description: '',
        avatarUrl: null,
        verified: false,
        subscribers: null,
        counters: { photos: null, videos: null, files: null, links: null },
      },
      posts: [],
      deleted: [],
    })
    const { json } = await service.get('/v1/channels/old_name_here')
    assert.equal(json.data.username, 'new_name_here')
    assert.deepEqual(json.data.aliases, ['old_name_here'])
    assert.equal(json.warnings[0].code, 'renamed')
    for (const [path, parameter] of [
      ['/v1/search?channel=Old_Name_Here', 'channel'],
      ['/v1/search?q=from:old_name_here', 'q'],
      ['/v1/search?q=game&exclude_channel=old_name_here', 'exclude_channel'],
      ['/v1/search?q=game+-from:old_name_here', 'q'],
      ['/v1/changes?channel=old_name_here', 'channel'],
      ['/v1/changes?exclude_channel=old_name_here', 'exclude_channel'],
      ['/v1/channels/old_name_here/posts', 'username'],
    ]) {
      const told = (await service.get(path!)).json.warnings.filter(
        ({ code }: { code: string }) => code === 'renamed',
      )
      assert.equal(told.length, 1, path)
      assert.equal(told[0].parameter, parameter, path)
      assert.match(told[0].detail, /former or further name of new_name_here/)
    }
    const present = await service.get('/v1/search?channel=NEW_name_here')
    assert.ok(!present.text.includes('renamed'))
  })

  for (const slug of ['10', '10-any-words', '10-%D1%81%D0%BB%D0%BE%D0%B2%D0%B0']) {
    test(`the slug ${slug} means post 10`, async () => {
      const { json } = await service.get(`/v1/channels/ChessNews/posts/${slug}`)
      assert.equal(json.data.slug, '10')
    })
  }

  test('the number of any post in an album returns the album', async () => {
    const { json } = await service.get('/v1/channels/ChessNews/posts/12')
    assert.equal(json.data.slug, '11')
    assert.deepEqual(json.data.album_ids, ['11', '12'])
  })

  for (const slug of ['abc', '0', '-1', '99999999999']) {
    test(`the slug ${slug} is rejected`, async () => {
      const { status, json } = await service.get(`/v1/channels/ChessNews/posts/${slug}`)
      assert.equal(status, 400)
      assert.equal(json.errors[0].parameter, 'slug')
    })
  }

  for (const slug of ['67108869', '9999999999']) {
    test(`the slug ${slug}, higher than any post's, is not found`, async () => {
      const { status, json } = await service.get(`/v1/channels/ChessNews/posts/${slug}`)
      assert.deepEqual([status, json.code], [404, 'post_not_found'])
    })
  }

  test('a misspelt path is answered with the nearest one, its names and numbers filled in', async () => {
    for (const [path, nearest] of [
      ['/v1/serch', '/v1/search'],
      ['/v1/channel/ChessNews', '/v1/channels/ChessNews'],
      ['/v1/channels/ChessNews/post/10', '/v1/channels/ChessNews/posts/10'],
      ['/v1/channels/ChessNews/10', '/v1/channels/ChessNews/posts/10'],
      ['/v1/posts/ChessNews/10/spread', '/v1/channels/ChessNews/posts/10/spread'],
      ['/v1/channels/https://t.me/s/ChessNews', '/v1/channels/ChessNews'],
      ['/v1/channels/t.me/ChessNews/live', '/v1/channels/ChessNews/live'],
      ['/v1/channels/https://t.me/ChessNews/10', '/v1/channels/ChessNews/posts/10'],
      ['/v1/channels/ChessNews/posts/10/spred', '/v1/channels/ChessNews/posts/10/spread'],
    ]) {
      const { status, json } = await service.get(path!)
      assert.deepEqual([status, json.code], [404, 'not_found'])
      assert.equal(json.detail, `there is nothing at this address, did you mean ${nearest}?`)
    }
    for (const path of [
      '/v1/channels//posts',
      '/v1/channels/ChessNews/messages',
      // Links of private channels, which have no name.
      '/v1/channels/https://t.me/+AbCdEf',
      '/v1/channels/https://t.me/c/123/4',
    ]) {
      assert.match((await service.get(path)).json.detail, /, see \/v1\/openapi\.json/, path)
    }
  })

  test('an unknown parameter is rejected, and the nearest name is suggested', async () => {
    const { status, json } = await service.get('/v1/search?q=game&sorts=newest')
    assert.equal(status, 400)
    assert.equal(json.code, 'unknown_parameter')
    assert.equal(json.detail, 'unknown parameter `sorts`; did you mean `sort`?')
    assert.equal(json.errors[0].suggestion, 'sort')
  })

  for (const name of ['formt', 'fromat', 'Format', 'formats']) {
    test(`${name} is taken for format`, async () => {
      const { json } = await service.get(`/v1/search?q=game&${name}=csv`)
      assert.equal(json.code, 'unknown_parameter')
      assert.equal(json.errors[0].suggestion, 'format')
    })
  }

  test('an unknown parameter with no similar name lists the parameters there are, or links to the list', async () => {
    const named = '`username`, `slug`, `limit`, `links`, `format`'
    for (const [path, told] of [
      ['/v1/languages?zebra=1', 'list_languages takes `format`'],
      ['/v1/channels/ChessNews?zebra=1', 'get_channel takes `username`, `format`'],
      ['/v1/channels/ChessNews/posts/10/spread?zebra=1', `get_spread takes ${named}`],
      ['/v1/search?q=game&zebra=1', '/docs#search_posts lists those that search_posts takes'],
      ['/v1/stream?q=game&zebra=1', '/docs#stream_posts lists those that stream_posts takes'],
    ] as const) {
      const { json } = await service.get(path)
      assert.equal(json.code, 'unknown_parameter')
      assert.equal(json.detail, `unknown parameter \`zebra\`; ${told}`)
    }
    const docs = await service.get('/docs')
    for (const name of ['search_posts', 'stream_posts']) {
      assert.ok(docs.text.includes(`id="${name}"`), name)
    }
  })

  test('an invalid value is answered with what is expected, with an example', async () => {
    for (const [query, detail] of [
      ['url=foo', 'expected an address such as https://example.com/news, found "foo"'],
      ['hashtag=!!', 'expected a hashtag such as news, found "!!"'],
      ['domain=foo', 'expected a host name such as example.com, found "foo"'],
      ['min_views=many', 'expected an integer from 0 to 10000000000, found "many"'],
    ]) {
      const { json } = await service.get(`/v1/search?${query}`)
      assert.equal(json.errors[0].detail, detail)
    }
  })

  test('min_views accepts abbreviated counts such as 1k', async () => {
    for (const given of ['1k', '1K', '1.0k', '1000']) {
      const asked = await service.get(`/v1/search?min_views=${given}`)
      assert.deepEqual(
        asked.json.data.map(({ slug }: { slug: string }) => slug),
        ['10'],
        given,
      )
    }
  })

  test('an unknown time zone is answered with the nearest zone', async () => {
    for (const [tz, zone] of [
      ['Kyiv', 'Europe/Kyiv'],
      ['new+york', 'America/New_York'],
      ['Europe/Berln', 'Europe/Berlin'],
    ]) {
      const { json } = await service.get(`/v1/search?q=game&tz=${tz}`)
      assert.equal(json.errors[0].suggestion, zone)
    }
  })

  test('an Accept header that no format fits is repeated in the error', async () => {
    const { status, json } = await service.get('/v1/search?q=game', { accept: 'image/png' })
    assert.equal(status, 406)
    assert.match(json.detail, /^`Accept` fits none of application\/json, .*; found "image\/png"$/)
  })

  test('an Authorization other than Bearer is rejected without repeating its secret', async () => {
    for (const [authorization, what] of [
      ['Basic c2VjcmV0', 'the scheme "Basic"'],
      ['Bearer two words', 'more than one word behind it'],
    ] as const) {
      const { status, json, text } = await service.get('/v1/languages', {
        Authorization: authorization,
      })
      assert.deepEqual([status, json.code], [401, 'invalid_key'])
      assert.equal(json.detail, `expected \`Authorization: Bearer <key>\`, found ${what}`)
      assert.doesNotMatch(text, /c2VjcmV0|two words/)
    }
  })

  test('a single-valued parameter given twice is rejected', async () => {
    const { status, json } = await service.get('/v1/search?q=game&q=draw')
    assert.equal(status, 400)
    assert.equal(json.code, 'invalid_parameter')
    assert.equal(json.errors[0].parameter, 'q')
  })

  test('all invalid parameters of a request are reported at once', async () => {
    const { json } = await service.get(
      '/v1/search?q=game&limit=0&since=yesterdayish&forwards=maybe',
    )
    assert.deepEqual(
      json.errors.map((error: { parameter: string }) => error.parameter).toSorted(),
      ['forwards', 'limit', 'since'],
    )
  })

  test('a list may be comma-separated or repeated, and its values are alternatives', async () => {
    const once = await service.get('/v1/search?channel=chessnews,novosti_shahmat&sort=newest')
    const twice = await service.get(
      '/v1/search?channel=chessnews&channel=novosti_shahmat&sort=newest',
    )
    assert.equal(once.json.data.length, 9)
    assert.deepEqual(once.json.data, twice.json.data)
  })

  test('a list longer than its schema allows is rejected, repeated values included', async () => {
    const repeated = (count: number) => Array<string>(count).fill('chessnews').join(',')
    assert.equal((await service.get(`/v1/search?channel=${repeated(50)}`)).status, 200)
    const { status, json } = await service.get(`/v1/search?channel=${repeated(51)}`)
    assert.deepEqual([status, json.code], [400, 'invalid_parameter'])
    assert.match(json.detail, /at most 50 values/)
  })

  test('a post must have all values of `has`', async () => {
    const both = await service.get('/v1/search?has=photo,video')
    assert.deepEqual(
      both.json.data.map((hit: { slug: string }) => hit.slug),
      ['11'],
    )
    assert.equal((await service.get('/v1/search?has=photo,poll')).json.data.length, 0)
  })

  test('since is inclusive, until exclusive; dates, date-times and ages are accepted', async () => {
    const all = await service.get('/v1/channels/ChessNews/posts?since=6h&order=oldest')
    const [first, second] = all.json.data as { published_at: string; slug: string }[]
    assert.equal(first!.slug, '10')
    const range = `since=${first!.published_at}&until=${second!.published_at}`
    const one = await service.get(`/v1/channels/ChessNews/posts?${range}`)
    assert.deepEqual(
      one.json.data.map((post: { slug: string }) => post.slug),
      ['10'],
    )
    const day = new Date(service.clock.now() - 41 * 86_400_000).toISOString().slice(0, 10)
    const old = await service.get(`/v1/channels/ChessNews/posts?since=${day}&until=30d`)
    assert.deepEqual(
      old.json.data.map((post: { slug: string }) => post.slug),
      ['2'],
    )
  })

  test('a key in the address is rejected, in any parameter', async () => {
    const { key } = await service.keys.create({ tier: 'free', name: null })
    for (const query of [`q=${key}`, `api_key=x`, `token=${key}`, `channel=${key}`]) {
      const { status, json } = await service.get(`/v1/search?${query}`)
      assert.equal(status, 400, query)
      assert.equal(json.code, 'key_in_url')
      assert.ok(!json.detail.includes(key))
    }
  })

  test('a key is accepted in Authorization and in X-API-Key', async () => {
    const { key, prefix } = await service.keys.create({ tier: 'pro', name: 'two doors' })
    const bearer = await service.get('/v1/meta', { Authorization: `Bearer ${key}` })
    const header = await service.get('/v1/meta', { anonymous: 'yes', 'X-API-Key': key })
    for (const { json } of [bearer, header]) {
      assert.equal(json.data.tier, 'pro')
      assert.equal(json.data.key.prefix, prefix)
      assert.equal(json.data.key.name, 'two doors')
    }
  })

  for (const headers of [
    { Authorization: 'Bearer tgr_unknown' },
    { Authorization: 'Basic dXNlcjpwYXNz' },
    { Authorization: 'Bearer' },
    { anonymous: 'yes', 'X-API-Key': 'nonsense' },
  ]) {
    test(`${JSON.stringify(headers)} gets 401 and is never treated as anonymous`, async () => {
      const { status, json, headers: got } = await service.get('/v1/languages', headers as never)
      assert.equal(status, 401)
      assert.equal(json.code, 'invalid_key')
      assert.match(got.get('www-authenticate')!, /Bearer/)
    })
  }
})
