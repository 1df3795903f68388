import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PageRequest, pageWindow } from './page-window.ts'
import { randomOf } from './random.ts'
import { renderPage } from './render-page.ts'
import { createWorld, type World } from './world.ts'

const DAY_MS = 86_400_000
const NEWEST: PageRequest = { before: null, after: null, around: null, q: null }

function pageOf(
  world: World,
  name: string,
  at: number,
  request: Partial<PageRequest> = {},
): string {
  const channel = world.resolve(name, at)
  assert.equal(channel?.kind, 'channel')
  return renderPage({ world, channel, requestedName: name, at, request: { ...NEWEST, ...request } })
}

/** Every number a page accounts for, read from its markup alone. */
function numbersOn(page: string): number[] {
  const numbers = new Set<number>()
  for (const [, number] of page.matchAll(/data-post="\w+\/(\d+)"/g)) numbers.add(Number(number))
  for (const [, number] of page.matchAll(/\/(\d+)\?single"/g)) numbers.add(Number(number))
  return [...numbers].sort((a, b) => a - b)
}

test('the same seed gives the same bytes, another seed gives others', () => {
  const at = Date.UTC(2026, 8, 3)
  const pages = (seed: number) => {
    const world = createWorld({ seed, channels: 12 })
    return world.truth
      .readableNames(at)
      .map((name) => pageOf(world, name, at))
      .join('')
  }
  const once = pages(5)
  assert.equal(pages(5), once)
  assert.notEqual(pages(6), once)
})

/** Markup that the parser once did not know, which lost words of posts. */
const MARKUP: Readonly<Record<string, RegExp>> = {
  'a file with its own caption':
    /one_media js-message_media"><a class="tgme_widget_message_document_wrap"[^]{0,800}?<\/a><div class="tgme_widget_message_text/,
  'an album whose caption has custom emoji':
    /one_media js-message_media"><div class="media_supported_cont"><div class="tgme_widget_message_grouped_wrap/,
  'a label beside a caption':
    /Please open Telegram to view this post<\/div>\s*<a[^>]*>VIEW IN TELEGRAM<\/a>\s*<\/div>\s*<\/div><div class="tgme_widget_message_text/,
  'reactions behind the footer': /<\/div>\s*<\/div>\s*<div class="tgme_widget_message_reactions/,
  'a post without a bubble': /class="tgme_widget_message text_not_supported_wrap no_bubble/,
  'a film in a link preview': /link_preview_video_thumb/,
  'a game’s text': /tgme_widget_message_game_text/,
  'an invoice’s total': /tgme_widget_message_invoice_total">US\$\d/,
}

test('the showcase contains the markup that the parser once misread', () => {
  const world = createWorld({ seed: 1, channels: 2, days: 60, activity: 10 })
  const at = world.startAt
  let html = ''
  // Walks by numbers, because the link to the older page is sometimes missing.
  for (let before: number | null = null, pages = 0; before !== 1 && pages < 60; pages++) {
    const page = pageOf(world, 'showcase', at, { before })
    html += page
    before = numbersOn(page)[0] ?? 1
  }
  for (const [what, pattern] of Object.entries(MARKUP)) assert.match(html, pattern, what)
})

test('paging back with before= meets every number of the truth once, at any time', () => {
  const world = createWorld({ seed: 21, channels: 30, activity: 0.5 })
  const random = randomOf(77)
  let walked = 0
  for (const channel of world.channels) {
    const at = world.startAt + Math.floor((random.next() * 20 - 10) * DAY_MS)
    const name = world.usernameAt(channel, at)
    if (world.resolve(name, at) !== channel) continue
    const expected = world.truth.numbersAt(name, at)
    const seen: number[] = []
    let before: number | null = null
    for (let i = 0; i < 400; i++) {
      const numbers = numbersOn(pageOf(world, name, at, { before }))
      if (numbers.length === 0) break
      seen.unshift(...numbers)
      before = numbers[0] as number
    }
    assert.deepEqual(seen, expected, name)
    walked += seen.length
  }
  assert.ok(walked > 1_000, `${walked} numbers`)
})

test('a page holds about twenty numbers and links to both sides as the platform does', () => {
  const world = createWorld({ seed: 3, channels: 3 })
  const at = world.startAt
  const newest = pageOf(world, 'showcase', at)
  const numbers = numbersOn(newest)
  assert.ok(numbers.length >= 20 && numbers.length < 30, String(numbers.length))
  assert.ok(newest.includes(`<link rel="prev" href="/s/showcase?before=${numbers[0]}">`))
  assert.ok(
    newest.includes(
      `<link rel="canonical" href="/s/showcase?before=${(numbers.at(-1) as number) + 1}">`,
    ),
  )
  assert.ok(!newest.includes('rel="next"'))
  const middle = pageOf(world, 'showcase', at, { before: numbers[0] as number })
  assert.ok(middle.includes(`data-after="${numbersOn(middle).at(-1)}"`))
  const none = pageOf(world, 'showcase', at, { before: 1 })
  assert.ok(none.includes('tme_no_messages_found') && none.includes('?after="'))
})

test('the link to older posts is sometimes missing although there are some', () => {
  const world = createWorld({ seed: 4, channels: 3, activity: 20 })
  const channel = world.channels[0]
  assert.ok(channel)
  let lost = 0
  let pages = 0
  for (let before = 9000; before > 20; before -= 15) {
    const window = pageWindow(world, channel, world.startAt, { ...NEWEST, before })
    if (window.before === null && window.slots.length > 0) lost++
    pages++
  }
  assert.ok(lost > 0 && lost < pages / 10, `${lost} of ${pages}`)
})

test('edits, deletions and views follow the clock', () => {
  const world = createWorld({ seed: 8, channels: 20, activity: 5 })
  const before = world.startAt
  const later = before + 3 * DAY_MS
  let edited = 0
  let deleted = 0
  for (const channel of world.channels) {
    for (const slot of world
      .timeline(channel)
      .slots.slice(0, world.timeline(channel).countUntil(before))) {
      const then = world.truth.slotOf(channel, slot.number, before)
      if (!then) continue
      const now = world.truth.slotOf(channel, slot.number, later)
      if (!now) deleted++
      else {
        const old = world.truth.shownAt(channel, slot, before).post
        const new_ = world.truth.shownAt(channel, slot, later).post
        if (old.text !== new_.text) edited++
        assert.equal(
          old.text !== new_.text,
          slot.editedAt.some((at) => at > before && at <= later) && !new_.orphan,
        )
        assert.ok((new_.views?.value ?? 0) >= (old.views?.value ?? 0))
      }
    }
  }
  assert.ok(edited > 0 && deleted > 0, `${edited} edited, ${deleted} deleted`)
})

test('search marks its matches and ends after three pages', () => {
  const world = createWorld({ seed: 2, channels: 2, activity: 10, languages: ['en'] })
  const at = world.startAt
  let before: number | null = null
  let pages = 0
  for (; pages < 10; pages++) {
    const page = pageOf(world, 'showcase', at, { q: 'the', before })
    assert.match(page, /<mark class="highlight">[Tt]he<\/mark>/)
    const next = /data-before="(\d+)"/.exec(page)
    if (!next) break
    before = Number(next[1])
  }
  assert.equal(pages + 1, 3)
  const nothing = pageOf(world, 'showcase', at, { q: 'xyzzyplugh' } as unknown as Partial<
    typeof NEWEST
  >)
  assert.ok(nothing.includes('No posts found'))
})
