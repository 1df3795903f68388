import type { Entity } from '../model/post.ts'

/** Text with entities as the platform's HTML, including its way of escaping. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '!': '&#33;',
  '\u00a0': '&nbsp;',
  '\n': '<br/>',
}
const SPECIAL = /[&<>"'!\u00a0\n]/g
const MAYBE_EMOJI = /[\u20e3\u2190-\u2bff\u3030-\u3299\ud83c-\ud83e]/
const EMOJI =
  /\p{RI}{2}|[0-9#*]\ufe0f?\u20e3|\p{ExtPict}(?:\ufe0f|\p{EMod})?(?:\u200d\p{ExtPict}(?:\ufe0f|\p{EMod})?)*/gu

/** Escapes for text; a newline becomes `<br/>`. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => ESCAPES[character] as string)
}

/** Escapes for an attribute, where the platform turns newlines into tabs. */
export function escapeAttribute(text: string): string {
  return escapeText(text.replace(/\n/g, '\t'))
}

export function firstCharacter(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0) as number)
}

const emojiHtml = new Map<string, string>()

function emoji(character: string): string {
  let html = emojiHtml.get(character)
  if (html === undefined) {
    const file = Buffer.from(character.replace(/\ufe0f/g, ''))
      .toString('hex')
      .toUpperCase()
    // The emoji of an eye in a speech bubble loses its joiner in the text; the name of its picture keeps it.
    const words = character.includes('\u{1f5e8}') ? character.replaceAll('\u200d', '') : character
    html = `<i class="emoji" style="background-image:url('//telegram.org/img/emoji/40/${file}.png')"><b>${words}</b></i>`
    if (emojiHtml.size < 5000) emojiHtml.set(character, html)
  }
  return html
}

/** Escaped text with standard emoji as pictures, as on the platform. */
export function withEmoji(text: string): string {
  if (!MAYBE_EMOJI.test(text)) return escapeText(text)
  let out = ''
  let from = 0
  for (const match of text.matchAll(EMOJI)) {
    out += escapeText(text.slice(from, match.index)) + emoji(match[0])
    from = match.index + match[0].length
  }
  return out + escapeText(text.slice(from))
}

/** A description, in which addresses and names are links. */
export function withLinks(text: string): string {
  return text
    .split(/(@[A-Za-z]\w{3,31}|https:\/\/[\w./-]+)/)
    .map((piece, i) => {
      if (i % 2 === 0) return withEmoji(piece)
      if (piece.startsWith('@')) return `<a href="https://t.me/${piece.slice(1)}">${piece}</a>`
      return `<a href="${piece}" target="_blank" rel="noopener">${piece}</a>`
    })
    .join('')
}

/** `highlight` marks what a search found, inside any other markup. */
export function renderText(
  text: string,
  entities: readonly Entity[],
  highlight: RegExp | null = null,
): string {
  const write = (piece: string) => (highlight ? marked(piece, highlight) : withEmoji(piece))
  if (entities.length === 0) return write(text)
  const order = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length)
  const open: { end: number; close: string; isBlock: boolean }[] = []
  let out = ''
  let at = 0
  const advance = (to: number) => {
    if (to > at) out += write(text.slice(at, to))
    at = Math.max(at, to)
  }
  const closeUntil = (to: number) => {
    for (let top = open.at(-1); top && top.end <= to; top = open.at(-1)) {
      advance(top.end)
      out += top.close
      open.pop()
      // The platform drops a newline after a block, which is a line break anyway.
      if (top.isBlock && text[at] === '\n') at++
    }
  }
  for (const entity of order) {
    closeUntil(entity.offset)
    advance(entity.offset)
    const [before, after] = tags(entity, text.substr(entity.offset, entity.length))
    out += before
    const isBlock = entity.type === 'quote' || entity.type === 'pre'
    open.push({ end: entity.offset + entity.length, close: after, isBlock })
  }
  closeUntil(text.length)
  advance(text.length)
  return out
}

function marked(text: string, highlight: RegExp): string {
  return text
    .split(highlight)
    .map((piece, i) =>
      i % 2 ? `<mark class="highlight">${withEmoji(piece)}</mark>` : withEmoji(piece),
    )
    .join('')
}

const SIMPLE: Partial<Record<Entity['type'], string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strike: 's',
  code: 'code',
  spoiler: 'tg-spoiler',
}

function tags(entity: Entity, covered: string): readonly [string, string] {
  const simple = SIMPLE[entity.type]
  if (simple) return [`<${simple}>`, `</${simple}>`]
  const url = escapeText(entity.url ?? '')
  switch (entity.type) {
    case 'pre':
      return entity.language
        ? [`<pre><code class="language-${escapeText(entity.language)}">`, '</code></pre>']
        : ['<pre>', '</pre>']
    case 'quote':
      return [entity.collapsed ? '<blockquote expandable>' : '<blockquote>', '</blockquote>']
    case 'hashtag':
    case 'cashtag':
      return [`<a href="?q=${encodeURIComponent(covered)}">`, '</a>']
    case 'mention':
      return [`<a href="${url}" target="_blank">`, '</a>']
    case 'custom_emoji':
      return [`<tg-emoji emoji-id="${entity.customId ?? ''}">`, '</tg-emoji>']
    case 'text_link': {
      // Since 2024 the ampersands of these links are escaped twice.
      const twice = url.replace(/&amp;/g, '&amp;amp;')
      return [
        `<a href="${twice}" target="_blank" rel="noopener" onclick="return confirm('Open this link?\\n\\n'+this.href);">`,
        '</a>',
      ]
    }
    default:
      return [`<a href="${url}" target="_blank" rel="noopener">`, '</a>']
  }
}
