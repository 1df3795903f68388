import { unpackDocument } from '../document-codec.ts'
import type { Ending } from '../expr.ts'
import type { IndexDocument } from '../search-index.ts'
import { accentedTerm, EVERY_POST, factTerms, stemTerm } from '../terms.ts'

/** A post that is compared with many queries, with the terms that an index would have for it. */
export class PercolatedPost {
  readonly document: IndexDocument
  #terms: ReadonlySet<string> | undefined
  #words: readonly string[] | undefined

  constructor(document: IndexDocument) {
    this.document = document
  }

  get terms(): ReadonlySet<string> {
    return (this.#terms ??= new Set([
      ...factTerms(this.document),
      ...this.document.toks,
      ...this.document.stems.map(stemTerm),
      ...this.document.accented.map(accentedTerm),
    ]))
  }

  holdsPrefix(prefix: string): boolean {
    // A search may leave out dozens of prefixes.
    const words = (this.#words ??= [...new Set(this.document.toks)].toSorted())
    let [low, high] = [0, words.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (words[middle]! < prefix) low = middle + 1
      else high = middle
    }
    return words[low]?.startsWith(prefix) === true
  }

  /** The words in a row; with `ending`, the last word is one of its words or starts with its prefix. */
  holdsPhrase(asked: readonly string[], ending: Ending | undefined): boolean {
    if (!asked.every((tok) => this.terms.has(tok))) return false
    const { toks } = this.document
    const last = toks.length - asked.length - (ending ? 1 : 0)
    for (let at = 0; at <= last; at++) {
      let i = 0
      while (i < asked.length && toks[at + i] === asked[i]) i++
      if (i < asked.length) continue
      if (!ending || isEnding(toks[at + i]!, ending)) return true
    }
    return false
  }
}

/**
 * The post that an event of the log carries. Undefined if its bytes cannot be read, because they are damaged or another
 * version wrote them: one such event must not keep its readers from those after it.
 */
export function readPercolatedPost(bytes: Uint8Array): PercolatedPost | undefined {
  try {
    const post = new PercolatedPost(unpackDocument(bytes))
    // A document that lacks a list fails here instead of where it is matched, one without a group where its story is looked up.
    return post.terms.has(EVERY_POST) && post.document.group !== undefined ? post : undefined
  } catch {
    return undefined
  }
}

function isEnding(tok: string, { prefix, toks }: Ending): boolean {
  return prefix === undefined ? toks.includes(tok) : tok.startsWith(prefix)
}
