import { getOrMake } from '../../model/get-or-make.ts'
import type { PostRef } from '../../model/post.ts'
import type { IndexBatch, IndexDocument } from '../search-index.ts'
import { fingerprintOf } from '../document-fingerprint.ts'
import { idOf, weekOf, type IndexedPost } from './indexed-posts.ts'
import { sourceOf, type Source } from './mapping.ts'

/** What happens to one post: it is written whole into its week, and removed from other weeks. */
export interface Outcome {
  readonly id: string
  readonly ref: PostRef
  /** Undefined if the post is removed. */
  readonly source: Source | undefined
  /** Weeks that hold the post but no longer should. */
  readonly left: readonly IndexedPost[]
}

interface Standing {
  readonly ref: PostRef
  readonly before: readonly IndexedPost[]
  now: Source | undefined
  isChanged: boolean
  /** The indexed version, whose source may not have been read: then only a whole document can change it. */
  indexed: IndexedPost | undefined
}

/**
 * What a batch does to the posts it names, in order, by the rules of `IndexBatch`. Pure. `indexed` are the versions that the
 * index has of these posts, with their sources where only the counters may change.
 */
export function outcomesOf(
  batch: IndexBatch,
  indexed: ReadonlyMap<string, readonly IndexedPost[]>,
  seq: number,
): { outcomes: Outcome[]; subscribers: Map<number, number> } {
  const standings = new Map<string, Standing>()
  const subscribers = new Map<number, number>()

  function standingOf(ref: PostRef): Standing {
    const id = idOf(ref)
    return getOrMake(standings, id, () => {
      const before = indexed.get(id) ?? []
      const newest = before.toSorted((a, b) => b.seq - a.seq)[0]
      return { ref, before, now: newest?.source, isChanged: false, indexed: newest }
    })
  }

  function put(document: IndexDocument): void {
    const standing = standingOf(document)
    const indexed = standing.now ?? standing.indexed
    if (indexed && indexed.rev > document.revision) return
    subscribers.set(document.channelId, document.subscribers)
    const isSame = indexed?.print === fingerprintOf(document)
    // If the content is the same, the prior stays, and walks that have begun continue to see the post.
    const made = sourceOf(document, seq, isSame ? indexed.prior : undefined)
    const isMoved = !isSame || indexed.grp !== made.grp || indexed.copy !== made.copy
    const source = isMoved ? made : { ...made, seq: indexed.seq }
    // A crash between two requests may have left the post in two weeks.
    const isElsewhere = standing.before.some((each) => weekOf(each) !== weekOf(source))
    if (isMoved || isElsewhere || !hasSame(indexed, source)) standing.isChanged = true
    standing.now = source
  }

  function takeOut(ref: PostRef): void {
    const standing = standingOf(ref)
    if (standing.now || standing.indexed) standing.isChanged = true
    standing.now = undefined
    standing.indexed = undefined
  }

  batch.puts?.forEach(put)
  batch.removals?.forEach(takeOut)
  for (const { views, reactions, ...ref } of batch.counters ?? []) {
    const standing = standingOf(ref)
    if (!standing.now || hasSame({ ...standing.now, views, reactions }, standing.now)) continue
    standing.now = { ...standing.now, views, reactions }
    standing.isChanged = true
  }
  for (const { channelId, subscribers: count } of batch.channels ?? []) {
    subscribers.set(channelId, count)
  }
  for (const channelId of batch.removedChannels ?? []) {
    subscribers.set(channelId, 0)
    for (const { ref } of standings.values()) if (ref.channelId === channelId) takeOut(ref)
  }

  const outcomes = [...standings].flatMap(([id, { ref, before, now: source, isChanged }]) => {
    if (!isChanged) return []
    const left = before.filter((each) => !source || weekOf(each) !== weekOf(source))
    return [{ id, ref, source, left }]
  })
  return { outcomes, subscribers }
}

function hasSame(a: IndexedPost | Source | undefined, b: Source): boolean {
  return a?.rev === b.rev && a.views === b.views && a.reactions === b.reactions
}
