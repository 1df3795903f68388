import { Tokenizer } from 'htmlparser2'

/**
 * A page as a light tree. htmlparser2's tokenizer does the HTML; the tree keeps only what a reader of these pages
 * asks for (a dozen attributes, no drawings, scripts or styles), which makes it several times cheaper than a DOM.
 * Its rules for broken markup are simpler than a browser's and never throw: everything is bounded below.
 */

export const MAX_INPUT_CHARS = 8 * 1024 * 1024
export const MAX_NODES = 50_000
/** Deeper elements lose their tags and keep their text, so walking the tree may recurse. */
export const MAX_DEPTH = 128

export interface Element {
  readonly tag: string
  /** Class tokens: compare whole ones, `js-message_video_player` is not `message_video_play`. */
  readonly classes: readonly string[]
  /** Name, value, name, value… Shorter to make and to search than an object, at one to four attributes. */
  readonly attributes: readonly string[]
  readonly children: (Element | string)[]
  /** False while its end tag has not been met: the page ended, or a sibling began, inside of it. */
  closed: boolean
}

export interface HtmlTree {
  readonly root: Element
  /** Which bound was met, if any; what came after it is not in the tree. */
  readonly cut: 'input' | 'nodes' | null
}

export interface HtmlOptions {
  /** A class whose elements never nest: where one begins, an open one ends, so one broken post cannot eat the next. */
  readonly boundary: string
}

const KEPT_ATTRIBUTES = new Set([
  'class',
  'content',
  'data-after',
  'data-before',
  'data-is-dice',
  'data-peer',
  'data-post',
  'data-url',
  'data-view',
  'data-webp',
  'datetime',
  'emoji-id',
  'expandable',
  'href',
  'name',
  'onclick',
  'property',
  'rel',
  'src',
  'srcset',
  'style',
  'type',
])
const SKIPPED = new Set(['svg', 'script', 'style', 'noscript', 'template'])
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
/** Their stray end tags must not close anything outside of the block they stand in. */
const INLINE = new Set(
  'a b code del em i ins mark s span strong tg-emoji tg-spoiler time u'.split(' '),
)
const BARRIER = new Set('blockquote body div header main pre section table'.split(' '))
const NONE: readonly string[] = []

export function parseHtml(html: string, options: HtmlOptions): HtmlTree {
  const input = html.length > MAX_INPUT_CHARS ? html.slice(0, MAX_INPUT_CHARS) : html
  const builder = new TreeBuilder(input, options.boundary)
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false }, builder)
  tokenizer.write(input)
  tokenizer.end()
  const root = builder.root
  root.closed = true
  return { root, cut: builder.full ? 'nodes' : input.length < html.length ? 'input' : null }
}

/** True when the page reached its last line: every whole one ends with a comment on how long it took to make. */
export function isComplete(html: string): boolean {
  return /<!-- page generated in |<\/html>/i.test(html.slice(-400))
}

function element(tag: string, classes: readonly string[], attributes: readonly string[]): Element {
  return { tag, classes, attributes, children: [], closed: false }
}

class TreeBuilder {
  readonly root = element('#root', NONE, NONE)
  full = false
  readonly #html: string
  readonly #boundary: string
  readonly #classLists = new Map<string, readonly string[]>([['', NONE]])
  #stack: Element[] = [this.root]
  #top: Element = this.root
  #nodes = 0
  /** Open elements beyond the depth bound. */
  #beyond = 0
  /** Inside a skipped element: its name and how many of that name are open. */
  #skipping: string | null = null
  #skipDepth = 0
  /** The start tag being read. */
  #tag = ''
  #attributes: string[] = []
  #name: string | null = null
  #value = ''

  constructor(html: string, boundary: string) {
    this.#html = html
    this.#boundary = boundary
  }

  onopentagname(start: number, end: number): void {
    this.#tag = lower(this.#html.slice(start, end))
    this.#attributes = []
  }

  onattribname(start: number, end: number): void {
    const name = lower(this.#html.slice(start, end))
    // HTML keeps the first of two attributes of one name.
    this.#name =
      KEPT_ATTRIBUTES.has(name) && attributeIn(this.#attributes, name) === undefined ? name : null
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#name !== null) this.#value += this.#html.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    if (this.#name !== null) this.#value += String.fromCodePoint(codepoint)
  }

  onattribend(): void {
    if (this.#name !== null) this.#attributes.push(this.#name, this.#value)
    this.#name = null
  }

  onselfclosingtag(): void {
    // HTML ignores the slash of `<div/>`; a skipped drawing's `<path/>` has no end tag to wait for.
    if (this.#skipping === null) this.onopentagend()
  }

  onopentagend(): void {
    if (this.full) return
    const tag = this.#tag
    const classes = this.#classList(attributeIn(this.#attributes, 'class') ?? '')
    if (classes.includes(this.#boundary)) this.#closeBoundary()
    if (this.#skipping !== null) {
      if (tag === this.#skipping) this.#skipDepth++
      return
    }
    if (SKIPPED.has(tag)) {
      this.#skipping = tag
      this.#skipDepth = 1
      return
    }
    if (!this.#countNode()) return
    const isVoid = VOID.has(tag)
    if (!isVoid && this.#stack.length >= MAX_DEPTH) {
      this.#beyond++
      return
    }
    const made = element(tag, classes, this.#attributes)
    this.#top.children.push(made)
    if (isVoid) {
      made.closed = true
      return
    }
    this.#stack.push(made)
    this.#top = made
  }

  onclosetag(start: number, end: number): void {
    if (this.full) return
    const tag = lower(this.#html.slice(start, end))
    if (this.#skipping !== null) {
      if (tag === this.#skipping && --this.#skipDepth === 0) this.#skipping = null
      return
    }
    if (this.#beyond > 0) {
      this.#beyond--
      return
    }
    const stack = this.#stack
    for (let depth = stack.length - 1; depth > 0; depth--) {
      const open = stack[depth]!
      if (open.tag === tag) {
        open.closed = true
        this.#popTo(depth)
        return
      }
      if (INLINE.has(tag) && BARRIER.has(open.tag)) return
    }
    if (tag === 'br' && this.#countNode()) this.#top.children.push(element('br', NONE, NONE))
  }

  ontext(start: number, end: number): void {
    this.#text(this.#html, start, end)
  }

  ontextentity(codepoint: number): void {
    const text = String.fromCodePoint(codepoint)
    this.#text(text, 0, text.length)
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #text(source: string, start: number, end: number): void {
    if (this.#skipping !== null || this.full) return
    const children = this.#top.children
    const last = children.length - 1
    const before = children[last]
    if (typeof before === 'string') children[last] = before + source.slice(start, end)
    else if (this.#countNode()) children.push(source.slice(start, end))
  }

  #countNode(): boolean {
    if (++this.#nodes > MAX_NODES) this.full = true
    return !this.full
  }

  #popTo(depth: number): void {
    this.#stack.length = depth
    this.#top = this.#stack[depth - 1]!
  }

  #closeBoundary(): void {
    this.#skipping = null
    const depth = this.#stack.findIndex((open) => open.classes.includes(this.#boundary))
    if (depth < 0) return
    this.#beyond = 0
    this.#popTo(depth)
  }

  #classList(className: string): readonly string[] {
    let list = this.#classLists.get(className)
    if (list === undefined) {
      list = className.split(/[ \t\n\f\r]+/).filter(Boolean)
      this.#classLists.set(className, list)
    }
    return list
  }
}

function lower(name: string): string {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code >= 65 && code <= 90) return name.toLowerCase()
  }
  return name
}

function attributeIn(attributes: readonly string[], name: string): string | undefined {
  for (let i = 0; i < attributes.length; i += 2) {
    if (attributes[i] === name) return attributes[i + 1]
  }
  return undefined
}

export function attribute(element: Element, name: string): string | undefined {
  return attributeIn(element.attributes, name)
}

export function hasClass(element: Element, token: string): boolean {
  return element.classes.includes(token)
}

/** The first element below that fits, in page order; `skip` leaves out whole branches. */
export function find(
  element: Element,
  fits: (element: Element) => boolean,
  skip?: (element: Element) => boolean,
): Element | undefined {
  for (const child of element.children) {
    if (typeof child === 'string' || skip?.(child)) continue
    if (fits(child)) return child
    const found = find(child, fits, skip)
    if (found) return found
  }
  return undefined
}

export function findClass(element: Element, token: string): Element | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.classes.includes(token)) return child
    const found = findClass(child, token)
    if (found) return found
  }
  return undefined
}

export function findTag(element: Element, tag: string): Element | undefined {
  return find(element, (child) => child.tag === tag)
}

/** All elements of a class, outermost only, in page order. */
export function findAllClass(element: Element, token: string, into: Element[] = []): Element[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (child.classes.includes(token)) into.push(child)
    else findAllClass(child, token, into)
  }
  return into
}

/** The element's own text, without that of its children. */
export function ownText(element: Element): string {
  let text = ''
  for (const child of element.children) if (typeof child === 'string') text += child
  return text
}

/** A property of the `style` attribute. */
export function style(element: Element | undefined, property: string): string | undefined {
  const css = element && attribute(element, 'style')
  if (!css) return undefined
  for (let from = 0; ;) {
    const at = css.indexOf(property, from)
    if (at < 0) return undefined
    from = at + property.length
    const before = at === 0 ? ';' : css[at - 1]!
    if ((before === ';' || before === ' ') && css[from] === ':') {
      // An address may hold semicolons, so a url() ends at its own bracket.
      const url = /^\s*url\((?:'([^']*)'|"([^"]*)"|([^)]*))\)/.exec(
        css.slice(from + 1, from + 4100),
      )
      if (url) return url[1] ?? url[2] ?? url[3] ?? ''
      const end = css.indexOf(';', from)
      return css.slice(from + 1, end < 0 ? undefined : end).trim()
    }
  }
}
