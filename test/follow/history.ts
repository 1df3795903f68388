import type { Post } from '../../src/model/post.ts'
import { createRandom, type Random } from '../../src/search/contract/sample.ts'
import { makePost } from '../../src/store/contract/make-post.ts'

/** What may happen to posts between two looks at a search, generated from a seed. */

const WORDS =
  'flood metro tunnel closed water storm power budget votes runner running runway'.split(' ')
const HOUR = 3_600_000

export interface Step {
  readonly posts: readonly Post[]
  readonly deleted: readonly number[]
}

export interface History {
  readonly random: Random
  /** A few posts that arrive, some long after their publication, and edits and deletions of known ones. */
  step(now: number): Step
  /** Words, alternatives, phrases, prefixes and negations. */
  query(): string
}

export function createHistory(seed: number): History {
  const random = createRandom(seed)
  const known = new Map<number, Post>()
  let next = 1
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const text = () => Array.from({ length: 2 + below(6) }, () => pick(WORDS)).join(' ')
  /** Mostly a moment ago; a late crawl brings posts from hours ago, a first crawl those from days ago. */
  const age = () =>
    random() < 0.7 ? below(60_000) : random() < 0.6 ? below(40) * HOUR : 100 * HOUR

  return {
    random,
    step(now) {
      const posts: Post[] = []
      const deleted: number[] = []
      for (let i = below(4); i > 0; i--) {
        posts.push(makePost({ number: next++, publishedAt: now - age(), text: text() }))
      }
      for (const post of known.values()) {
        const chance = random()
        if (chance < 0.08) posts.push({ ...post, text: text() })
        else if (chance < 0.12) deleted.push(post.number)
      }
      for (const post of posts) known.set(post.number, post)
      for (const number of deleted) known.delete(number)
      return { posts, deleted }
    },
    query() {
      const word = () => {
        const chance = random()
        if (chance < 0.12) return `${pick(WORDS).slice(0, 3)}*`
        if (chance < 0.2) return `"${pick(WORDS)} ${pick(WORDS)}"`
        if (chance < 0.3) return `=${pick(WORDS)}`
        return pick(WORDS)
      }
      const chance = random()
      if (chance < 0.4) return word()
      if (chance < 0.6) return `${word()} OR ${word()}`
      if (chance < 0.8) return `${word()} -${pick(WORDS)}`
      return `${word()} ${word()}`
    },
  }
}
