import type { DerivedPost } from '../src/indexing/document.ts'
import { analyzeQueryWord } from '../src/text/analyze-query.ts'

const K1 = 1.2
const B = 0.75

/** Any of the words, ordered by BM25, ties newest first: what a plain engine does with a query. */
export function createBm25(
  posts: readonly { readonly id: string; readonly document: DerivedPost['document'] }[],
  field: 'stems' | 'toks',
): (q: string) => string[] {
  const postings = new Map<string, Map<number, number>>()
  posts.forEach(({ document }, at) => {
    for (const term of document[field]) {
      let list = postings.get(term)
      if (!list) postings.set(term, (list = new Map()))
      list.set(at, (list.get(at) ?? 0) + 1)
    }
  })
  const lengths = posts.map(({ document }) => document.toks.length)
  const mean = lengths.reduce((sum, each) => sum + each, 0) / posts.length

  return (q) => {
    const scores = new Map<number, number>()
    for (const term of analyzeQueryWord(q).alternatives.flat()) {
      const times = new Map<number, number>()
      for (const form of new Set(field === 'stems' ? term.stems : term.toks)) {
        for (const [at, tf] of postings.get(form) ?? []) times.set(at, (times.get(at) ?? 0) + tf)
      }
      const idf = Math.log(1 + (posts.length - times.size + 0.5) / (times.size + 0.5))
      for (const [at, tf] of times) {
        const length = K1 * (1 - B + (B * lengths[at]!) / mean)
        scores.set(at, (scores.get(at) ?? 0) + (idf * tf * (K1 + 1)) / (tf + length))
      }
    }
    const when = (at: number) => posts[at]!.document.publishedAt
    return [...scores]
      .sort((a, b) => b[1] - a[1] || when(b[0]) - when(a[0]))
      .slice(0, 10)
      .map(([at]) => posts[at]!.id)
  }
}
