import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import { Tokenizer } from 'htmlparser2'
import { attributeIn, type Element } from './html.ts'

/**
 * A page as a light tree. htmlparser2's tokenizer parses the HTML; the tree keeps only what the readers of these pages
 * need (some twenty attributes, no drawings, scripts or styles), which makes it several times cheaper than a DOM.
 * Its rules for broken markup are simpler than a browser's and never throw; the bounds below limit everything.
 */

/** As many as `http-client.ts` lets through. */
const MAX_INPUT_CHARS = 10 * 1024 * 1024
/**
 * Elements, texts and unmatched end tags: everything that costs more than the characters it is written with. Twenty posts of
 * 4 096 emoji, the platform's limit, have 246 000; reading such a page takes some 0.4 s.
 */
export const MAX_NODES = 300_000
/** Deeper elements lose their tags and keep their text, so that the tree can be walked recursively. */
export const MAX_DEPTH = 128
/** The classes of all open elements are searched where a post begins; the platform writes at most eight per element. */
const MAX_CLASSES = 32

interface HtmlTree {
  readonly root: Element
  /** Which bound was reached, if any; what came after it is not in the tree. */
  readonly cut: 'input' | 'nodes' | null
}

interface HtmlOptions {
  /** A class whose elements never nest: where one begins, an open one ends, so a broken post cannot swallow the next. */
  readonly boundary: string
  /** Fewer than `MAX_NODES` where a test has to go beyond them. */
  readonly maxNodes?: number
}

const KEPT_ATTRIBUTES = new Set([
  'class',
  'content',
  'data-before',
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
/** A stray end tag of these must not close anything outside its block. */
const INLINE = new Set(
  'a b code del em i ins mark s span strong tg-emoji tg-spoiler time u'.split(' '),
)
const BARRIER = new Set('blockquote body div header main pre section table'.split(' '))
const NONE: readonly string[] = []

export function parseHtml(html: string, options: HtmlOptions): HtmlTree {
  const input = html.length > MAX_INPUT_CHARS ? html.slice(0, MAX_INPUT_CHARS) : html
  const builder = new TreeBuilder(input, options, () => tokenizer.pause())
  // Without decoding, the tokenizer can skip over long values, which halves its time; entities are decoded here.
  const tokenizer = new Tokenizer({ decodeEntities: false, xmlMode: false }, builder)
  tokenizer.write(input)
  tokenizer.end()
  return {
    root: builder.root,
    cut: builder.full ? 'nodes' : input.length < html.length ? 'input' : null,
  }
}

function element(tag: string, classes: readonly string[], attributes: readonly string[]): Element {
  return { tag, classes, attributes, children: [] }
}

class TreeBuilder {
  readonly root = element('#root', NONE, NONE)
  full = false
  readonly #html: string
  readonly #boundary: string
  readonly #maxNodes: number
  readonly #stop: () => void
  readonly #classLists = new Map<string, readonly string[]>()
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

  /** `stop` is called once the tree is full. */
  constructor(html: string, { boundary, maxNodes = MAX_NODES }: HtmlOptions, stop: () => void) {
    this.#html = html
    this.#boundary = boundary
    this.#maxNodes = maxNodes
    this.#stop = stop
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

  onattribend(): void {
    if (this.#name !== null) {
      this.#attributes.push(this.#name, decodeHTMLAttribute(this.#value))
    }
    this.#name = null
  }

  onselfclosingtag(): void {
    // HTML ignores the slash of `<div/>`; inside a skipped drawing, `<path/>` has no end tag to wait for.
    if (this.#skipping === null) this.onopentagend()
  }

  onopentagend(): void {
    if (this.full || !this.#countNode()) return
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
    const isVoid = VOID.has(tag)
    if (!isVoid && this.#stack.length >= MAX_DEPTH) {
      this.#beyond++
      return
    }
    const made = element(tag, classes, this.#attributes)
    this.#top.children.push(made)
    if (isVoid) return
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
        this.#popTo(depth)
        return
      }
      if (INLINE.has(tag) && BARRIER.has(open.tag)) break
    }
    if (this.#countNode() && tag === 'br') this.#top.children.push(element('br', NONE, NONE))
  }

  ontext(start: number, end: number): void {
    if (this.#skipping !== null || this.full || !this.#countNode()) return
    const text = decodeHTML(this.#html.slice(start, end))
    const children = this.#top.children
    const last = children.length - 1
    const before = children[last]
    if (typeof before === 'string') children[last] = before + text
    else children.push(text)
  }

  ontextentity(): void {}
  onattribentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #countNode(): boolean {
    if (++this.#nodes <= this.#maxNodes) return true
    this.full = true
    this.#stop()
    return false
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
    if (className === '') return NONE
    let list = this.#classLists.get(className)
    if (list === undefined) {
      list = className.split(/[ \t\n\f\r]+/, MAX_CLASSES).filter(Boolean)
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
