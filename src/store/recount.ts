import { getOrMake } from '../model/get-or-make.ts'
import type { ArchivedPost } from '../model/post.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { flagsOf } from './post-codec.ts'
import { featuresOf, kindNumber } from './post-features.ts'
import { isCounted } from './post-rules.ts'

/**
 * The features of posts and the words by which channels are found are derived from texts by the analyzer, so a new version may
 * find other ones in old texts. All of them are then recomputed, channel by channel; the progress is stored in `totals`.
 */

/** The name of the total that holds the last channel that is done. */
export const PROGRESS = `derived/${ANALYZER_VERSION}`
export const DONE = -1

/** The cost of recomputing a channel's own words, measured in posts. */
const CHANNEL_COST = 10
/** A channel is started over when a post that was counted changed meanwhile, but only this often. */
const MAX_TRIES = 3

/** What an adapter reads and writes. */
export interface RecountRows {
  progress(): Promise<number>
  saveProgress(progress: number): Promise<void>
  nextChannel(after: number): Promise<number | undefined>
  /** The posts after a number, ascending, with their stored flags. */
  posts(channelId: number, after: number, limit: number): Promise<readonly FlaggedPost[]>
  /** Updates only posts whose flags are still the old ones. */
  setFlags(channelId: number, flags: readonly NewFlags[]): Promise<void>
  /** Writes a channel's words and counts. False, with nothing written, when its posts are no longer those that were seen. */
  finish(
    channelId: number,
    counts: readonly FeatureCount[],
    seen: PostsChecksum | null,
  ): Promise<boolean>
}

export interface FlaggedPost {
  readonly post: ArchivedPost
  readonly flags: number
}

export interface NewFlags {
  readonly number: number
  readonly old: number
  readonly flags: number
}

export interface FeatureCount {
  readonly kind: number
  readonly value: string
  posts: number
}

/** A checksum that tells whether the posts are still those that were counted. */
export interface PostsChecksum {
  posts: number
  revisions: number
  deleted: number
}

export function isSame(a: PostsChecksum, b: PostsChecksum): boolean {
  return a.posts === b.posts && a.revisions === b.revisions && a.deleted === b.deleted
}

/** The state of the channel being recounted. */
interface Walk {
  readonly channelId: number
  readonly tries: number
  readonly counts: Map<string, FeatureCount>
  readonly seen: PostsChecksum
  after: number
}

function newWalk(channelId: number, tries: number): Walk {
  const seen = { posts: 0, revisions: 0, deleted: 0 }
  return { channelId, tries, counts: new Map(), seen, after: 0 }
}

/** Returns a function that continues for about `limit` posts; it resolves to 0 when nothing is left. */
export function createRecount(rows: RecountRows): (limit: number) => Promise<number> {
  let walk: Walk | undefined

  async function goOn(limit: number): Promise<number> {
    let looked = 0
    let progress = await rows.progress()
    while (looked < limit && progress !== DONE) {
      const next = walk?.channelId ?? (await rows.nextChannel(progress))
      if (next === undefined) {
        await rows.saveProgress(DONE)
        break
      }
      walk ??= newWalk(next, 1)
      const wanted = limit - looked
      const found = await countPosts(rows, walk, wanted)
      looked += found
      if (found === wanted) break
      looked += CHANNEL_COST
      const { counts, seen, tries } = walk
      const isLast = tries === MAX_TRIES
      if (await rows.finish(next, [...counts.values()], isLast ? null : seen)) {
        await rows.saveProgress((progress = next))
        walk = undefined
      } else walk = newWalk(next, tries + 1)
    }
    return looked
  }

  return async (limit) => {
    try {
      return await goOn(limit)
    } catch (error) {
      // The walk may have passed posts whose flags were not written: start the channel over.
      walk = undefined
      throw error
    }
  }
}

async function countPosts(rows: RecountRows, walk: Walk, limit: number): Promise<number> {
  const { channelId, counts, seen } = walk
  const found = await rows.posts(channelId, walk.after, limit)
  const changed: NewFlags[] = []
  for (const { post, flags: old } of found) {
    const flags = flagsOf(post)
    if (flags !== old) changed.push({ number: post.number, old, flags })
    seen.posts += 1
    seen.revisions += post.revision
    seen.deleted += post.deletedAt === null ? 0 : 1
    walk.after = post.number
    if (!isCounted(post)) continue
    for (const { kind, value } of featuresOf(post)) {
      const none = () => ({ kind: kindNumber(kind), value, posts: 0 })
      getOrMake(counts, `${kind} ${value}`, none).posts += 1
    }
  }
  if (changed.length > 0) await rows.setFlags(channelId, changed)
  return found.length
}
