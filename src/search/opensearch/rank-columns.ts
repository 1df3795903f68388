import type { Candidate } from '../rank.ts'
import { stemTerm, wordHash } from '../terms.ts'
import type { Words } from '../word-places.ts'

/**
 * All that the ranker looks at, in one column: hundreds of candidates are read for a page, and each column more is a look
 * more at every one of them.
 */
export interface RankColumn {
  readonly candidate: Omit<Candidate, 'places'>
  readonly group: number | null
  readonly words: Words
}

interface Ranked extends Pick<Candidate, 'words' | 'firstLine' | 'prior' | 'isCopy'> {
  readonly group: number | null
  readonly toks: readonly string[]
  readonly stems: readonly string[]
}

/** Prior, length, words of the first line, whether it is a copy, group. */
const HEAD = 5

/** Behind the head the hashes of its folded words, then of its stems, four bytes each. */
export function packRank(post: Ranked): string {
  const { toks, stems } = post
  const column = new Uint32Array(HEAD + 2 * toks.length)
  column.set([post.prior, post.words, post.firstLine, Number(post.isCopy), post.group ?? 0])
  for (const [i, tok] of toks.entries()) {
    column[HEAD + i] = wordHash(tok)
    column[HEAD + toks.length + i] = wordHash(stemTerm(stems[i] ?? tok))
  }
  return Buffer.from(column.buffer).toString('base64')
}

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

/** Its words themselves, for queries that know some by their beginning: what is stored with a post is costly to read. */
export function packTexts(words: string): string {
  return Buffer.from(words).toString('base64')
}

/** A space before each word. */
export function unpackTexts(packed: string): string {
  return ` ${Buffer.from(packed, 'base64').toString()}`
}
