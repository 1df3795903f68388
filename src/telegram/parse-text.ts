import { clipText } from '../model/cut-text.ts'
import type { Entity, EntityType } from '../model/post.ts'
import { attribute, hasClass, style, type Element } from './html.ts'
import { readEmoji } from './parse-emoji.ts'
import { readLink } from './parse-link.ts'

/** Reads what the author wrote from the markup of the page. */

/** The platform's limit for a rich post; that of a plain one is an eighth of it. */
export const MAX_TEXT = 32_768
const MAX_ENTITIES = 1_000
const MAX_LINE = 1_024

export interface RichText {
  readonly text: string
  readonly entities: readonly Entity[]
  /** True when the text was longer than `MAX_TEXT`. */
  readonly cut: boolean
}

const FORMATS = new Map<string, EntityType>([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['u', 'underline'],
  ['ins', 'underline'],
  ['s', 'strike'],
  ['del', 'strike'],
  ['strike', 'strike'],
  ['code', 'code'],
  ['pre', 'pre'],
  ['blockquote', 'quote'],
  ['tg-spoiler', 'spoiler'],
])
const BLOCKS = new Set(
  'blockquote pre div p li ul ol table caption tr h1 h2 h3 h4 h5 h6 details summary'.split(' '),
)
/** Elements that end a word, but not a line. */
const CELLS = new Set(['td', 'th'])

type Draft = { -readonly [K in keyof Entity]: Entity[K] }

interface State {
  text: string
  readonly entities: Draft[]
  /** White space to write before the next words, if any follow: from the end of a block or a line end of the source. */
  owed: '' | ' ' | '\n'
  /** How many `pre` elements are open; inside them white space is the author's. */
  pre: number
  cut: boolean
}

export function readText(element: Element): RichText {
  const state: State = { text: '', entities: [], owed: '', pre: 0, cut: false }
  readChildren(element, state)
  return trimmed(state)
}

/** Joins two texts of one post, with an empty line between them. */
export function joinTexts(first: RichText, second: RichText): RichText {
  if (first.text === '') return second
  if (second.text === '') return first
  const start = first.text.length + 2
  const joined = `${first.text}\n\n${second.text}`
  const text = clipText(joined, MAX_TEXT)
  const shifted = second.entities
    .map((entity) => ({ ...entity, offset: entity.offset + start }))
    .filter((entity) => entity.offset + entity.length <= text.length)
  return {
    text,
    entities: [...first.entities, ...shifted].slice(0, MAX_ENTITIES),
    cut: first.cut || second.cut || text.length < joined.length,
  }
}

/** The words alone, on one line: for titles, names and button texts. */
export function readLine(element: Element | undefined): string {
  if (!element) return ''
  const only = element.children.length === 1 ? element.children[0] : undefined
  const text = typeof only === 'string' ? only : readText(element).text
  return clipLine(text)
}

export function clipLine(text: string): string {
  return clipText(oneLine(text), MAX_LINE)
}

export function oneLine(text: string): string {
  if (!text.includes('\n')) return text.trim()
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
}

function readChildren(element: Element, state: State): void {
  for (const child of element.children) {
    if (state.cut) return
    if (typeof child !== 'string') readElement(child, state)
    else if (state.pre > 0 || !child.includes('\n')) write(state, child)
    else writeWrapped(state, child)
  }
}

function readElement(element: Element, state: State): void {
  const { tag } = element
  if (tag === 'br') {
    // A line break right after a block is the break that the block makes anyway.
    state.owed = ''
    write(state, '\n')
    return
  }
  if (hasClass(element, 'emoji')) {
    write(state, readEmoji(element))
    return
  }
  if (hasClass(element, 'verified-icon')) return
  // The spacer that the platform's script inserts before the footer, found in pages saved from a browser.
  if (tag === 'span' && style(element, 'display') === 'inline-block') return
  if (BLOCKS.has(tag)) {
    breakLine(state)
    readEntity(element, state)
    breakLine(state)
  } else if (CELLS.has(tag)) {
    state.owed ||= ' '
    readEntity(element, state)
    state.owed ||= ' '
  } else readEntity(element, state)
}

/** A block begins and ends on a line of its own; no break is added to one that is already there. */
function breakLine(state: State): void {
  if (state.text !== '') state.owed = state.text.endsWith('\n') ? '' : '\n'
}

function readEntity(element: Element, state: State): void {
  const { tag } = element
  const type = FORMATS.get(tag)
  if (tag !== 'a' && tag !== 'tg-emoji' && type === undefined) {
    readChildren(element, state)
    return
  }
  // The outer entity comes first, so its slot is reserved before its children are read.
  const slot = state.entities.length
  const draft: Draft = { type: type ?? 'text_link', offset: 0, length: 0 }
  if (slot < MAX_ENTITIES) state.entities.push(draft)
  const start = state.text.length + due(state).length
  if (tag === 'pre') state.pre++
  readChildren(element, state)
  if (tag === 'pre') state.pre--
  draft.offset = start
  draft.length = state.text.length - start
  if (draft.length <= 0 || slot >= MAX_ENTITIES) {
    draft.length = 0
    return
  }
  if (tag === 'a') {
    const link = readLink(element, state.text.slice(start))
    if (link) Object.assign(draft, link)
    else draft.length = 0
  } else if (tag === 'tg-emoji') {
    const customId = attribute(element, 'emoji-id') ?? ''
    if (/^\d{1,20}$/.test(customId)) Object.assign(draft, { type: 'custom_emoji', customId })
    else draft.length = 0
  } else if (tag === 'pre') {
    readLanguage(element, draft, state.entities, slot)
  } else if (tag === 'blockquote' && attribute(element, 'expandable') !== undefined) {
    draft.collapsed = true
  }
}

/** In `<pre><code class="language-js">` the inner element only carries the name, and is no entity of its own. */
function readLanguage(element: Element, draft: Draft, entities: Draft[], slot: number): void {
  const code = element.children.find((child) => typeof child !== 'string' && child.tag === 'code')
  for (const holder of [element, code]) {
    if (holder === undefined || typeof holder === 'string') continue
    const token = holder.classes.find((name) => name.startsWith('language-'))
    const language = token?.slice('language-'.length, 'language-'.length + 64)
    if (language) draft.language = language
  }
  const inner = entities[slot + 1]
  if (inner?.type === 'code' && inner.offset === draft.offset && inner.length === draft.length) {
    inner.length = 0
  }
}

/** A line end in the source is not a line break: re-indented pages have them where the author wrote none. */
function writeWrapped(state: State, source: string): void {
  const lines = source.split('\n')
  lines.forEach((line, index) => {
    const start = index === 0 ? 0 : firstVisible(line)
    const end = index === lines.length - 1 ? line.length : lastVisible(line)
    if (index > 0 && state.owed === '') state.owed = ' '
    if (end > start && !state.cut) write(state, line.slice(start, end))
  })
}

function due(state: State): string {
  if (state.owed !== ' ') return state.owed
  return state.text === '' || state.text.endsWith(' ') || state.text.endsWith('\n') ? '' : ' '
}

function write(state: State, piece: string): void {
  if (piece === '') return
  state.text += due(state) + piece
  state.owed = ''
  if (state.text.length > MAX_TEXT) {
    state.text = clipText(state.text, MAX_TEXT)
    state.cut = true
  }
}

function trimmed(state: State): RichText {
  const lead = firstVisible(state.text)
  const text = state.text.slice(lead, Math.max(lead, lastVisible(state.text)))
  const entities: Entity[] = []
  for (const entity of state.entities) {
    if (entity.length === 0) continue
    const start = Math.max(0, entity.offset - lead)
    const end = Math.min(text.length, entity.offset + entity.length - lead)
    if (end > start) entities.push({ ...entity, offset: start, length: end - start })
  }
  return { text, entities, cut: state.cut }
}

// Loops, because `/[ \n]+$/` takes quadratic time on long runs of spaces. White space other than this is the author's.
function firstVisible(text: string): number {
  let at = 0
  while (at < text.length && isSourceSpace(text.charCodeAt(at))) at++
  return at
}

function lastVisible(text: string): number {
  let at = text.length
  while (at > 0 && isSourceSpace(text.charCodeAt(at - 1))) at--
  return at
}

function isSourceSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 13
}
