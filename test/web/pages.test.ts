import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDeadlines } from '../../src/operations/deadlines.ts'
import { startService, type Service } from '../start-service.ts'
import { hostilePosts } from './hostile-posts.ts'
import { mountPages } from './mount-pages.ts'
import { STATES } from './page-states.ts'
import { RICH, publish, richPost, startSetting } from './setting.ts'

const MAX_BYTES = 60_000
const CHANNEL = '/channels/harbour_news'
/** By path: what a reader does on a page does not make it another page. */
const STATUS = new Map([
  ...Object.values(STATES).map(({ path, status = 200 }) => [path, status] as const),
  ...hostilePosts(0).map(({ number }) => [`/channels/hostile_words/posts/${number}`, 200] as const),
])

describe('the pages over HTTP', () => {
  let service: Service
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${service.url}${path}`, { headers })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }

  before(async () => {
    service = await startSetting({ TELEGREP_MEDIA: 'show' })
  })
  after(() => service[Symbol.asyncDispose]())

  test('a post that Telegram shows only in its app has a sentence in place of its text', async () => {
    for (const path of ['/channels/quay_notes', '/channels/quay_notes/posts/1']) {
      assert.match((await get(path)).text, /shows this post in its app only: its text could not/)
    }
  })

  test('the page of a channel explains an empty list', async () => {
    const { text } = await get('/channels/harbour_news?since=2100-01-01')
    assert.match(text, /No post matches\.[^]*The window begins in the future/)
  })

  test('removing the last word or filter leads to the home page', async () => {
    const { text } = await get('/?has=video&sort=views&collapse=duplicates')
    const [, chip = ''] = /href="([^"]+)" title="Take this filter away"/.exec(text) ?? []
    for (const path of [chip.replaceAll('&amp;', '&'), '/?q=+&sort=newest', '/?q=%20']) {
      assert.match((await get(path)).text, /<h1>Search public Telegram channels<\/h1>/, path)
    }
    assert.equal((await get(`${CHANNEL}?q=+`)).status, 200)
  })

  test('no page is larger than 60 kB or has inline scripts or styles', async () => {
    for (const [path, expected] of STATUS) {
      const { status, text } = await get(path, { accept: 'text/html' })
      assert.equal(status, expected, path)
      const bytes = Buffer.byteLength(text)
      assert.ok(bytes <= MAX_BYTES, `${path} has ${bytes} bytes`)
      assert.doesNotMatch(
        text,
        /<script(?! src="\/(?:assets|docs)\/| type="application\/ld\+json">)|<style|<[^>]+\sstyle=/,
        path,
      )
    }
  })

  test('a card shows channel, time, media, counters and language', async () => {
    const { text } = await get('/?q=captains+lighthouse&channel=harbour_news')
    const card = /<article class="card post"[^]*?<\/article>/.exec(text)?.[0] ?? ''
    const path = '/channels/harbour_news/posts/200'
    assert.match(card, /<span\s+class="avatar framed c\d"\s+aria-hidden="true"\s*>H/)
    assert.match(card, /<a class="name" href="\/channels\/harbour_news"><bdi>Harbour news<\/bdi>/)
    assert.match(card, /aria-label="verified"/)
    assert.match(card, /<time class="ago" datetime="[^"]+Z" title="[^"]+ UTC"\s*>4 h ago<\/time/)
    assert.match(card, new RegExp(`<h3[^>]*>\\s*<a href="${path}" data-open`))
    const seen = card.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    assert.match(seen, /4\.2K views 17 reactions video 1:02, document, poll, 1\.2K voters English/)
    assert.match(card, /<img alt="" [^>]+src="https:\/\/cdn4\.telesco\.pe\/file\/ship\.jpg"/)
  })

  test('changes can be followed by RSS, and each kind of a change is named once', async () => {
    const { text } = await get('/changes?kind=text,number,name')
    assert.match(
      text,
      /href="\/v1\/changes\?kind=text%2Cnumber%2Cname&amp;format=rss"[^>]*\s*>[^]{0,200}?Follow by RSS/,
    )
    const card = /<article[^]*?Harbour news[^]*?<\/article>/.exec(text)?.[0] ?? ''
    assert.match(card, /<del dir="auto">twelve<\/del>|<del>twelve<\/del>/)
    const kinds = [...card.matchAll(/<span class="tag\s*">(\w+)<\/span>/g)].map(([, kind]) => kind)
    assert.deepEqual(kinds, [...new Set(kinds)])
    const spread = (await get(RICH.path)).text
    assert.match(spread, /<td>copy<\/td>/)
  })

  test('a channel read on two days shows its growth', async () => {
    const { text } = await get('/channels/harbour_news')
    const drawn = /<h2>Growth<\/h2>([^]*?)<\/section>/.exec(text)?.[1] ?? ''
    assert.match(drawn, /<figcaption>Subscribers <span>11,900 → 12,300<\/span>/)
    assert.match(
      drawn,
      /role="img"\s+aria-label="Subscribers from [\d-]+ to [\d-]+: 11,900 → 12,300, lowest 11,900, highest 12,300"/,
    )
    assert.match(drawn, /<path class="line" d="M0 57\.0L300 3\.0" \/>/)
    assert.doesNotMatch((await get('/channels/harbour_echo')).text, /<h2>Growth/)
  })

  test('the home page shows the most copied and most viewed posts of the day, and new channels', async () => {
    const { text } = await get('/')
    const column = (title: string) =>
      new RegExp(`<h2>${title}</h2>([^]*?)</section>`).exec(text)?.[1] ?? ''
    const copied = column('Most copied today')
    assert.match(copied, /^[^]*?<a href="\/channels\/harbour_news\/posts\/200" data-open/)
    assert.match(copied, /2 posts in\s+2 channels/)
    const viewed = column('Most viewed today')
    assert.match(viewed, /4\.2K views/)
    assert.equal(viewed.match(/<li/g)?.length, viewed.match(/<strong>/g)?.length, 'with views only')
    assert.match(column('New channels'), /@hostile_words/)
    assert.equal(column('New channels').match(/<li/g)?.length, 6)
  })

  test('the home page makes two searches for all its visitors, and works when they fail', async () => {
    const { context } = service.app
    let searches = 0
    const searched = (search: typeof context.index.search) =>
      mountPages(new AbortController(), {
        ctx: { ...context, index: Object.assign(Object.create(context.index), { search }) },
        onFailure: assert.fail,
      })
    const counted = searched((...asked) => {
      searches++
      return context.index.search(...asked)
    })
    const replies = await Promise.all(Array.from({ length: 5 }, async () => counted.request('/')))
    for (const reply of replies) assert.match(await reply.text(), /Most viewed today/)
    assert.equal(searches, 2)
    const echo = (await service.app.store.archive.channel('harbour_echo'))!.id
    const carried = searched(async (...asked) => {
      const found = await context.index.search(...asked)
      const hits = found.hits.map((hit) =>
        hit.cluster ? { ...hit, channelId: echo, number: 7 } : hit,
      )
      return { ...found, hits }
    })
    const front = await (await carried.request('/')).text()
    assert.match(front, /Most copied today<[^]{1,99}"\/channels\/harbour_news\/posts\/200"/, front)
    const broken = searched(() => Promise.reject(new Error('no answer')))
    const alone = await broken.request('/')
    assert.equal(alone.status, 200)
    assert.doesNotMatch(await alone.text(), /Most viewed today/)
  })

  test('the order of channels is by match only where there are words', async () => {
    const orderOf = async (path: string) =>
      /<select name="sort">\s*<option value="" selected>([^<]+)/.exec((await get(path)).text)?.[1]
    assert.equal(await orderOf('/channels'), 'most subscribers')
    assert.equal(await orderOf('/channels?q=harbour'), 'best match')
  })

  test('a search without results offers to drop each filter, and to look into the channel', async () => {
    const { text } = await get('/?q=zebra&channel=harbour_news&lang=en&since=7d')
    const card = /<div class="card nothing">[^]*?<\/div>/.exec(text)?.[0] ?? ''
    const offers = [...card.matchAll(/<a href="([^"]+)"[^>]*>([^]*?)<\/a/g)].map(
      ([, href = '', words = '']) =>
        `${words.replaceAll(/<[^>]+>/g, '')} ${href.replaceAll('&amp;', '&')}`,
    )
    assert.deepEqual(offers.slice(0, 6), [
      'Search without “channel: harbour_news” /?q=zebra&lang=en&since=7d',
      'Search without “language: English” /?q=zebra&channel=harbour_news&since=7d',
      'Search without “since: 7d” /?q=zebra&channel=harbour_news&lang=en',
      'Search without any filter /?q=zebra',
      'Look through all of @harbour_news’s archive /channels/harbour_news?q=zebra',
      'read @harbour_news live /channels/harbour_news/live',
    ])
    assert.match(card, /<h3>No post matches</)
    for (const path of ['/?q=zebra', '/?q=zebra&since=90d'])
      assert.match((await get(path)).text, /No post of the last 30 days matches/, path)
    assert.match((await get('/?q=zebra+after:1d')).text, /<h3>No post matches</)
    const unknown = await get('/?q=zebra&channel=nobody_knows_me')
    assert.match(unknown.text, /@nobody_knows_me is not indexed here; <a[^>]+live"/)
  })

  test('pages and assets are compressed if the client accepts it', async () => {
    const home = await get('/', { 'accept-encoding': 'identity' })
    assert.equal(home.headers.get('content-encoding'), null)
    const style = /href="(\/assets\/[^"]+\.css)"/.exec(home.text)?.[1] ?? ''
    for (const path of ['/', '/?q=harbour', style]) {
      const { headers } = await get(path, { 'accept-encoding': 'gzip' })
      assert.equal(headers.get('content-encoding'), 'gzip', path)
      assert.equal(headers.get('vary'), 'Accept-Encoding', path)
    }
  })

  test('with TELEGREP_MEDIA=show, media and the content policy allow the platform’s own hosts only', async () => {
    const { text, headers } = await get(RICH.path)
    assert.match(text, /<video[^>]+src="https:\/\/cdn4\.telesco\.pe\/file\/ship\.mp4"/)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/)
    assert.match(policy, /img-src 'self' https:\/\/\*\.telesco\.pe /)
    assert.doesNotMatch(policy, /unsafe|data:|https:(?!\/\/\*)/)
  })

  for (const mode of ['link', 'keep']) {
    test(`with TELEGREP_MEDIA=${mode}, a page loads nothing from the platform, and media link to the post`, async () => {
      await using other = await startService({ crawl: false, env: { TELEGREP_MEDIA: mode } })
      const profile = { username: 'harbour_news', title: 'Harbour news' }
      await publish(other, profile, [richPost(Date.now())])
      const reply = await fetch(`${other.url}${RICH.path}`)
      const text = await reply.text()
      assert.doesNotMatch(text, /<(?:img|video|audio|source)\b|="[^"]*telesco\.pe/)
      assert.match(
        text,
        /<a href="https:\/\/t\.me\/harbour_news\/200"[^>]*>\s*<svg[^]{1,200}>video, 1:02/,
      )
      const policy = reply.headers.get('content-security-policy') ?? ''
      assert.match(policy, /; img-src 'self'; form-action /)
      assert.doesNotMatch(policy, /https:|media-src/)
    })
  }

  test('the spreadsheet link exports full texts and more posts than a page shows', async () => {
    const { text } = await get('/?q=harbour&lang=en&limit=5')
    const total = Number(/<h1>(\d+) posts/.exec(text)?.[1])
    assert.ok(total > 5, text)
    for (const format of ['csv', 'excel']) {
      const [, address = ''] = new RegExp(`href="([^"]*format=${format}[^"]*)"`).exec(text) ?? []
      const { status, text: csv } = await get(address.replaceAll('&amp;', '&'))
      assert.equal(status, 200)
      assert.equal(csv.match(/^\w+\/\d+,https:/gm)?.length, Math.min(total, 100))
      assert.doesNotMatch(csv, /…"?,\d/)
    }
  })

  test('a card links to the same search without its channel, and this can be repeated', async () => {
    const less = (text: string, name: string) =>
      new RegExp(`href="([^"]*)"\\s+aria-label="Exclude ${name}"`).exec(text)?.[1] ?? ''
    const follow = async (address: string) => (await get(address.replaceAll('&amp;', '&'))).text
    const all = (await get('/?q=harbour')).text
    const first = less(all, 'Harbour news')
    assert.match(first, /exclude_channel=harbour_news$/)
    const others = await follow(first)
    assert.match(others, /<article/)
    assert.doesNotMatch(others, /href="\/channels\/harbour_news\/posts/)
    assert.match(others, /not channel: .*harbour_news/)
    const second = less(others, 'Echo of the harbour')
    assert.match(second, /exclude_channel=harbour_news%2Charbour_echo$/)
    assert.doesNotMatch(await follow(second), /href="\/channels\/harbour_echo\/posts/)
  })

  test('values outside the choices of the filter form are kept in it', async () => {
    const { text } = await get('/?q=harbour&since=7d&until=&has=photo,link&sort=views')
    assert.match(text, /<input\s+type="text"\s+name="since"\s+value="7d"/)
    assert.match(text, /<option value="photo,link" selected/)
    assert.match(text, /<input type="hidden" name="sort" value="views"/)
    assert.doesNotMatch(text, /until: /)
  })

  test('a page that takes too long gets 503, and its work is aborted', async () => {
    const { context } = service.app
    let slept = 0
    const hasty = {
      now: () => context.clock.now() + slept,
      elapsed: () => context.clock.elapsed() + slept,
      sleep: async () => void (slept += 10_000),
    }
    const abort = new AbortController()
    const failures: unknown[] = []
    const web = mountPages(abort, {
      ctx: { ...context, clock: hasty, deadlines: createDeadlines(hasty) },
      onFailure: (error) => failures.push(error),
    })
    const reply = await web.request('/?q=harbour')
    assert.equal(reply.status, 503)
    assert.match(await reply.text(), /took longer than the service allows/)
    assert.equal(reply.headers.get('retry-after'), '1')
    assert.ok(abort.signal.aborted, 'the work is told to stop')
    assert.deepEqual(failures, [])
  })

  test('the feeds of a search have the newest posts first and link back to the page', async () => {
    const { text } = await get('/?q=harbour&sort=views&lang=en')
    const links = [...text.matchAll(/href="(\/v1\/search[^"]*format=(?:rss|jsonfeed)[^"]*)"/g)]
    assert.equal(links.length, 4)
    for (const [, link = ''] of links) {
      const feed = await get(link.replaceAll('&amp;', '&'))
      const dates = [...feed.text.matchAll(/(?:<pubDate>|"date_published":")([^<"]+)/g)].map(
        ([, at = '']) => Date.parse(at),
      )
      assert.equal(dates.length, 20, link)
      assert.deepEqual(
        dates,
        dates.toSorted((a, b) => b - a),
        link,
      )
      const home = /(?:<link>|"home_page_url":")([^<"]+)/.exec(feed.text)?.[1]
      assert.equal(
        home?.replaceAll('&amp;', '&'),
        `${service.url}/?q=harbour&sort=newest&lang=en`,
        link,
      )
    }
    for (const path of ['/channels/showcase', '/channels/showcase/live']) {
      const api = path.endsWith('live') ? path : `${path}/posts`
      const feed = await get(`/v1${api}?format=rss`)
      assert.equal(/<link>([^<]+)/.exec(feed.text)?.[1], `${service.url}${path}`)
    }
  })

  test('the live page of words goes on with them, and does not say that the channel is empty', async () => {
    const none = (await get('/channels/showcase/live?q=zebra')).text
    assert.match(none, /\d+ posts were looked through for the words/)
    assert.match(none, /<p class="notice">No post matches\.<\/p>/)
    assert.doesNotMatch(none, /shows no posts/)
    const { text } = await get('/channels/showcase/live?q=the&limit=40&max_age=0')
    assert.match(text, /href="\/channels\/showcase\/live\?q=the&amp;limit=40&amp;before=\d+"/)
    assert.match(text, /href="\/v1\/channels\/showcase\/live\?q=the&amp;limit=40&amp;max_age=0"/)
  })

  test('the count of a search agrees with the posts below it', async () => {
    const some = await get('/?q=harbour+zebra')
    assert.match(some.text, /<h1>No post contains every word<\/h1>/)
    assert.match(some.text, /These posts contain some of the words/)
    assert.match(some.text, /<article/)
    const slip = await get('/?q=harbouur')
    assert.match(slip.text, /<h1>No post contains the word<\/h1>/)
    assert.doesNotMatch(slip.text, /some of the words/)
    assert.match(slip.text, /<article/)
    const grouped = await get('/?q=captains+pilots+lighthouse&strict=true&collapse=duplicates')
    assert.match(grouped.text, /<h1>2 posts, copies included<\/h1>/)
    assert.equal(grouped.text.match(/<article/g)?.length, 1)
    const none = await get('/?q=zebra+okapi')
    assert.match(none.text, /<h1>0 posts<\/h1>/)
    assert.doesNotMatch(none.text, /<article|contain some/)
  })

  test('every page of a demo says that it is one', async () => {
    const { context: ctx } = service.app
    const web = mountPages(new AbortController(), { ctx, isDemo: true, onFailure: assert.fail })
    for (const path of [...STATUS.keys()].filter(
      (each) => !/^\/(?:docs|errors|nowhere)/.test(each),
    )) {
      const text = await (await web.request(path)).text()
      assert.match(text, /<p class="notice demo">This is the demo: .+ simulated/, path)
    }
    assert.doesNotMatch((await get('/?q=harbour')).text, /the demo/)
  })

  test('warnings link to what they suggest, and their text shows no API path', async () => {
    for (const [path, words] of [
      [
        '/?channel=unknown_one',
        /<a href="\/channels\/unknown_one\/live"[^>]*>its live view<\/a> reads/,
      ],
      [
        '/?q=harbour&since=90d',
        /<a href="\/channels">each channel’s own page<\/a> has older posts/,
      ],
      ['/?lang=mi', /<code>mi<\/code>; <a href="\/v1\/languages">the API<\/a> lists/],
      ['/?q=harbuor&lang=en', /<a href="\/\?q=harbour&amp;lang=en">Search for harbour<\/a>/],
    ] as const) {
      const { text } = await get(path)
      const shown = /<p class="notice">([^]*?)<\/p>/.exec(text)?.[1] ?? ''
      assert.match(shown, words, path)
      assert.doesNotMatch(shown.replaceAll(/<[^>]+>/g, ''), /\/v1|`/, path)
    }
    assert.match((await get('/limits')).text, /requests a minute/)
    assert.doesNotMatch((await get('/limits')).text, / a hour/)
  })
})
