import type { Entity } from '../model/post.ts'
import type { Analysis, Token } from './analyze.ts'
import { normaliseUrl } from './urls.ts'

/**
 * Near-duplicates. `exact` catches plain copies: a hash of the folded words without links, names and the channel's
 * footer. `bands` catch the rest: posts that share a band are candidates, and `sameStory` of their sketches decides.
 */

export interface Fingerprint {
  /** 16 hexadecimal digits; null for a post without words. */
  readonly exact: string | null
  /** Eight keys, empty for posts too short to compare. */
  readonly bands: Uint32Array
  /** One byte for each of 64 bins, one for the number of distinct shingles, eight for numbers; empty when `bands` is. */
  readonly sketch: Uint8Array
}

/** Two posts at least this similar are one story. */
const SIMILAR = 0.5
/**
 * So are a post and a part of it, or two posts sent as one: less similar, but nearly all of the smaller is contained in the
 * larger. A part smaller than `MIN_PART` is mostly what a channel puts under all its posts.
 */
const PART_SIMILAR = 0.3
const CONTAINED = 0.85
const MIN_PART = 12

const BINS = 64
/** P(candidate) = 1 − (1 − J)⁸: 99.6 % at J = 0.5, 94 % at 0.3. Most word pairs that are the minimum of a bin are rare. */
const BANDS = 8
/** Shorter posts have too much in common by accident. */
const MIN_TOKENS = 8
const SHINGLE = 2
/**
 * A number counts as this many additional pairs: daily weather or prices in the same words are different news, while one
 * number corrected in thirty words is the same news. Six separates posts in which every tenth word is a new number. If there
 * are several numbers, each counts twice as much: correcting one of them changes little, changing all is different news.
 */
const NUMBER_WEIGHT = 6
const SEVERAL_WEIGHT = 12
const NUMBER = /^[0-9]+$/
const NUMBER_BYTES = 8
/** Later words of a long post are ignored. */
const MAX_TOKENS = 1024

const NO_BANDS = new Uint32Array(0)
const NO_SKETCH = new Uint8Array(0)

/** `entities` are the post's own, for links that do not show in the text. */
export function fingerprint(
  text: string,
  analysis: Analysis,
  entities: readonly Entity[] = [],
): Fingerprint {
  const body = bodyTokens(text, analysis, entities)
  const tokens = body.length > 0 ? body : analysis.tokens
  if (tokens.length === 0) return { exact: null, bands: NO_BANDS, sketch: NO_SKETCH }
  const words = tokens.map(({ tok }) => tok)
  const exact = exactHash([...words, ...tellingAddresses(text, analysis, entities, body.length)])
  if (tokens.length < MIN_TOKENS) return { exact, bands: NO_BANDS, sketch: NO_SKETCH }
  return { exact, ...minHash(words.slice(0, MAX_TOKENS)) }
}

const ADVERTISED = /^https?:\/\/(?:t|telegram)\.me\//i

/** The addresses by which posts with few words of their own, or none, are told apart. */
function tellingAddresses(
  text: string,
  analysis: Analysis,
  entities: readonly Entity[],
  words: number,
): string[] {
  if (words >= MIN_TOKENS) return []
  const shown = analysis.entities
    .filter(({ term }) => term.startsWith('site:'))
    .map(({ start, end }) => text.slice(start, end))
  const hidden = entities.flatMap((entity) => (entity.type === 'text_link' ? [entity.url] : []))
  const addresses = [...shown, ...hidden].flatMap((each) => (each && normaliseUrl(each)) || [])
  // In a post with words, a link to a channel is how a copy names its own channel or its source.
  return words === 0 ? addresses : addresses.filter((address) => !ADVERTISED.test(address))
}

/** The similarity of two sketches of one story, 0 to 1; undefined if they are not one story or a post was too short. */
export function sameStory(a: ArrayLike<number>, b: ArrayLike<number>): number | undefined {
  const bins = Math.min(BINS, a.length, b.length)
  if (bins === 0 || haveOtherNumbers(a, b)) return undefined
  let equal = 0
  for (let i = 0; i < bins; i++) if (a[i] === b[i]) equal++
  // A byte agrees by accident once in 256.
  const alike = Math.max(0, (equal / bins - 1 / 256) / (1 - 1 / 256))
  if (equal / bins >= SIMILAR) return alike
  if (alike < PART_SIMILAR) return undefined
  const sizes = [sizeOf(a), sizeOf(b)]
  const smaller = Math.min(...sizes)
  if (smaller < MIN_PART) return undefined
  const common = (alike / (1 + alike)) * (sizes[0]! + sizes[1]!)
  return common / smaller >= CONTAINED ? alike : undefined
}

/** Posts with at least this many numbers are different news if they have less than this share of them in common. */
const MIN_NUMBERS = 3
const COMMON_NUMBERS = 0.4

/** Each number of a post sets one bit, so a part of a post has no bit that the whole lacks. */
function haveOtherNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const counts = { a: 0, b: 0, both: 0 }
  for (let at = BINS + 1; at < BINS + 1 + NUMBER_BYTES; at++) {
    const [left, right] = [a[at] ?? 0, b[at] ?? 0]
    counts.a += bitsIn(left)
    counts.b += bitsIn(right)
    counts.both += bitsIn(left & right)
  }
  const smaller = Math.min(counts.a, counts.b)
  return smaller >= MIN_NUMBERS && counts.both < COMMON_NUMBERS * smaller
}

function bitsIn(byte: number): number {
  let count = 0
  for (let left = byte; left !== 0; left &= left - 1) count++
  return count
}

/** Several numbers in a row are a date or time, and count as one. */
function numberBits(hashes: Uint32Array, isNumber: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(NUMBER_BYTES)
  for (let i = 0; i < hashes.length; i++) {
    if (!isNumber[i]) continue
    let run = hashes[i]!
    while (isNumber[i + 1]) run = mix(Math.imul(run, 31) + hashes[++i]!)
    bits[(run >>> 3) % NUMBER_BYTES]! |= 1 << (run & 7)
  }
  return bits
}

/** Sizes are kept as logarithms, in steps of 4 %. */
const SIZE_STEPS = 16

function sizeOf(sketch: ArrayLike<number>): number {
  return 2 ** (sketch[BINS]! / SIZE_STEPS)
}

/** The tokens outside links and names and above the footer. */
function bodyTokens(text: string, analysis: Analysis, entities: readonly Entity[]): Token[] {
  const spans: { readonly start: number; readonly end: number }[] = []
  for (const entity of analysis.entities) {
    if (entity.term.startsWith('@') || entity.term.startsWith('site:')) spans.push(entity)
  }
  const linked = entities.filter((e) => e.type === 'text_link' || e.type === 'mention')
  const marks = [...spans.map((s) => s.start), ...linked.map((e) => e.offset)]
  const end = footerStart(text, analysis.tokens, marks)
  spans.sort((a, b) => a.start - b.start)
  let next = 0
  return analysis.tokens.filter((token) => {
    while (next < spans.length && spans[next]!.end <= token.start) next++
    return token.end <= end && !(next < spans.length && spans[next]!.start <= token.start)
  })
}

/** A footer line is short and holds a link. More lines or words than this are a list, which is what the post says. */
const FOOTER_LINE_TOKENS = 12
const FOOTER_TOKENS = 16
const FOOTER_LINES = 5

/** Where the footer begins; the end of the text when there is none. The first line is never part of it. */
function footerStart(text: string, tokens: readonly Token[], marks: readonly number[]): number {
  if (marks.length === 0) return text.length
  let end = text.length
  let last = tokens.length
  for (let line = 0; ; line++) {
    const lineEnd = trimmedEnd(text, end)
    const start = text.lastIndexOf('\n', lineEnd - 1) + 1
    if (start === 0) return end
    let first = last
    while (first > 0 && tokens[first - 1]!.start >= start) first--
    const isLinked = marks.some((mark) => mark >= start && mark < lineEnd)
    if (!isLinked || last - first > FOOTER_LINE_TOKENS) return end
    if (line === FOOTER_LINES || tokens.length - first > FOOTER_TOKENS) return text.length
    end = start
    last = first
  }
}

function trimmedEnd(text: string, end: number): number {
  let i = end
  while (i > 0 && text.charCodeAt(i - 1) <= 0x20) i--
  return i
}

function minHash(words: readonly string[]): { bands: Uint32Array; sketch: Uint8Array } {
  const hashes = new Uint32Array(words.length)
  for (let i = 0; i < words.length; i++) hashes[i] = hashOf(words[i]!)
  const isNumber = words.map((word) => NUMBER.test(word))
  const bins = new Uint32Array(BINS).fill(0xffffffff)
  const distinct = new Set<number>()
  const add = (shingle: number) => {
    distinct.add(shingle)
    const bin = shingle >>> 26
    const value = (shingle << 6) >>> 0
    if (value < bins[bin]!) bins[bin] = value
  }
  let numbers = 0
  // A number counts together with the word before it, since small numbers are common; a date or time counts once.
  const isCounted = (i: number) => isNumber[i + 1]! && !isNumber[i]!
  for (let i = 0; i + SHINGLE <= hashes.length; i++) if (isCounted(i)) numbers++
  const weight = numbers > 1 ? SEVERAL_WEIGHT : NUMBER_WEIGHT
  for (let i = 0; i + SHINGLE <= hashes.length; i++) {
    let shingle = hashes[i]!
    for (let j = 1; j < SHINGLE; j++) shingle = mix(Math.imul(shingle, 31) + hashes[i + j]!)
    add(shingle)
    if (!isCounted(i)) continue
    for (let copy = 1; copy <= weight; copy++) add(mix(shingle + copy))
  }
  fillEmptyBins(bins)
  const bands = bins.slice(0, BANDS).map((bin, band) => mix(Math.imul(band, 31) + bin))
  const size = Math.min(255, Math.round(SIZE_STEPS * Math.log2(distinct.size)))
  const sketch = new Uint8Array(BINS + 1 + NUMBER_BYTES)
  sketch.set(bins.map(mix))
  sketch[BINS] = size
  sketch.set(numberBits(hashes, isNumber), BINS + 1)
  return { bands, sketch }
}

/** Short posts leave bins empty; each borrows from a full bin that depends only on its number (optimal densification). */
function fillEmptyBins(bins: Uint32Array): void {
  const full = bins.slice()
  for (let bin = 0; bin < BINS; bin++) {
    for (let attempt = 1; bins[bin] === 0xffffffff && attempt < 4096; attempt++) {
      const donor = full[mix(bin * 8191 + attempt) % BINS]!
      if (donor !== 0xffffffff) bins[bin] = donor
    }
  }
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return mix(hash)
}

/** 64 bits, made of two independent hashes over all words. */
function exactHash(words: readonly string[]): string {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (const tok of words) {
    for (let i = 0; i < tok.length; i++) {
      const unit = tok.charCodeAt(i)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ unit, 0x5bd1e995)
      high ^= high >>> 15
    }
    low = Math.imul(low ^ 0x20, 0x01000193)
    high = Math.imul(high ^ 0x20, 0x5bd1e995)
  }
  return hex(mix(low)) + hex(mix(high))
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}

/** Murmur3's finaliser: every bit of the input affects every bit of the output. */
function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
