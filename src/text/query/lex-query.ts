/**
 * Query string → tokens. Reads what people paste as well as what they type: typographic quotes, full-width signs,
 * addresses, stray punctuation and invisible characters are dealt with here, so that the parser sees none of them.
 */
import type { QueryLeaf } from '../../model/query-tree.ts'
import { QueryProblem, replaceRange } from './query-problem.ts'
import {
  correctOperator,
  findOperator,
  parameterOf,
  type ParseContext,
  type LeafValue,
} from './query-operators.ts'
import { parseInstant } from '../parse-instant.ts'
import { addressAt } from '../scan-address.ts'
import { CASHTAG } from '../scan-entity.ts'
import { trimAddress } from '../trim-address.ts'
import { normaliseUrl } from '../urls.ts'

export type Token =
  | {
      readonly kind: '(' | ')' | 'or' | 'and' | 'not'
      readonly start: number
      readonly end: number
    }
  | {
      readonly kind: 'leaf'
      readonly start: number
      readonly end: number
      /** More than one only for a list such as `lang:ru,uk`. */
      readonly leaves: readonly QueryLeaf[]
      /** How many terms it counts as against the limit. */
      readonly terms: number
    }

const QUOTES = '"“”„‟＂«»'
const CLOSING: Readonly<Record<string, string>> = { '«': '»«', '»': '«»' }
/** A map and not an object: people search for words such as `constructor`, which every object has as a property. */
const KEYWORDS: ReadonlyMap<string, 'or' | 'and' | 'not'> = new Map([
  ['OR', 'or'],
  ['AND', 'and'],
  ['NOT', 'not'],
])

const PLAIN = String.raw`\p{L}\p{M}\p{N}_\p{Extended_Pictographic}\p{RI}\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}`
/** A word: from its first to its last letter, digit or emoji; `c++` and `c#` keep their signs. */
const WORD = new RegExp(
  String.raw`[${PLAIN}](?:(?:[^\s()|"“”„‟«»,;!?…、。؛،؟।]|(?<=\p{N}),(?=\p{N})|(?<=[\u0590-\u05ff])"(?=[\u0590-\u05ff]))*[${PLAIN}])?(?:\+\+?|#)?`,
  'uy',
)
const WORDS = new RegExp(WORD.source, 'gu')
const SEARCHABLE = /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u
const TERM = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu
const LETTER = /[\p{L}\p{N}]/gu
const HAS_LETTER = /[\p{L}\p{N}]/u
const HASHTAG = /#([\p{L}\p{M}\p{N}_\u200c\u00b7]*[\p{L}_][\p{L}\p{M}\p{N}_\u200c\u00b7]*)/uy
const MENTION = /@([A-Za-z](?:_?[A-Za-z0-9])+)(?![\p{L}\p{N}_])/uy
const URL_START = /(?:https?:\/\/|www\.[^\s.]+\.|(?:t|telegram)\.me\/)[^\s"“”„‟«»|]+/iy
const OPERATOR = /([A-Za-z][A-Za-z_-]{1,15}):(?!\/\/)/y
const VALUE = /[^\s()|"“”„‟«»]*/uy
/** Up to five words, as many as the longest time that `parseInstant` reads: `the last 7 days ago`. */
const TIME = /[^\s()|"“”„‟«»]+(?: +[^\s()|"“”„‟«»]+){0,4}/uy
const SPACE = /\s/u

/** The query without invisible characters and with full-width signs as ASCII; `at` maps each unit to its original offset. */
export function clean(q: string): { text: string; at: number[] } {
  let text = ''
  const at: number[] = []
  for (let i = 0; i < q.length;) {
    const char = String.fromCodePoint(q.codePointAt(i)!)
    const code = char.codePointAt(0)!
    let shown = char
    if (code >= 0xff01 && code <= 0xff5e) shown = String.fromCharCode(code - 0xfee0)
    else if (code === 0x2212) shown = '-'
    else if (/[\p{Cc}\p{Cs}\p{Co}\p{Z}]/u.test(char)) shown = ' '
    else if (/\p{Cf}/u.test(char) && !/\u200c|\u200d|[\u{E0020}-\u{E007F}]/u.test(char)) shown = ''
    for (let unit = 0; unit < shown.length; unit++) at.push(i + unit)
    text += shown
    i += char.length
  }
  at.push(q.length)
  return { text, at }
}

/**
 * With `isText` the query is running text: the signs of the query language are punctuation in it, and its hashtags, mentions,
 * addresses and emoji are optional (`wanted`) rather than required.
 */
export function lexQuery(q: string, asked: ParseContext, isText = false): Token[] {
  const { text, at } = clean(q)
  const tokens: Token[] = []
  const wanted = isText ? { wanted: true as const } : {}
  let i = 0

  const rest = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = i
    return pattern.exec(text)
  }
  const startsToken = () => i === 0 || SPACE.test(text[i - 1]!) || '(|'.includes(text[i - 1]!)
  const sign = (kind: '(' | ')' | 'or' | 'and' | 'not', length: number) => {
    tokens.push({ kind, start: at[i]!, end: at[i + length]! })
    i += length
  }
  const leaf = (values: readonly LeafValue[], from: number, to: number) => {
    const [start, end] = [at[from]!, at[to]!]
    const leaves = values.map((value) => ({ ...value, start, end }) as QueryLeaf)
    tokens.push({ kind: 'leaf', leaves, terms: countTerms(leaves), start, end })
    i = to
  }

  while (i < text.length) {
    const char = text[i]!
    if (SPACE.test(char)) i++
    else if (QUOTES.includes(char)) phrase()
    else if (isText) item()
    else if (char === '(' || char === ')') sign(char, 1)
    else if (char === '|') sign('or', text[i + 1] === '|' ? 2 : 1)
    else if (char === '-' && startsToken() && /[^\s)|-]/u.test(text[i + 1] ?? ' ')) sign('not', 1)
    else item()
  }
  return tokens

  function phrase(): void {
    const closing = CLOSING[text[i]!] ?? QUOTES.replaceAll(/[«»]/g, '')
    const end = findClosing(text, i + 1, closing)
    if (end === -1 && text[i] === '"' && !isText) {
      const inner = tidyPhrase(text.slice(i + 1))
      const fixed = inner === '' ? '' : `"${inner}"`
      throw new QueryProblem(
        at[i]!,
        'expected a closing quotation mark, found the end of the query',
        q.slice(0, at[i]) + fixed,
        // The phrase may be half of the query, so a lenient reader takes it as words, which find more.
        { read: replaceRange(q, at[i]!, at[i + 1]!, ' ') },
      )
    }
    // A lone typographic mark comes from pasted text and is punctuation.
    if (end === -1) {
      i++
      return
    }
    const inner = tidyPhrase(text.slice(i + 1, end))
    const kind = text[i] === '"' && !isText ? 'phrase' : 'quote'
    if (SEARCHABLE.test(inner)) leaf([{ kind, text: inner }], i, end + 1)
    else i = end + 1
  }

  function item(): void {
    if (url() || (!isText && operator()) || tagged() || (!isText && exact()) || word()) return
    // Punctuation without a meaning here is skipped.
    i += String.fromCodePoint(text.codePointAt(i)!).length
  }

  function url(): boolean {
    const found = rest(URL_START)?.[0] ?? pageAt(text, i)
    if (found === undefined) return false
    // If the whole is not a valid address, the part that would be read as a word may still be one.
    for (const address of [trimAddress(found), rest(WORD)?.[0] ?? '']) {
      const value = normaliseUrl(address)
      if (value === undefined) continue
      leaf([{ ...leafOfAddress(value, isText), ...wanted }], i, i + address.length)
      return true
    }
    return false
  }

  function operator(): boolean {
    const match = rest(OPERATOR)
    if (!match) return false
    const name = match[1]!
    const from = i + match[0].length
    const known = findOperator(name)
    if (!known) return misspelt(name)
    const { value, end } = (known.takesTime && readTime(from)) || readValue(from)
    const leaves: LeafValue[] = []
    for (const part of name.toLowerCase() === 'url' ? [value] : value.split(',')) {
      const result = known.read(part, asked)
      if ('ok' in result) {
        leaves.push(result.ok)
        continue
      }
      const found = part === '' ? 'nothing' : `"${part}"`
      throw new QueryProblem(
        at[from]!,
        `expected ${result.expected} as the value of ${name}:, found ${found}`,
        fixValue(name, part, result.nearest, from, end),
        { isRefused: part !== '' && !result.isSure },
      )
    }
    leaf(leaves, i, end)
    return true
  }

  /** Throws for a slip such as `form:durov`; false for words such as `note:well`. */
  function misspelt(name: string): false {
    const body = rest(WORD)![0]
    const value = body.slice(name.length + 1)
    if (value === '') return false
    const parameter = parameterOf(name, value)
    const meant = parameter === undefined ? correctOperator(name, value, asked) : ''
    if (meant === undefined) return false
    const advice =
      parameter === undefined
        ? `did you mean ${meant}?`
        : `the parameter ${parameter} is given beside the query`
    throw new QueryProblem(
      at[i]!,
      `expected an operator or words, found "${name}:", ${advice}`,
      replaceRange(q, at[i]!, at[i + body.length]!, meant),
    )
  }

  /** The value after `name:`, bare or quoted, without punctuation that ends a sentence. */
  function readValue(from: number): { value: string; end: number } {
    if (QUOTES.includes(text[from] ?? ' ')) {
      const close = findClosing(text, from + 1, QUOTES)
      if (close !== -1) return { value: text.slice(from + 1, close).trim(), end: close + 1 }
    }
    VALUE.lastIndex = from
    const raw = VALUE.exec(text)![0]
    const value = raw.replace(/[.,;:!?…]+$/u, '')
    return { value, end: from + value.length }
  }

  /** The longest run of words that reads as a time: in `after:2 days ago snow` only `snow` is left to search for. */
  function readTime(from: number): { value: string; end: number } | undefined {
    TIME.lastIndex = from
    let found = TIME.exec(text)?.[0] ?? ''
    while (SPACE.test(found)) {
      const value = found.replace(/[.,;:!?…]+$/u, '')
      if (parseInstant(value, asked.now, asked.zone) !== undefined) {
        return { value, end: from + value.length }
      }
      found = found.replace(/\s+\S+$/u, '')
    }
    return undefined
  }

  function fixValue(
    name: string,
    part: string,
    nearest: string | undefined,
    from: number,
    end: number,
  ): string {
    if (nearest !== undefined) {
      const value = text.slice(from, end).replace(part, () => nearest)
      return replaceRange(q, at[from]!, at[end]!, value)
    }
    if (part === '') {
      // In `from: durov` the word after the gap may be the value.
      VALUE.lastIndex = /\s*/uy.exec(text.slice(from))![0].length + from
      const next = VALUE.exec(text)![0]
      const known = findOperator(name)!
      if (next !== '' && 'ok' in known.read(next, asked)) {
        return replaceRange(q, at[from]!, at[VALUE.lastIndex]!, next)
      }
    }
    // Without the operator the value may still find something as a word.
    return replaceRange(q, at[i]!, at[end]!, part.replaceAll(/[:"]/g, ' '))
  }

  function tagged(): boolean {
    const match = rest(HASHTAG) ?? rest(MENTION) ?? rest(CASHTAG)
    if (!match) return false
    const kind = text[i] === '#' ? 'hashtag' : text[i] === '@' ? 'mention' : 'cashtag'
    const end = i + match[0].length
    if (!isText) refuseStar(end)
    if (kind === 'mention' && (match[1]!.length < 4 || match[1]!.length > 32)) return false
    leaf([{ kind, value: match[1]!.toLowerCase(), ...wanted }], i, end)
    // The possessive of `@durov's` is no word of its own.
    i += /^['’]\p{L}{1,2}(?!\p{L})/u.exec(text.slice(end, end + 4))?.[0].length ?? 0
    return true
  }

  function exact(): boolean {
    if (text[i] !== '=') return false
    WORD.lastIndex = i + 1
    const found = WORD.exec(text)?.[0]
    if (found === undefined || !SEARCHABLE.test(found)) return false
    const end = i + 1 + found.length
    refuseStar(end)
    leaf([{ kind: 'exact', text: found }], i, end)
    return true
  }

  /** The signs `#`, `@`, `$` and `=` take a whole word; a prefix can only be searched for without them. */
  function refuseStar(end: number): void {
    if (text[end] !== '*') return
    throw new QueryProblem(
      at[end]!,
      `expected a whole word after ${text[i]}, found "*"`,
      replaceRange(q, at[i]!, at[i + 1]!, ''),
    )
  }

  function word(): boolean {
    const found = rest(WORD)?.[0]
    if (found === undefined) return false
    const end = i + found.length
    const stars = isText ? 0 : (/^\*+/.exec(text.slice(end))?.[0].length ?? 0)
    const keyword = KEYWORDS.get(found)
    if (stars > 0) prefix(found, end, stars)
    else if (keyword && !isText && startsToken() && /[\s()|]/u.test(text[end] ?? ' '))
      sign(keyword, found.length)
    else if (SEARCHABLE.test(found)) {
      const text = keyword ? found.toLowerCase() : found
      leaf([{ kind: 'word', text, ...(HAS_LETTER.test(found) ? {} : wanted) }], i, end)
    } else i = end
    return true
  }

  function prefix(found: string, end: number, stars: number): void {
    if ((found.match(LETTER)?.length ?? 0) < 3) {
      throw new QueryProblem(
        at[i]!,
        `expected at least 3 letters before *, found "${found}*"`,
        replaceRange(q, at[i]!, at[end + stars]!, found),
      )
    }
    leaf([{ kind: 'prefix', text: found }], i, end + stars)
  }
}

/** An address without a scheme but with a path or query. A host alone is read as a word, which finds it too. */
function pageAt(text: string, from: number): string | undefined {
  // Without what precedes it: after an `@` that names nobody, the word would otherwise be no address until it is printed.
  const found = addressAt(text.slice(from), 0)
  return found !== undefined && /[^/][/?]./u.test(found) ? found : undefined
}

const CHANNEL = /^https:\/\/(?:t|telegram)\.me\/(?:s\/)?([a-z](?:_?[a-z0-9]){3,31})$/i
const SITE = /^https:\/\/([^/?:]+\.[^/?:.]+)\/?$/

/**
 * The address of a channel finds mentions of the channel, and that of a site finds links to any of its pages. In running
 * text the address of a site names the source of the text, so there it finds links to that very address only.
 */
function leafOfAddress(url: string, isText: boolean): LeafValue {
  const name = CHANNEL.exec(url)?.[1]
  if (name !== undefined) return { kind: 'mention', value: name.toLowerCase() }
  const host = isText ? undefined : SITE.exec(url)?.[1]
  return host === undefined ? { kind: 'url', value: url } : { kind: 'domain', value: host }
}

/** Position of the closing mark, or -1. In Hebrew a mark between two letters is part of an abbreviation. */
function findClosing(text: string, from: number, closing: string): number {
  for (let i = from; i < text.length; i++) {
    if (!closing.includes(text[i]!)) continue
    if (!/^[\u0590-\u05ff]"[\u0590-\u05ff]$/.test(text.slice(i - 1, i + 2))) return i
  }
  return -1
}

/** Quotation marks inside a phrase would end it when it is printed, so spaces replace them: they separate the same words. */
function tidyPhrase(inner: string): string {
  return inner
    .replaceAll(/(?<![\u0590-\u05ff])"|"(?![\u0590-\u05ff])|[“”„‟«»]/g, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** The distinct words of a quote, as they would be read without its quotation marks. */
export function wordsOfQuote(text: string): string[] {
  return [...new Set(text.match(WORDS))].filter((word) => SEARCHABLE.test(word))
}

/** How many terms the leaves count as against the limit; a phrase counts as many as it has words. */
export function countTerms(leaves: readonly QueryLeaf[]): number {
  let terms = 0
  for (const leaf of leaves) {
    terms += 'text' in leaf && !('at' in leaf) ? (leaf.text.match(TERM)?.length ?? 1) : 1
  }
  return terms
}
