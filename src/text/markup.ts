import { ENTITY_TYPES, type Entity, type EntityType } from '../model/post.ts'

/**
 * Text with entities as HTML and Markdown. Both are made from the entities alone: no markup of the platform or of the
 * author passes through, so the HTML is safe to embed and the Markdown says what the author wrote.
 */

const ADDRESS = /^(?:https?:\/\/|tg:|mailto:)[^\s<>"`\\]+$/i
const LANGUAGE = /^[\w+#.-]{1,40}$/
const LINKS: ReadonlySet<EntityType> = new Set(['link', 'text_link', 'mention'])
/** From the outermost: blocks enclose everything, then links, so that neither is ever split by an overlapping entity. */
const ORDER: readonly EntityType[] = ['quote', 'pre', 'link', 'text_link', 'mention', 'bold']

/** Sorted, outermost first, and clipped to the text; without empty entities, unknown types and links with no safe address. */
export function normalizeEntities(text: string, entities: readonly Entity[]): Entity[] {
  const kept: Entity[] = []
  for (const entity of entities) {
    if (!ENTITY_TYPES.includes(entity.type)) continue
    if (entity.url !== undefined && !ADDRESS.test(entity.url)) continue
    if (LINKS.has(entity.type) && entity.url === undefined) continue
    const start = outOfPair(text, Math.max(0, Math.trunc(entity.offset)))
    const end = outOfPair(text, Math.min(text.length, Math.trunc(entity.offset + entity.length)))
    if (end > start) kept.push({ ...entity, offset: start, length: end - start })
  }
  return kept.sort(
    (a, b) => a.offset - b.offset || b.length - a.length || rank(a.type) - rank(b.type),
  )
}

/** A boundary inside a surrogate pair moves before it. */
function outOfPair(text: string, at: number): number {
  const isInside =
    (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return isInside ? at - 1 : at
}

function rank(type: EntityType): number {
  const at = ORDER.indexOf(type)
  return at < 0 ? ORDER.length : at
}

interface Segment {
  readonly text: string
  /** The entities that cover it, outermost first: at most one of each type, and at most one link. */
  readonly entities: readonly Entity[]
}

/** Splits the text into stretches that are covered by the same entities, so that overlaps need no handling later. */
function segments(text: string, entities: readonly Entity[]): Segment[] {
  const sorted = normalizeEntities(text, entities)
  const bounds = new Set([0, text.length])
  for (const { offset, length } of sorted) bounds.add(offset).add(offset + length)
  const made: Segment[] = []
  const order = [...bounds].sort((a, b) => a - b)
  let active: Entity[] = []
  let next = 0
  for (let i = 0; i + 1 < order.length; i++) {
    const start = order[i]!
    active = active.filter((entity) => entity.offset + entity.length > start)
    for (let entity = sorted[next]; entity?.offset === start; entity = sorted[++next]) {
      const { type } = entity
      const isTwice = active.some((open) => open.type === type)
      const isLinkInLink = LINKS.has(type) && active.some((open) => LINKS.has(open.type))
      if (!isTwice && !isLinkInLink) active.push(entity)
    }
    made.push({
      text: text.slice(start, order[i + 1]),
      entities: active.toSorted((a, b) => rank(a.type) - rank(b.type)),
    })
  }
  return made
}

const TAGS: Partial<Record<EntityType, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strike: 's',
  code: 'code',
}

/** HTML that is safe to embed: a fixed list of tags, everything escaped, no attribute but those written here. */
export function toHtml(text: string, entities: readonly Entity[]): string {
  const open: Entity[] = []
  // An array and not a growing string: looking at the end of such a string would copy all of it, for every block.
  const parts: string[] = []
  const write = (part: string) => {
    if (part !== '') parts.push(part)
  }
  // The newline next to a block is the line break that the block makes itself.
  let swallow = false
  const setOpen = (wanted: readonly Entity[]) => {
    let same = 0
    while (same < open.length && open[same] === wanted[same]) same++
    while (open.length > same) {
      const closed = open.pop()!
      write(htmlTags(closed)[1])
      if (isBlock(closed)) swallow = true
    }
    for (const entity of wanted.slice(same)) {
      if (isBlock(entity)) {
        const last = parts.at(-1)
        if (last?.endsWith('<br>')) parts[parts.length - 1] = last.slice(0, -4)
        swallow = false
      }
      write(htmlTags(entity)[0])
      open.push(entity)
    }
  }
  for (const segment of segments(text, entities)) {
    setOpen(segment.entities)
    const shown = swallow && segment.text.startsWith('\n') ? segment.text.slice(1) : segment.text
    swallow = false
    const isPre = open.some((entity) => entity.type === 'pre')
    write(isPre ? escapeHtml(shown) : escapeHtml(shown).replaceAll('\n', '<br>'))
  }
  setOpen([])
  return parts.join('')
}

function isBlock(entity: Entity): boolean {
  return entity.type === 'quote' || entity.type === 'pre'
}

function htmlTags(entity: Entity): readonly [string, string] {
  const tag = TAGS[entity.type]
  if (tag) return [`<${tag}>`, `</${tag}>`]
  switch (entity.type) {
    case 'quote':
      return ['<blockquote>', '</blockquote>']
    case 'spoiler':
      return ['<span class="spoiler">', '</span>']
    case 'pre': {
      const isNamed = LANGUAGE.test(entity.language ?? '')
      const name = isNamed ? ` class="language-${entity.language}"` : ''
      return [`<pre><code${name}>`, '</code></pre>']
    }
    case 'link':
    case 'text_link':
    case 'mention': {
      const href = escapeHtml(entity.url ?? '')
      return [`<a href="${href}" rel="nofollow noopener noreferrer">`, '</a>']
    }
    default:
      return ['', '']
  }
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
// Characters HTML cannot hold: a parser would change or drop them.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Escaped for HTML text and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(UNPRINTABLE, '')
    .replace(/[&<>"']/g, (character) => HTML_ESCAPES[character]!)
}

/**
 * CommonMark. The author's own punctuation is escaped where it would mean something, there are no images, and each
 * link shows its full address. Marks are closed at every line end, because none may span paragraphs.
 */
export function toMarkdown(text: string, entities: readonly Entity[]): string {
  // Entities that have no mark in Markdown are left out, so that they do not split a bold sentence in two.
  const shown = entities.filter(({ type }) => MARKED.has(type))
  const blocks = blocksOf(text.toWellFormed(), shown)
  let out = ''
  for (const [index, block] of blocks.entries()) {
    out += blockMarkdown(block)
    const next = blocks[index + 1]
    if (!next) break
    // Without an empty line the words after a quote would be read as part of it.
    const isOpen = block.entity?.type === 'quote' && next.lines[0]!.length > 0
    out += isOpen ? '\n\n' : '\n'
  }
  return out
}

interface Block {
  /** The quote or code block these lines are; undefined for plain lines. */
  readonly entity: Entity | undefined
  readonly lines: Segment[][]
}

function blocksOf(text: string, entities: readonly Entity[]): Block[] {
  const covers = normalizeEntities(text, entities).filter(isBlock)
  const blocks: Block[] = []
  const startLine = (at: number) => {
    while (covers[0] && covers[0].offset + covers[0].length <= at) covers.shift()
    const entity = covers[0] && covers[0].offset <= at ? covers[0] : undefined
    const last = blocks.at(-1)
    if (last && last.entity === entity) last.lines.push([])
    else blocks.push({ entity, lines: [[]] })
  }
  startLine(0)
  let at = 0
  for (const segment of segments(text, entities)) {
    for (const [index, piece] of segment.text.split('\n').entries()) {
      if (index > 0) startLine(++at)
      at += piece.length
      const shown = piece.replace(UNPRINTABLE, '')
      if (shown !== '')
        blocks
          .at(-1)!
          .lines.at(-1)!
          .push({ ...segment, text: shown })
    }
  }
  return blocks
}

function blockMarkdown({ entity, lines }: Block): string {
  if (entity?.type === 'pre') {
    const code = lines.map((line) => line.map((segment) => segment.text).join('')).join('\n')
    // No longer than this block needs, because every block repeats its fence.
    const fence = '`'.repeat(Math.max(3, longestTicks(code) + 1))
    const language = LANGUAGE.test(entity.language ?? '') ? entity.language! : ''
    return `${fence}${language}\n${code}\n${fence}`
  }
  const prefix = entity ? '> ' : ''
  const shown = lines.map((line) => (prefix + inlineMarkdown(line)).trimEnd())
  // Two spaces keep a line break that Markdown would turn into a space.
  const breakAfter = (i: number) => (shown[i] === '' || shown[i + 1] === '' ? '\n' : '  \n')
  return shown.map((line, i) => (i === 0 ? line : breakAfter(i - 1) + line)).join('')
}

function longestTicks(text: string): number {
  let longest = 0
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}

const MARKED: ReadonlySet<EntityType> = new Set([
  'quote',
  'pre',
  'link',
  'text_link',
  'bold',
  'italic',
  'strike',
  'spoiler',
  'code',
])
const MARKS: Partial<Record<EntityType, string>> = {
  bold: '**',
  italic: '*',
  strike: '~~',
  spoiler: '||',
}

function inlineMarkdown(parts: readonly Segment[]): string {
  const out: string[] = []
  for (let i = 0; i < parts.length;) {
    const link = parts[i]!.entities.find((entity) => LINKS.has(entity.type))
    let end = i + 1
    while (link && end < parts.length && parts[end]!.entities.includes(link)) end++
    const run = parts.slice(i, end)
    const words = link ? linkMarkdown(link, run) : run.map(marked).join('')
    const last = out.at(-1)
    // An exclamation mark before a bracket would make an image of the link.
    if (last && words.startsWith('[') && /(?<!\\)!$/.test(last)) {
      out[out.length - 1] = `${last.slice(0, -1)}\\!`
    }
    out.push(words)
    i = end
  }
  return escapeLineStart(out.join('').trimStart())
}

function linkMarkdown(link: Entity, run: readonly Segment[]): string {
  const words = run.map(marked).join('')
  const url = link.url!
  if (run.map((segment) => segment.text).join('') === url) return `<${url}>`
  return `[${words}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Marks must touch their words: `** bold **` would be shown literally. */
function marked(segment: Segment): string {
  const words = segment.text.trim()
  if (words === '') return segment.text
  const at = segment.text.indexOf(words)
  const code = segment.entities.some((entity) => entity.type === 'code' || entity.type === 'pre')
  let body = code ? codeSpan(words) : escapeMarkdown(words)
  for (const { type } of segment.entities.toReversed()) {
    const mark = MARKS[type]
    if (mark) body = mark + body + mark
  }
  return segment.text.slice(0, at) + body + segment.text.slice(at + words.length)
}

function codeSpan(code: string): string {
  const longest = longestTicks(code)
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 ? ' ' : ''
  return fence + pad + code + pad + fence
}

function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]<~]/g, '\\$&')
    .replace(/&(?=#?\w{1,32};)/g, '\\&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
}

const LINE_START = /^(?:>|#{1,6}(?:\s|$)|[-+](?:[\s|:-]|$)|=+\s*$|[|:][\s:|-]*$)/

/** Escapes what begins a heading, list, quote, rule or table at the start of a line; elsewhere it means nothing. */
function escapeLineStart(line: string): string {
  if (LINE_START.test(line)) return '\\' + line
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
