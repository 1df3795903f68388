import { lengthInWords } from '../post-length.ts'
import type { Candidate } from '../rank.ts'
import { stemTerm, wordHash } from '../terms.ts'
import type { Words } from '../word-places.ts'
import type { Source } from './mapping.ts'

/**
 * All that the ranker looks at, in one column: hundreds of candidates are read for a page, and each column more is a look
 * more at every one of them.
 */
interface RankColumn {
  readonly candidate: Omit<Candidate, 'places'>
  readonly group: number | null
  readonly words: Words
}

/** Prior, length, words of the first line, whether it is a copy, group. */
const HEAD = 5

/**
 * Adds two columns: what the ranker looks at, and the words themselves, for queries that know some by their beginning. Both
 * can be made of the rest and are stored as columns alone: what is stored with a post is costly to read.
 */
export function withRankColumns(source: Source): Source & { rank: string; texts: string } {
  const [toks, stems] = [wordsIn(source.w), wordsIn(source.s)]
  const column = new Uint32Array(HEAD + 2 * toks.length)
  const { prior, first, copy, grp = 0 } = source
  column.set([prior, lengthInWords(toks), first, Number(copy), grp])
  // Behind the head the hashes of its folded words, then of its stems.
  for (const [i, tok] of toks.entries()) {
    column[HEAD + i] = wordHash(tok)
    column[HEAD + toks.length + i] = wordHash(stemTerm(stems[i] ?? tok))
  }
  const rank = Buffer.from(column.buffer).toString('base64')
  return { ...source, rank, texts: Buffer.from(source.w).toString('base64') }
}

const wordsIn = (text: string) => (text === '' ? [] : text.split(' '))

export function unpackRank(packed: string): RankColumn {
  const bytes = Buffer.from(packed, 'base64')
  const end = bytes.byteOffset + bytes.length
  const column = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, end))
  const [prior = 0, words = 0, firstLine = 0, copy = 0, group = 0] = column
  const toks = (column.length - HEAD) / 2
  return {
    candidate: { prior, words, firstLine, toks, isCopy: copy === 1 },
    group: group === 0 ? null : group,
    words: { toks: column.subarray(HEAD, HEAD + toks), stems: column.subarray(HEAD + toks) },
  }
}

/** A space before each word. */
export function unpackTexts(packed: string): string {
  return ` ${Buffer.from(packed, 'base64').toString()}`
}
