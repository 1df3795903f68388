import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import RssParser from 'rss-parser'
import type { Service } from '../start-service.ts'
import { HOSTILE_WORD } from './hostile-posts.ts'
import { RICH, SPOILED, startSetting } from './setting.ts'

const MEDIA = {
  customFields: { item: [['media:content', 'picture'] as ['media:content', 'picture']] },
}

interface Element {
  readonly tagName: string
  readonly attribs: Readonly<Record<string, string>>
}

describe('feeds and metadata of the pages', () => {
  let service: Service
  const get = async (path: string) => {
    const reply = await fetch(`${service.url}${path}`)
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }

  before(async () => {
    service = await startSetting({ TELEGREP_MEDIA: 'show' })
  })
  after(() => service[Symbol.asyncDispose]())

  test('feeds contain full posts with pictures, polls and links', async () => {
    const feed = await new RssParser(MEDIA).parseURL(
      `${service.url}/v1/search?q=captains+lighthouse&channel=harbour_news&format=rss`,
    )
    const [item] = feed.items
    assert.match(item?.title ?? '', /^Captains of fourteen ships/)
    assert.match(item?.content ?? '', /^<p dir="auto"><b>Captains<\/b> of fourteen/)
    assert.match(
      item?.content ?? '',
      /<img src="https:\/\/cdn4\.telesco\.pe\/file\/ship\.jpg" alt="video, 1:02">/,
    )
    assert.match(item?.content ?? '', /\[document, rules\.pdf\]/)
    assert.match(
      item?.content ?? '',
      /<b>Are the fees fair\?<\/b><\/p><ul dir="auto"><li>Yes: 71 %<\/li>/,
    )
    assert.match(
      item?.content ?? '',
      /<a href="https:\/\/example\.com\/rules" rel="nofollow">The rules in full/,
    )
    const picture = item?.picture as unknown as { readonly $: { readonly url: string } }
    assert.equal(picture.$.url, 'https://cdn4.telesco.pe/file/ship.jpg')
    const json = JSON.parse(
      (await get('/v1/channels/harbour_news/posts?format=jsonfeed&limit=1')).text,
    ) as { items: { image?: string; content_html: string }[] }
    assert.equal(json.items[0]?.image, 'https://cdn4.telesco.pe/file/ship.jpg')
    assert.equal(json.items[0]?.content_html, item?.content)
    const brief = await get('/v1/channels/harbour_news/posts?format=rss&limit=1&detail=brief')
    assert.doesNotMatch(brief.text, /Are the fees fair/)
  })

  test('the title of a feed says what it contains', async () => {
    for (const [path, title] of [
      ['/v1/search?q=harbour', 'Telegrep: harbour'],
      ['/v1/search?q=harbour&lang=en&sort=newest', 'Telegrep: harbour lang:en'],
      ['/v1/search?channel=harbour_news&limit=2', 'Telegrep: channel:harbour_news'],
      ['/v1/channels/harbour_news/posts?limit=2', 'Harbour news'],
      ['/v1/channels/harbour_news/posts?q=zebra', '@harbour_news: zebra'],
      ['/v1/channels/harbour_news/posts?order=oldest', 'Harbour news'],
      ['/v1/changes?kind=link', 'Telegrep: changes: kind:link'],
    ] as const) {
      const { text } = await get(`${path}&format=jsonfeed`)
      assert.equal((JSON.parse(text) as { title: string }).title, title)
    }
  })

  test('the page of a filtered channel offers a feed with its filters, but without its dates and order', async () => {
    const offered = async (query: string) => {
      const $ = load((await get(`/channels/harbour_news${query}`)).text)
      const { href } = $('.follow a[type="application/rss+xml"]').get(0)!.attribs
      assert.equal($('head link[type="application/rss+xml"]').attr('href'), href)
      return { href: href!, label: $('.follow a').first().text() }
    }
    const posts = '/v1/channels/harbour_news/posts'
    assert.deepEqual(await offered('?order=oldest&until=2020-01-01'), {
      href: `${posts}?format=rss`,
      label: 'Follow by RSS',
    })
    const narrowed = await offered('?q=captains&has=video&order=oldest&since=2020-01-01')
    assert.deepEqual(narrowed, {
      href: `${posts}?q=captains&has=video&format=rss`,
      label: 'Follow these posts by RSS',
    })
    const feed = await new RssParser().parseURL(`${service.url}${narrowed.href}`)
    assert.equal(feed.items.length, 1)
  })

  test('markup in posts never becomes markup in a feed', async () => {
    const allowed = new Set(
      'p a b i u s br img ul li blockquote span pre code html head body'.split(' '),
    )
    const feed = await new RssParser().parseURL(
      `${service.url}/v1/search?q=${HOSTILE_WORD}&format=rss`,
    )
    assert.equal(feed.items.length, 12)
    for (const { content } of feed.items) {
      const $ = load(content ?? '')
      for (const element of $('*').toArray() as unknown as Element[]) {
        assert.ok(allowed.has(element.tagName), element.tagName)
        for (const [name, value] of Object.entries(element.attribs)) {
          assert.ok(['href', 'src', 'alt', 'class', 'rel', 'dir'].includes(name), name)
          if (name === 'href' || name === 'src') assert.match(value, /^(?:https?:\/\/|tg:|mailto:)/)
        }
      }
    }
  })

  test('an OPML file of channels and searches has working feeds, and mistakes in the list are reported', async () => {
    const query = new URLSearchParams([
      ['channel', 'harbour_news, @harbour_echo'],
      ['channel', 'https://t.me/s/akhbar_bandar'],
      ['search', 'ships & "old <lighthouse>"\n/?q=captains&lang=en&sort=views&cursor=x'],
    ])
    const { text, headers } = await get(`/feeds.opml?${query}`)
    assert.match(headers.get('cache-control')!, /private/)
    assert.match(headers.get('content-type') ?? '', /^text\/x-opml/)
    const $ = load(text, { xml: true })
    const feeds = $('outline[type=rss]').toArray()
    assert.deepEqual(
      feeds.map((feed) => feed.attribs['text']),
      [
        '@harbour_news',
        '@harbour_echo',
        '@akhbar_bandar',
        'ships & "old <lighthouse>"',
        'captains lang:en',
      ],
    )
    for (const { attribs } of feeds) {
      const feed = await new RssParser().parseURL(attribs['xmlUrl']!)
      assert.ok(feed.title, attribs['xmlUrl'])
      assert.equal((await fetch(attribs['htmlUrl']!)).status, 200)
    }
    const directory = await get('/channels?q=harbour')
    assert.match(directory.text, /href="\/feeds\.opml\?channel=harbour_\w+%2Charbour_\w+"/)
    for (const [wrong, words] of [
      ['channel=a!', /name of a channel/],
      ['search=%3Flang%3Dklingon', /lang/],
      [`search=${Array.from({ length: 51 }, (_, i) => `w${i}`).join('%0A')}`, /at most 50/],
      // They are counted before they are parsed: the invalid one among them is not found.
      [
        `search=%3Flang%3Dklingon${'%0Aw%0A'.repeat(2)}${Array.from({ length: 50 }, (_, i) => `w${i}`).join('%0A')}`,
        /at most 50; found 52/,
      ],
    ] as const) {
      const reply = await get(`/feeds.opml?${wrong}`)
      assert.equal(reply.status, 400, wrong)
      assert.match(reply.text, words)
      assert.match(reply.text, /href="\/follow\?(?:channel|search)=[^"]+">Correct the list</)
    }
    const left: number[] = []
    for (let i = 0; i < 3; i++) {
      const reply = await get('/feeds.opml?search=storm')
      left.push(Number(/"burst";r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1]))
    }
    // A new minute may begin once meanwhile.
    assert.ok(
      left[1]! < left[0]! || left[2]! < left[1]!,
      `each costs 1 of the burst: ${left.join()}`,
    )
  })

  test('tracking parameters in a shared address are ignored, other unknown parameters are rejected', async () => {
    const hung = 'fbclid=a&ysclid=b&utm_source=c&utm_medium=d&igsh=e&mc_cid=f'
    for (const path of [
      '/?',
      '/?q=harbour&',
      '/channels?',
      '/changes?',
      '/channels/harbour_news?q=berth&',
    ]) {
      const { status, text } = await get(`${path}${hung}`)
      assert.equal(status, 200, path)
      assert.doesNotMatch(text, /clid|utm_|igsh|mc_cid/, path)
    }
    assert.match((await get(`/?${hung}`)).text, /<h1>Search public Telegram channels<\/h1>/)
    assert.equal((await get('/?q=harbour&lnag=en')).status, 400, 'a slip is told')
  })

  test('the page title names the search, and the current order is marked for screen readers', async () => {
    const titled = async (path: string) => /<title>(.*)<\/title>/.exec((await get(path)).text)?.[1]
    assert.equal(await titled('/?q=harbour'), 'harbour – Telegrep')
    assert.equal(
      await titled('/?q=harbour&lang=en&has=video'),
      'harbour, language: English, with: video – Telegrep',
    )
    assert.equal(await titled('/?channel=harbour_news'), 'channel: harbour_news – Telegrep')
    const { text } = await get('/?q=harbour&sort=oldest')
    assert.match(text, /<strong aria-current="true">Oldest</)
  })

  test('posts and channels have a title, text and site for messengers in which they are shared', async () => {
    const shared = async (path: string) => {
      const $ = load((await get(path)).text)
      const field = (name: string) => $(`head > meta[property="og:${name}"]`).attr('content')
      return { title: field('title'), text: field('description'), site: field('site_name') }
    }
    const post = await shared(RICH.path)
    assert.equal(post.title, 'Harbour news (@harbour_news)')
    assert.match(post.text ?? '', /^Captains of fourteen ships signed .* pier\.$/)
    assert.equal(post.site, 'Telegrep')
    const channel = { title: post.title, text: undefined, site: post.site }
    assert.deepEqual(await shared('/channels/harbour_news'), channel)
  })

  test('a spoiler stays hidden in whatever shows a post to others, and a feed marks it', async () => {
    const { text } = await get(SPOILED.path)
    const $ = load(text)
    const masked = /Captains of ████████ █████ signed/
    assert.match($('title').text(), masked)
    assert.match($('meta[property="og:description"]').attr('content') ?? '', masked)
    assert.match($('meta[name=citation_title]').attr('content') ?? '', masked)
    assert.match($('script[type="application/ld+json"]').text(), masked)
    const feed = await new RssParser(MEDIA).parseURL(
      `${service.url}/v1/search?q=captains&channel=harbour_echo&format=rss`,
    )
    assert.match(feed.items[0]?.title ?? '', masked)
    assert.match(feed.items[0]?.content ?? '', /of <span class="spoiler">fourteen ships</)
    const params = { name: 'fetch', arguments: { id: 'harbour_echo/7' } }
    const fetched = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const told = await fetched.text()
    assert.match(told, /"title":"Echo of the harbour: Captains of ████████ █████ signed/)
    assert.match(told, /"text":"Captains of fourteen ships signed/)
  })

  test('a post has citation metadata with author, title, date and address', async () => {
    const $ = load((await get(RICH.path)).text)
    const meta = (name: string) => $(`head > meta[name="${name}"]`).attr('content')
    assert.equal(meta('DC.type'), 'forumPost')
    assert.match(meta('citation_title') ?? '', /^Captains of fourteen ships/)
    assert.equal(meta('citation_author'), 'Harbour news')
    assert.match(meta('citation_publication_date') ?? '', /^\d{4}\/\d\d\/\d\d$/)
    assert.equal(meta('citation_public_url'), 'https://t.me/harbour_news/200')
    assert.equal($('link[rel=canonical]').length, 0, 'what a phone shares is this page')
    const data = JSON.parse($('script[type="application/ld+json"]').text()) as Record<
      string,
      unknown
    >
    assert.equal(data['@type'], 'SocialMediaPosting')
    assert.equal(data['datePublished'], meta('DC.date'))
    assert.match(String(data['articleBody']), /^Captains of .* lighthouse at the northern pier\.$/)
    assert.deepEqual(data['interactionStatistic'], {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/ViewAction',
      userInteractionCount: 4200,
    })
  })
})
