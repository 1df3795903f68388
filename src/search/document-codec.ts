import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { IndexDocument } from './search-index.ts'

/** A document in a few hundred bytes, for stores that keep many of them. */
export function packDocument(document: IndexDocument): Uint8Array {
  const { toks, stems, ...rest } = document
  // Most words are their own stem; those stems are written as empty strings.
  const others = stems.map((stem, i) => (stem === toks[i] ? '' : stem))
  const packed = { ...rest, toks: toks.join(BETWEEN), stems: others.join(BETWEEN) }
  return deflateRawSync(JSON.stringify(packed), { level: 3 })
}

export function unpackDocument(bytes: Uint8Array): IndexDocument {
  const packed = JSON.parse(inflateRawSync(bytes).toString()) as Packed
  const toks = listOf(packed.toks)
  const stems = toks.length === 0 ? [] : packed.stems.split(BETWEEN)
  return { ...packed, toks, stems: stems.map((stem, i) => stem || toks[i]!) }
}

type Packed = Omit<IndexDocument, 'toks' | 'stems'> & {
  readonly toks: string
  readonly stems: string
}

const BETWEEN = '\n'

function listOf(joined: string): string[] {
  return joined === '' ? [] : joined.split(BETWEEN)
}
