import { hash48 } from '../model/hash48.ts'
import { refKey, type PostRef } from '../model/post.ts'
import { sameStory } from '../text/fingerprint.ts'
import type { Fingerprinted, Standing } from './groups.ts'

/** What is stored about the posts and keys of a batch. */
export interface KnownGroups {
  /** By the key of the post. */
  readonly members: ReadonlyMap<number, Membership>
  /** The first group that each key or band was linked to. */
  readonly keys: ReadonlyMap<number, number>
  /** The sketch of each group's leading post. */
  readonly sketches: ReadonlyMap<number, readonly number[]>
  /** The number of the next group. */
  readonly nextGroup: number
}

export interface Membership {
  readonly group: number
  readonly sec: number
  readonly print: number
}

/** What a batch changes. */
export interface JoinPlan {
  readonly created: ReadonlyMap<number, readonly number[]>
  /** New links from keys and bands to groups. */
  readonly linked: ReadonlyMap<number, number>
  /** `to` is undefined when the post is no longer in any group. */
  readonly moved: ReadonlyMap<number, PostRef & { readonly to: Membership | undefined }>
  /** Groups that a post joined or left. */
  readonly touched: ReadonlySet<number>
  /** The group of each post of the batch; undefined for one with nothing to compare. */
  readonly groups: readonly (number | undefined)[]
}

/** Leader clustering of near-duplicates: a post joins the group whose leading post it resembles, or leads a new one. */
export function planJoin(known: KnownGroups, posts: readonly Fingerprinted[]): JoinPlan {
  const created = new Map<number, readonly number[]>()
  const linked = new Map<number, number>()
  const moved = new Map<number, PostRef & { to: Membership | undefined }>()
  const touched = new Set<number>()
  let nextGroup = known.nextGroup
  const groupOf = (key: number) => linked.get(key) ?? known.keys.get(key)
  const sketchOf = (group: number) => created.get(group) ?? known.sketches.get(group) ?? []

  function assign(post: Fingerprinted): number | undefined {
    if (post.keys.length + post.bands.length === 0) return undefined
    let group = post.keys.map(groupOf).find((each) => each !== undefined)
    group ??= mostSimilar(post, groupOf, sketchOf)
    if (group === undefined) created.set((group = nextGroup++), post.sketch)
    for (const key of [...post.keys, ...post.bands]) {
      if (groupOf(key) === undefined) linked.set(key, group)
    }
    return group
  }

  const groups = posts.map((post) => {
    const { channelId, number } = post
    const key = refKey(post)
    const held = moved.has(key) ? moved.get(key)!.to : known.members.get(key)
    const print = hash48(JSON.stringify([post.keys, post.bands, post.sketch]))
    const sec = Math.floor(post.publishedAt / 1000)
    if (held?.print === print && held.sec === sec) return held.group
    const group = held?.print === print ? held.group : assign(post)
    for (const each of [held?.group, group]) if (each !== undefined) touched.add(each)
    if (held ?? group) {
      const to = group === undefined ? undefined : { group, sec, print }
      moved.set(key, { channelId, number, to })
    }
    return group
  })
  return { created, linked, moved, touched, groups }
}

function mostSimilar(
  { bands, sketch }: Fingerprinted,
  groupOf: (key: number) => number | undefined,
  sketchOf: (group: number) => readonly number[],
): number | undefined {
  let best: number | undefined
  let most = -1
  for (const group of new Set(bands.map(groupOf))) {
    const alike = group === undefined ? undefined : sameStory(sketch, sketchOf(group))
    if (alike === undefined || alike <= most) continue
    best = group
    most = alike
  }
  return best
}

/** `earliest` holds the first two members, ordered by second of publication, channel and number; fewer in a smaller group. */
export function standingIn(
  group: number | undefined,
  earliest: readonly PostRef[],
  post: PostRef,
): Standing {
  const [first, second] = earliest
  if (group === undefined || !first || !second) return { group: null, isCopy: false }
  return { group, isCopy: refKey(first) !== refKey(post) }
}

/** Members whose standing changed because others moved; those that moved themselves are left out. */
export function shifted(
  before: readonly PostRef[],
  after: readonly PostRef[],
  hasMoved: (post: PostRef) => boolean,
): PostRef[] {
  const seen = new Map([...before, ...after].map((post) => [refKey(post), post]))
  return [...seen.values()].filter((post) => {
    if (hasMoved(post)) return false
    const [was, is] = [standingIn(1, before, post), standingIn(1, after, post)]
    return was.group !== is.group || was.isCopy !== is.isCopy
  })
}
