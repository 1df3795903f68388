/** nDCG@10 of the index on the judged set, beside plain BM25 over any of the words. */
import { readFileSync } from 'node:fs'
import type { Channel } from '../../src/model/channel.ts'
import type { ArchivedPost } from '../../src/model/post.ts'
import { grouped } from '../../src/indexing/derive.ts'
import { deriveDocument, detectPost, type DerivedPost } from '../../src/indexing/document.ts'
import { openTemporary } from '../open-temporary.ts'
import { openPlainIndex } from '../plain-index.ts'
import type { JudgedSet } from '../../src/search/contract/ranked.ts'
import { plainSearch } from '../../src/search/contract/sample.ts'
import type { IndexDocument } from '../../src/search/search-index.ts'
import { analyzeQueryWord } from '../../src/text/analyze-query.ts'
import { readQuery } from '../../src/text/query/read-query.ts'
import { createStillClock } from '../../src/simulator/clocks.ts'

const NOW = Date.UTC(2026, 4, 20, 12)
export const JUDGED_NOW = NOW
const clock = createStillClock(NOW)

interface Judged {
  readonly posts: readonly {
    readonly id: string
    readonly language: string
    readonly text: string
    readonly derived: DerivedPost
    readonly document: DerivedPost['document']
  }[]
  readonly queries: readonly {
    readonly id: string
    readonly language: string
    readonly kind: string
    readonly q: string
    readonly grades: ReadonlyMap<string, number>
  }[]
}

export interface Outcome {
  readonly mean: number
  readonly byQuery: ReadonlyMap<string, number>
}

export function readJudged(folder: URL = new URL('.', import.meta.url)): Judged {
  const rows = (name: string) =>
    readFileSync(new URL(name, folder), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t'))
  const channels = new Map<string, number>()
  const posts = rows('posts.tsv').map(([id, language, channel, hours, subscribers, text], i) => {
    if (!channels.has(channel!)) channels.set(channel!, channels.size + 1)
    const plain = text!.replaceAll('\\n', '\n')
    const derived = derivedOf({
      number: i + 1,
      channelId: channels.get(channel!)!,
      language: language!,
      publishedAt: NOW - Number(hours) * 3_600_000,
      subscribers: Number(subscribers),
      text: plain,
    })
    return { id: id!, language: language!, text: plain, derived, document: derived.document }
  })
  const queries = rows('queries.tsv').map(([id, language, kind, q, grades]) => ({
    id: id!,
    language: language!,
    kind: kind!,
    q: q!,
    grades: new Map(
      grades!.split(' ').map((each) => {
        const [post, grade] = each.split(':')
        return [post!, Number(grade)]
      }),
    ),
  }))
  return { posts, queries }
}

/** The document of a post without copies. */
export function documentOf(of: Parameters<typeof derivedOf>[0]): IndexDocument {
  return { ...derivedOf(of).document, group: null, isCopy: false }
}

/** Documents with their groups of copies, as an up-to-date index has them. */
export async function documentsOf(posts: readonly DerivedPost[]): Promise<IndexDocument[]> {
  const { groups } = await openTemporary(clock)
  await grouped(groups, posts)
  return grouped(groups, posts)
}

export function derivedOf(of: {
  number: number
  channelId: number
  language: string
  publishedAt: number
  subscribers: number
  text: string
}): DerivedPost {
  const post = {
    ...of,
    kind: 'post',
    revision: 1,
    edited: false,
    entities: [],
    media: [],
    poll: null,
    linkPreview: null,
    buttons: [],
    forwardedFrom: null,
    replyTo: null,
    views: null,
    reactions: [],
    firstCapturedAt: of.publishedAt,
  } as unknown as ArchivedPost
  const channel = {
    id: of.channelId,
    language: of.language,
    subscribers: { value: of.subscribers },
  } as unknown as Channel
  const known = {
    detect: () => ({ code: null, score: 0, letters: 0 }),
    detectObvious: () => undefined,
  }
  return deriveDocument(detectPost(post, known), channel, known)
}

/** The judged set in the form that the ranking contract takes. */
export async function judgedSet({ posts, queries }: Judged): Promise<JudgedSet> {
  const idOf = new Map(
    posts.map(({ id, document: { channelId, number } }) => [`${channelId}/${number}`, id]),
  )
  return {
    clock,
    documents: await documentsOf(posts.map((post) => post.derived)),
    queries: queries.map(({ q, grades }) => {
      const root = readQuery(q, { now: NOW }).root
      return {
        query: plainSearch(NOW, { root, sort: 'relevance', limit: 10 }),
        rate: (found) =>
          ndcg(
            found.map((ref) => idOf.get(ref)!),
            grades,
          ),
      }
    }),
  }
}

export async function evaluate(
  judged: Judged,
): Promise<{ readonly ours: Outcome; readonly bm25: Outcome; readonly bm25Stems: Outcome }> {
  await using plain = await openPlainIndex(clock)
  const { index, writer } = plain
  const set = await judgedSet(judged)
  await writer.apply({ puts: set.documents })
  const ours = new Map<string, number>()
  for (const [i, { query, rate }] of set.queries.entries()) {
    const { hits } = await index.search(query)
    ours.set(judged.queries[i]!.id, rate(hits.map((hit) => `${hit.channelId}/${hit.number}`)))
  }
  return {
    ours: outcome(ours),
    bm25: outcome(bm25(judged, false)),
    bm25Stems: outcome(bm25(judged, true)),
  }
}

function outcome(byQuery: ReadonlyMap<string, number>): Outcome {
  const values = [...byQuery.values()]
  return { byQuery, mean: values.reduce((sum, each) => sum + each, 0) / values.length }
}

/** BM25 with k1 1.2, b 0.75, matching any word: what a plain engine does with the query. */
function bm25(judged: Judged, withStems: boolean): Map<string, number> {
  const termsOf = (document: DerivedPost['document']) =>
    withStems ? document.stems : document.toks
  const mean =
    judged.posts.reduce((sum, { document }) => sum + document.toks.length, 0) / judged.posts.length
  const results = new Map<string, number>()
  for (const { id, q, grades } of judged.queries) {
    const wanted = analyzeQueryWord(q.replaceAll('"', ' ')).alternatives.flat()
    const scores = judged.posts.map(({ id: post, document }) => {
      let score = 0
      for (const term of wanted) {
        const forms = new Set(withStems ? term.stems : term.toks)
        const tf = termsOf(document).filter((each) => forms.has(each)).length
        if (tf === 0) continue
        const df = judged.posts.filter((each) =>
          termsOf(each.document).some((t) => forms.has(t)),
        ).length
        const idf = Math.log(1 + (judged.posts.length - df + 0.5) / (df + 0.5))
        const length = 1.2 * (1 - 0.75 + (0.75 * document.toks.length) / mean)
        score += (idf * tf * 2.2) / (tf + length)
      }
      return { post, score, at: document.publishedAt }
    })
    const ranked = scores
      .filter((each) => each.score > 0)
      .sort((a, b) => b.score - a.score || b.at - a.at)
    results.set(
      id,
      ndcg(
        ranked.slice(0, 10).map((each) => each.post),
        grades,
      ),
    )
  }
  return results
}

export function ndcg(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (grade: number, at: number) => (2 ** grade - 1) / Math.log2(at + 2)
  const got = found.reduce((sum, id, at) => sum + gain(grades.get(id) ?? 0, at), 0)
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, 10)
  return got / best.reduce((sum, grade, at) => sum + gain(grade, at), 0)
}
