import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toHtml, toMarkdown } from '../../src/text/markup.ts'
import { parseEmbed } from '../../src/telegram/parse-embed.ts'
import { parseProfilePage } from '../../src/telegram/parse-landing.ts'
import { MAX_POSTS, parsePage } from '../../src/telegram/parse-page.ts'
import { parsePostPage } from '../../src/telegram/parse-post-page.ts'
import { MAX_TEXT } from '../../src/telegram/parse-text.ts'
import type { Post } from '../../src/model/post.ts'

/** Pages damaged as real pages are, and as an attacker would damage them. */

const FOLDER = join(import.meta.dirname, '../fixtures/telegram')
const AT = Date.UTC(2026, 8, 1, 10)

export function fixturePages(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.html'))
    .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
}

export type Random = () => number

/** mulberry32: the same seed damages the same pages. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

const NASTY = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '&amp;',
  '&#x10FFFF;',
  '&#0;',
  '&#xD800;',
  '&#99999999999;',
  '&notit;',
  '<!--',
  '-->',
  '<![CDATA[',
  '<?xml',
  '</',
  '<b>',
  '</b>',
  '<div>',
  '</div>',
  '<a href=',
  '</a>',
  '<svg>',
  '<script>',
  '</script>',
  '<style>',
  '<title>',
  '<textarea>',
  '<plaintext>',
  '<template>',
  '<br/>',
  '<blockquote>',
  '<pre>\n',
  '<tg-emoji emoji-id="1">',
  '<i class="emoji" style="background-image:url(\'//x/E2808D.png\')">',
  '<div class="tgme_widget_message_wrap"><div class="tgme_widget_message" data-post="evil/1">',
  '<div class="tgme_widget_message_text js-message_text">',
  '<time datetime="9999-99-99">',
  ' class="tgme_widget_message_meta"',
  ' style="width:99999999999px;padding-top:1e99%"',
  '\u0000',
  '\ud83d',
  '\u202e',
  '\n   \n',
  'javascript:alert(1)',
  '<constructor __proto__=1 class="__proto__ constructor toString">',
] as const

/** One to six injuries. */
export function damage(page: string, others: readonly string[], random: Random): string {
  let html = page
  for (let i = 1 + Math.floor(random() * 6); i > 0; i--) html = injure(html, others, random)
  return html.length > 400_000 ? html.slice(0, 400_000) : html
}

function injure(html: string, others: readonly string[], random: Random): string {
  const at = Math.floor(random() * html.length)
  const to = Math.min(html.length, at + Math.floor(random() ** 3 * 4_000))
  const nasty = NASTY[Math.floor(random() * NASTY.length)]!
  // Cuts are rare, or little would be left to damage.
  switch (random() < 0.06 ? Math.floor(random() * 2) : 2 + Math.floor(random() * 8)) {
    case 0:
      return html.slice(0, at)
    case 1:
      return html.slice(at)
    case 2:
      return html.slice(0, at) + html.slice(to)
    case 3: {
      const other = others[Math.floor(random() * others.length)]!
      const from = Math.floor(random() * other.length)
      return html.slice(0, at) + other.slice(from, from + (to - at) * 2) + html.slice(to)
    }
    case 4:
      return (
        html.slice(0, at) + html.slice(at, to).repeat(2 + Math.floor(random() * 8)) + html.slice(to)
      )
    case 5:
      return html.slice(0, at) + nasty + html.slice(at)
    case 6:
      return (
        html.slice(0, at) + nasty.repeat(1 + Math.floor(random() ** 4 * 3_000)) + html.slice(at)
      )
    case 7:
      return html.slice(0, at) + String.fromCharCode(random() * 0x10000) + html.slice(at + 1)
    case 8:
      return html.slice(0, at) + html.slice(at, to).replace(/["'=]/g, '') + html.slice(to)
    default:
      return html.slice(0, at) + html.slice(at, to).replace(/\d/g, '9') + html.slice(to)
  }
}

/** Parses a page as what it may be, and in turn as what it is not, and checks the results against the parser's promises. */
export function readAll(html: string, turn: number): void {
  const page = parsePage(html, { at: AT })
  assert.ok(page.posts.length <= MAX_POSTS)
  assert.ok(page.warnings.length <= 100)
  for (const post of page.posts) checkPost(post)
  for (const number of page.numbers) assert.ok(number > 0 && Number.isInteger(number))
  assert.ok(page.before === null || page.before > 0)
  if (turn % 3 === 0) parseProfilePage(html, { at: AT })
  else if (turn % 3 === 1) parsePostPage(html)
  else {
    const embed = parseEmbed(html, { at: AT })
    if (embed.kind === 'post') checkPost(embed.post)
  }
}

const SCHEME = /^(?:https?:\/\/|tg:|mailto:)[^\s<>"]*$/i

function checkPost(post: Post): void {
  assert.ok(post.text.length <= MAX_TEXT)
  assert.ok(post.publishedAt >= Date.UTC(2013, 0, 1) && post.publishedAt <= AT + 300_000)
  for (const entity of post.entities) {
    assert.ok(entity.length > 0 && entity.offset >= 0)
    assert.ok(entity.offset + entity.length <= post.text.length)
    if (entity.url !== undefined) assert.match(entity.url, SCHEME)
  }
  for (const { url, thumbnailUrl, width, height } of post.media) {
    for (const address of [url, thumbnailUrl]) {
      if (address !== null) assert.match(address, /^https:\/\/[^\s<>"]*$/i)
    }
    for (const side of [width, height]) assert.ok(side === null || (side > 0 && side <= 100_000))
  }
  for (const button of post.buttons.flat()) if (button.url) assert.match(button.url, SCHEME)
  if (post.linkPreview) assert.match(post.linkPreview.url, SCHEME)
  if (post.replyTo) assert.match(post.replyTo.url, SCHEME)
  assert.doesNotMatch(
    toHtml(post.text, post.entities),
    /<(?!\/?(?:b|i|u|s|a|br|code|pre|span|blockquote)\b)/,
  )
  toMarkdown(post.text, post.entities)
}
