/** Parses channel pages: our parser compared with cheerio and its default parser, for the same fields of the same pages. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, type CheerioAPI } from 'cheerio'
import { renderPage } from '../src/simulator/render-page.ts'
import { createWorld } from '../src/simulator/world.ts'
import { parsePage, type ParsedPage } from '../src/telegram/parse-page.ts'

/** Fewer fields than our parser reads (no entities, polls, buttons…), so that the comparison favours cheerio. */
interface Fields {
  readonly title: string
  readonly username: string
  readonly subscribers: string
  readonly before: number | null
  readonly posts: readonly PostFields[]
}

interface PostFields {
  readonly number: number
  readonly publishedAt: number
  readonly text: string
  readonly links: readonly string[]
  readonly views: string | null
  readonly edited: boolean
  readonly author: string | null
  readonly forwardedFrom: string | null
  readonly replyTo: string | null
  readonly photos: readonly string[]
  readonly videos: readonly string[]
  readonly reactions: readonly string[]
  readonly preview: string | null
}

interface ParseResult {
  readonly pages: number
  readonly meanPageBytes: number
  readonly oursMs: number
  readonly cheerioMs: number
  readonly ratio: number
  readonly oursMegabytesPerSecond: number
  readonly oursPostsPerSecond: number
}

const PAGES = 24
const TURNS = 5
const TURN_MS = 700

export function run(): ParseResult {
  const pages = makePages()
  for (const page of pages) {
    const ours = fieldsOf(parsePage(page.html, { at: page.at }))
    const theirs = withCheerio(page.html)
    assert.deepEqual(ours, theirs)
  }
  const bytes = pages.reduce((sum, page) => sum + Buffer.byteLength(page.html), 0)
  const posts = pages.reduce((sum, { html, at }) => sum + parsePage(html, { at }).posts.length, 0)
  const readers = [
    (html: string) => withCheerio(html),
    (html: string, at: number) => parsePage(html, { at }),
  ]
  // In turns, so that other load on the machine affects both; the best turn of each counts.
  const best = [Infinity, Infinity]
  for (let turn = 0; turn < TURNS * 2; turn++) {
    const ms = measure(pages, readers[turn % 2]!)
    best[turn % 2] = Math.min(best[turn % 2]!, ms)
  }
  const [cheerioMs, oursMs] = best as [number, number]
  return {
    pages: pages.length,
    meanPageBytes: Math.round(bytes / pages.length),
    oursMs,
    cheerioMs,
    ratio: cheerioMs / oursMs,
    oursMegabytesPerSecond: bytes / pages.length / 1000 / oursMs,
    oursPostsPerSecond: posts / pages.length / (oursMs / 1000),
  }
}

function measure(pages: readonly Page[], read: (html: string, at: number) => unknown): number {
  const start = performance.now()
  let rounds = 0
  do {
    for (const page of pages) read(page.html, page.at)
    rounds++
  } while (performance.now() - start < TURN_MS)
  return (performance.now() - start) / rounds / pages.length
}

interface Page {
  readonly html: string
  readonly at: number
}

function makePages(): Page[] {
  const world = createWorld({ seed: 'bench', channels: 60, days: 30 })
  const at = world.startAt
  const pages: Page[] = []
  for (const channel of world.channels) {
    const requestedName = world.usernameAt(channel, at)
    if (world.truth.postsAt(requestedName, at).length < 20) continue
    const request = { before: null, after: null, around: null, q: null }
    pages.push({ html: renderPage({ world, channel, requestedName, at, request }), at })
    if (pages.length === PAGES) break
  }
  return pages
}

function fieldsOf(page: ParsedPage): Fields {
  return {
    title: page.profile?.title ?? '',
    username: page.profile?.username ?? '',
    subscribers: page.profile?.subscribers?.raw ?? '',
    before: page.before,
    posts: page.posts.map((post) => ({
      number: post.number,
      publishedAt: post.publishedAt,
      text: bare(post.text),
      links: post.entities
        .filter((e) => e.type === 'link' || e.type === 'text_link')
        .map((e) => e.url!),
      views: post.views?.raw ?? null,
      edited: post.edited,
      author: post.author,
      forwardedFrom: post.forwardedFrom?.name ?? null,
      replyTo: post.replyTo?.url ?? null,
      photos: post.kind === 'service' ? [] : urlsOf(post.media, 'photo'),
      videos: [...urlsOf(post.media, 'video', 'gif')],
      reactions: post.reactions.map((reaction) => reaction.count.raw),
      preview: post.linkPreview?.url ?? null,
    })),
  }
}

function urlsOf(media: ParsedPage['posts'][number]['media'], ...kinds: string[]): string[] {
  return media.flatMap(({ kind, url, round }) =>
    kinds.includes(kind) && !round && url ? [url] : [],
  )
}

/** Cheerio's `text()` drops line breaks, and does not know where emoji lost their joiners, so neither is compared. */
function bare(text: string): string {
  return text.replace(/\n|\u200d/g, '')
}

function withCheerio(html: string): Fields {
  const $ = load(html)
  const before = $('.tme_messages_more[data-before]').attr('data-before')
  const username = $('.tgme_widget_message[data-post]').last().attr('data-post')?.split('/')[0]
  return {
    title: $('.tgme_channel_info_header_title').text().trim(),
    username: username ?? $('.tgme_channel_info_header_username a').text().slice(1),
    subscribers: $('.tgme_channel_info_counter .counter_value').first().text(),
    before: before === undefined ? null : Number(before),
    posts: $('.tgme_widget_message_wrap > .tgme_widget_message[data-post]')
      .map((_, element) => postWithCheerio($, $(element)))
      .get(),
  }
}

type Selection = ReturnType<CheerioAPI>

function postWithCheerio($: CheerioAPI, post: Selection): PostFields {
  // An album's caption is in two nested elements; the files of an album have one each.
  const text = post
    .find('.js-message_text')
    .filter((_, el) => $(el).has('.js-message_text').length === 0)
  const meta = post.find('.tgme_widget_message_meta')
  const date = meta.find('.tgme_widget_message_date time')
  return {
    number: Number(post.attr('data-post')?.split('/')[1]),
    publishedAt: Date.parse(date.attr('datetime') ?? ''),
    text: bare(text.text()).trim(),
    links: text
      .find('a[target="_blank"][rel]')
      .map((_, a) => ($(a).attr('href') ?? '').replace(/&amp;/g, '&'))
      .get(),
    views: post.find('.tgme_widget_message_views').text() || null,
    edited: /edited/.test(
      meta
        .contents()
        .filter((_, node) => node.type === 'text')
        .text(),
    ),
    author: meta.find('.tgme_widget_message_from_author').text() || null,
    forwardedFrom: post.find('.tgme_widget_message_forwarded_from_name').text() || null,
    replyTo: post.find('.tgme_widget_message_reply').attr('href') ?? null,
    photos: post
      .find('.tgme_widget_message_photo_wrap')
      .map((_, wrap) => /url\('([^']*)'\)/.exec($(wrap).attr('style') ?? '')?.[1])
      .get(),
    videos: post
      .find('video.js-message_video')
      .map((_, video) => $(video).attr('src'))
      .get(),
    reactions: post
      .find('.tgme_reaction')
      .map((_, reaction) =>
        $(reaction)
          .contents()
          .filter((__, node) => node.type === 'text')
          .text(),
      )
      .get(),
    preview: post.find('.tgme_widget_message_link_preview').attr('href') ?? null,
  }
}

if (import.meta.main) {
  const result = run()
  console.log(`${result.pages} pages of ${(result.meanPageBytes / 1000).toFixed(0)} KB`)
  console.log(`cheerio  ${result.cheerioMs.toFixed(2)} ms a page`)
  console.log(
    `ours     ${result.oursMs.toFixed(2)} ms a page, ${result.oursMegabytesPerSecond.toFixed(0)} MB/s, ${result.oursPostsPerSecond.toFixed(0)} posts/s`,
  )
  console.log(`ratio    ${result.ratio.toFixed(1)}x (target 5x)`)
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'parse.json'), `${JSON.stringify(result, null, 2)}\n`)
}
