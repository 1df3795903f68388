import { lengthInWords } from '../post-length.ts'
import type { Candidate } from '../rank.ts'
import { stemTerm, wordHash } from '../terms.ts'
import type { Words } from '../word-places.ts'
import type { Source } from './mapping.ts'

/** Everything the ranker looks at. */
export interface RankColumns {
  readonly candidate: Omit<Candidate, 'places'>
  readonly group: number | null
  readonly words: Words
  /** The post's words, each preceded by a space; only filled if the query contains prefixes. */
  readonly texts: string
}

/** Prior, length, words of the first line, whether it is a copy, group. */
const HEAD = 5
/** Length of the string of 0 and 1 that rules out most words at a glance; a power of two. */
const SIEVE = 1_024

/**
 * Adds two columns: what the ranker looks at, and the words themselves, for queries with prefixes. There are not more, as
 * each is another lookup for every one of hundreds of candidates. Both can be computed from the rest and are kept as
 * columns only, since stored fields are costly to read.
 */
export function withRankColumns(source: Source): Source & { rank: string; texts: string } {
  const [toks, stems] = [wordsIn(source.w), wordsIn(source.s)]
  const column = new Uint32Array(HEAD + 2 * toks.length)
  const { prior, first, copy, grp = 0 } = source
  column.set([prior, lengthInWords(toks), first, Number(copy), grp])
  // After the head come the hashes of the folded words, then those of the stems.
  for (const [i, tok] of toks.entries()) {
    column[HEAD + i] = wordHash(tok)
    column[HEAD + toks.length + i] = wordHash(stemTerm(stems[i] ?? tok))
  }
  const rank = Buffer.from(column.buffer).toString('base64')
  return { ...source, rank, texts: Buffer.from(source.w).toString('base64') }
}

/**
 * The script (Painless) that reduces both columns to what a query needs: the head, the number of words, the position and
 * hash of each wanted word, and the words with a wanted prefix. That is a tenth of the columns, to write, to send and to
 * read.
 */
const HELD = `
  def column = doc['rank'].value;
  byte[] b = column.bytes;
  int from = column.offset;
  int words = from + ${4 * HEAD};
  int end = from + column.length;
  String sieve = params.sieve;
  List hashes = params.hashes;
  List held = new ArrayList();
  for (int p = from; p < end; p += 4) {
    if (p == words) held.add((end - words) / 8);
    int value = b[p] & 255 | (b[p + 1] & 255) << 8 | (b[p + 2] & 255) << 16 | b[p + 3] << 24;
    if (p < words) held.add(value);
    else if (sieve.charAt(value & ${SIEVE - 1}) == (char) '1' && Collections.binarySearch(hashes, value) >= 0) {
      held.add((p - words) / 4);
      held.add(value);
    }
  }
  List prefixes = params.prefixes;
  if (prefixes.size() > 0) {
    String texts = ' ' + doc['texts'].value.utf8ToString();
    for (String prefix : prefixes) {
      int place = 0;
      int seen = 0;
      for (int at = texts.indexOf(prefix); at >= 0; at = texts.indexOf(prefix, at + 1)) {
        for (int space = texts.indexOf(' ', seen); space < at; space = texts.indexOf(' ', seen)) {
          place++;
          seen = space + 1;
        }
        int next = texts.indexOf(' ', at + 1);
        held.add(place);
        held.add(texts.substring(at + 1, next < 0 ? texts.length() : next));
      }
    }
  }
  return held`

/** Asks for `held`, which `unpackHeld` reads. */
export function heldFields(wanted: Iterable<number>, prefixes: readonly string[]): object {
  const hashes = [...wanted].sort((a, b) => a - b)
  const sieve = Array.from({ length: SIEVE }, () => 0)
  for (const hash of hashes) sieve[hash % SIEVE] = 1
  // Behind a space, a prefix is found by a plain search in the text.
  const begun = [...new Set(prefixes)].map((prefix) => ` ${prefix}`)
  const params = { sieve: sieve.join(''), hashes, prefixes: begun }
  return { script_fields: { held: { script: { source: HELD, params } } } }
}

/** Reads `held` as if it were both columns, without the words that nobody looks for. */
export function unpackHeld(held: readonly (number | string)[]): RankColumns {
  const toks = Number(held[HEAD] ?? 0)
  const column = new Uint32Array(HEAD + 2 * toks)
  for (let i = 0; i < HEAD; i++) column[i] = Number(held[i])
  let texts = ''
  const positions = new Set<number>()
  for (let i = HEAD + 1; i < held.length; i += 2) {
    const [place, found] = [Number(held[i]), held[i + 1]!]
    if (typeof found === 'string') texts += ` ${found}`
    column[HEAD + place] = typeof found === 'string' ? wordHash(found) : found
    // After the words come their stems.
    positions.add(place < toks ? place : place - toks)
  }
  const columns = readColumn(column)
  return { ...columns, words: { ...columns.words, held: positions }, texts }
}

const wordsIn = (text: string) => (text === '' ? [] : text.split(' '))

function readColumn(column: Uint32Array): Omit<RankColumns, 'texts'> {
  const [prior = 0, words = 0, firstLine = 0, copy = 0, group = 0] = column
  const toks = (column.length - HEAD) / 2
  return {
    candidate: { prior, words, firstLine, toks, isCopy: copy === 1 },
    group: group === 0 ? null : group,
    words: { toks: column.subarray(HEAD, HEAD + toks), stems: column.subarray(HEAD + toks) },
  }
}
