import { addTo, getOrMake } from '../../model/get-or-make.ts'
import { createFrequencies, presearchLeaves, presearchTerms } from './presearcher.ts'
import type { PercolatedPost } from './percolated-post.ts'
import {
  holdsLeaf,
  isSatisfied,
  withLeaves,
  type Leaf,
  type StandingQuery,
} from './standing-query.ts'

export { PercolatedPost, readPercolatedPost } from './percolated-post.ts'
export { standingQuery, type StandingQuery } from './standing-query.ts'

/**
 * A search the other way round: queries wait, and a post finds those it satisfies. Each query is filed under its rarest
 * required condition, so that a post is compared with few of them. The result is the same as that of a search.
 */
interface Percolator<Key> {
  readonly size: number
  /** Learns how often the post's terms occur, as `match` does too: queries added later are filed accordingly. */
  learn(post: PercolatedPost): void
  /** Adds a query, or replaces the one with that key. */
  add(key: Key, query: StandingQuery): void
  delete(key: Key): void
  /** The keys of the queries that the post satisfies, in no particular order. */
  match(post: PercolatedPost): Key[]
}

/** Whether a post satisfies one query. */
export function predicateOf(standing: StandingQuery): (post: PercolatedPost) => boolean {
  return (post) => isSatisfied(standing, post)
}

interface Filed<Key> {
  readonly key: Key
  readonly query: StandingQuery
  readonly leaves: readonly SharedLeaf<Key>[]
  /** Null if every post has to be compared with the query. */
  readonly presearched: readonly SharedLeaf<Key>[] | null
  /** The last post it was compared with, so that it is compared with each post once. */
  postId: number
}

interface SharedLeaf<Key> extends Leaf {
  /** How many queries contain it. */
  uses: number
  /** Queries filed under it. */
  readonly filed: Filed<Key>[]
  /** The terms by which its posts are looked up; empty while no query is filed under it. */
  terms: readonly string[]
  /** The last post it was evaluated for, and the result. */
  postId: number
  holds: boolean
}

export function createPercolator<Key>(): Percolator<Key> {
  const frequencies = createFrequencies()
  const leaves = new Map<string, SharedLeaf<Key>>()
  const byTerm = new Map<string, SharedLeaf<Key>[]>()
  const queries = new Map<Key, Filed<Key>>()
  const everyPost: Filed<Key>[] = []
  let prefixTerms = 0
  let postId = 0

  const share = (given: Leaf) =>
    getOrMake(leaves, given.key, () => {
      return { ...given, uses: 0, filed: [], terms: [], postId: 0, holds: false }
    })

  function file(query: Filed<Key>, leaf: SharedLeaf<Key>): void {
    if (leaf.filed.push(query) > 1) return
    leaf.terms = presearchTerms(leaf, frequencies)
    for (const term of leaf.terms) {
      addTo(byTerm, term, leaf)
      if (term.startsWith('^')) prefixTerms++
    }
  }

  function unfile(query: Filed<Key>, leaf: SharedLeaf<Key>): void {
    drop(leaf.filed, query)
    if (leaf.filed.length > 0) return
    for (const term of leaf.terms) {
      const others = byTerm.get(term)!
      drop(others, leaf)
      if (others.length === 0) byTerm.delete(term)
      if (term.startsWith('^')) prefixTerms--
    }
    leaf.terms = []
  }

  function remove(key: Key): void {
    const query = queries.get(key)
    if (!query) return
    queries.delete(key)
    if (query.presearched === null) drop(everyPost, query)
    else for (const leaf of query.presearched) unfile(query, leaf)
    for (const leaf of query.leaves) if (--leaf.uses === 0) leaves.delete(leaf.key)
  }

  function match(post: PercolatedPost): Key[] {
    frequencies.learn(post)
    postId++
    const found: Key[] = []
    const holds = (each: Leaf): boolean => {
      const leaf = each as SharedLeaf<Key>
      if (leaf.postId !== postId) {
        leaf.postId = postId
        leaf.holds = holdsLeaf(post, leaf)
      }
      return leaf.holds
    }
    const hold = (query: Filed<Key>) => {
      if (query.postId === postId) return
      query.postId = postId
      if (isSatisfied(query.query, post, holds)) found.push(query.key)
    }
    const look = (term: string) => {
      for (const leaf of byTerm.get(term) ?? []) if (holds(leaf)) leaf.filed.forEach(hold)
    }
    everyPost.forEach(hold)
    post.terms.forEach(look)
    if (prefixTerms > 0) post.prefixTerms.forEach(look)
    return found
  }

  function add(key: Key, standing: StandingQuery): void {
    remove(key)
    const own = new Set<SharedLeaf<Key>>()
    const root =
      standing.root &&
      withLeaves(standing.root, (given) => {
        const leaf = share(given)
        own.add(leaf)
        return leaf
      })
    const found = root && presearchLeaves(root, frequencies)
    const presearched = found ? [...new Set(found as readonly SharedLeaf<Key>[])] : null
    const filed = { key, query: { ...standing, root }, leaves: [...own], presearched, postId: 0 }
    queries.set(key, filed)
    for (const leaf of filed.leaves) leaf.uses++
    if (presearched === null) everyPost.push(filed)
    else for (const leaf of presearched) file(filed, leaf)
  }

  return {
    get size() {
      return queries.size
    },
    learn: frequencies.learn,
    add,
    delete: remove,
    match,
  }
}

/** Removes an item; the order of the list does not matter. */
function drop<T>(list: T[], item: T): void {
  const last = list.pop()!
  if (last === item) return
  const at = list.indexOf(item)
  if (at < 0) list.push(last)
  else list[at] = last
}
