import { inParts } from '../../model/in-parts.ts'
import type { ArchivedPost, PostRef } from '../../model/post.ts'
import { planCopiedChannels, planCopiedPictures, planCopiedPosts, planLook } from '../plan/copy.ts'
import { APPENDED_AT_ONCE } from '../event-rules.ts'
import { isMeant } from '../channel-rules.ts'
import type { PictureRef } from '../pictures.ts'
import type { Store } from '../store.ts'
import { channelPages } from './channel-pages.ts'
import { barredIn, copyRegister, type Barred } from './copy-register.ts'

/**
 * Copies a store into another, of whatever kind, row by row. What is there already stays, so that a copy that was
 * interrupted goes on where it stopped. Statistics are counted as posts come; languages, terms and groups are derived anew by
 * the next indexer. The log of events comes along, so that no post is news again. Which post has which kept picture comes along,
 * its files do not. Quotas begin anew, and names of channels that are no more than candidates are found again.
 */
interface Move {
  readonly from: Store
  readonly to: Store
  readonly at: number
  readonly signal: AbortSignal
  readonly onProgress: (posts: number) => void
}

export interface Moved {
  readonly channels: number
  readonly posts: number
  readonly keys: number
  readonly removals: number
  readonly watches: number
  /** Those that were kept, of posts and channels. */
  readonly pictures: number
}

/** The target holds channels that the source has not. */
export class OtherDataError extends Error {
  override name = 'OtherDataError'
}

const BATCH = 2_000
/** Each with its names, words and days; whoever reads the target meanwhile waits no longer than for these. */
const CHANNELS_AT_ONCE = 100

export async function moveStore(move: Move): Promise<Moved> {
  await expectCopy(move)
  const keys = await copyKeys(move)
  const removals = await copyRegister(move)
  const barred = await barredIn(move)
  const channels = await copyChannels(move, barred)
  const posts = await copyPosts(move, barred)
  await copyEvents(move)
  const watches = await copyWatches(move)
  const pictures = channels.pictures + posts.pictures
  return { channels: channels.count, posts: posts.count, keys, removals, watches, pictures }
}

/** Before anything is written. What the source has removed since the copy was begun goes from the target, too. */
async function expectCopy({ from, to, signal }: Move): Promise<void> {
  for await (const channels of channelPages(to)) {
    signal.throwIfAborted()
    const ids = channels.map(({ id }) => id)
    const { channels: known = [] } = await from.run(() => planLook({ channels: { ids } }))
    const rowOf = new Map(known.map((row) => [row.id, row]))
    for (const channel of channels) {
      const { id, username: name, platformId, addedAt } = channel
      const row = rowOf.get(id)
      // Its numeric id may have been learnt since.
      if (row?.addedAt === addedAt && isMeant(row, channel)) continue
      if (await from.removals.find({ name, platformId })) continue
      throw new OtherDataError(
        `the target has a channel that the source has not, ${name}: name a store that is empty, or one that this copy was begun in; nothing was changed`,
      )
    }
  }
}

async function copyKeys({ from, to }: Move): Promise<number> {
  const keys = await from.ledger.keys()
  for (const { id, name, tier, createdAt, revokedAt, lastUsedAt, secretHashes } of keys) {
    const [first] = secretHashes
    if (first === undefined) continue
    const there = await to.ledger.key(id)
    if (!there) await to.ledger.addKey({ id, name, tier, createdAt, secretHash: first })
    const held = there?.secretHashes ?? [first]
    // A key that was rotated in the target has secrets of its own; one whose copy was cut lacks some of these.
    if (held.every((hash) => secretHashes.includes(hash))) {
      const missing = secretHashes.filter((hash) => !held.includes(hash))
      for (const hash of missing) await to.ledger.addSecret(id, hash)
    }
    if (lastUsedAt !== null) await to.ledger.touchKey(id, lastUsedAt)
    if (revokedAt !== null) await to.ledger.revokeKey(id, revokedAt)
  }
  return keys.length
}

/**
 * The next indexer makes every post searchable again, and takes those of the last days for news unless the log has them. A
 * post that was deleted since needs nobody to be told, and its words stay behind.
 */
async function copyEvents({ from, to, signal }: Move): Promise<void> {
  for (let seq = 0; ;) {
    const events = await from.events.after(seq, APPENDED_AT_ONCE)
    if (events.length === 0) return
    signal.throwIfAborted()
    const posts = await to.archive.posts(events)
    await to.events.append(
      events.flatMap(({ channelId, number, revision, document }, i) => {
        const post = posts[i]
        if (!document || !post || post.deletedAt !== null) return []
        const { publishedAt, firstCapturedAt } = post
        return [
          { channelId, number, revision, publishedAt, firstCapturedAt, document: () => document },
        ]
      }),
    )
    seq = events.at(-1)!.seq
  }
}

/** What they told and have to send stays behind: they begin anew, with what the new store learns from then on. */
async function copyWatches({ from, to }: Move): Promise<number> {
  const { last: since } = await to.events.place()
  let count = 0
  for (let after: string | null = null; ;) {
    const page = await from.watches.list(after, 500)
    for (const { id: _, stopped: _stopped, ...watch } of page) {
      if (!(await to.watches.get(watch.name))) await to.watches.put({ ...watch, since })
    }
    count += page.length
    if (page.length === 0) return count
    after = page.at(-1)!.name
  }
}

interface Copied {
  readonly count: number
  readonly pictures: number
}

async function copyChannels(move: Move, barred: Barred): Promise<Copied> {
  const { from, to, at, signal } = move
  let count = 0
  let pictures = 0
  let highest = 0
  for await (const channels of channelPages(from)) {
    signal.throwIfAborted()
    const ids = channels.map(({ id }) => id)
    const known = await from.run(() => planLook({ channels: { ids }, growth: ids }))
    const growthOf = Map.groupBy(known.growth ?? [], ({ channelId }) => channelId)
    const namesOf = Map.groupBy(known.names ?? [], ({ channelId }) => channelId)
    const scheduleOf = new Map(known.schedules?.map((row) => [row.channelId, row]))
    for (const row of known.channels ?? []) barred.learn(row, namesOf.get(row.id) ?? [])
    const rows = (known.channels ?? []).filter(({ id }) => !barred.channel(id))
    const copied = rows.map((row) => ({
      row,
      names: namesOf.get(row.id) ?? [],
      schedule: scheduleOf.get(row.id),
      growth: growthOf.get(row.id) ?? [],
    }))
    for (const some of inParts(copied, CHANNELS_AT_ONCE))
      await to.run((draft) => planCopiedChannels(draft, some, at))
    const there = rows.map(({ id }) => id)
    // Also of channels that are there: the copy may have been cut before their gaps, and one that is there stays one.
    for (const { id: _, ...gap } of await from.frontier.gaps(...there))
      await to.frontier.addGap(gap)
    highest = Math.max(highest, ...ids)
    count += copied.length
    pictures += await copyPictures(
      move,
      there.map((channelId) => ({ channelId, number: 0 })),
    )
  }
  // Channels that are added later must not be given a number that was copied.
  await to.run(() => planLook({ newChannelId: highest }))
  return { count, pictures }
}

/** After those that have them; resolves to how many there are. Theirs that are missed or waited for are found again by reading. */
async function copyPictures({ from, to, at }: Move, refs: readonly PostRef[]): Promise<number> {
  const kept = await from.pictures.of(refs)
  if (kept.length === 0) return 0
  const placeOf = ({ channelId, number, slot }: PictureRef) => `${channelId}/${number}/${slot}`
  const there = new Set((await to.pictures.of(refs)).map(placeOf))
  if (kept.every((picture) => there.has(placeOf(picture)))) return kept.length
  await to.run((draft) => planCopiedPictures(draft, kept, at))
  for (const { file, ...picture } of kept) {
    if (!there.has(placeOf(picture))) await to.pictures.keep({ ...picture, tries: 0 }, file, at)
  }
  return kept.length
}

async function copyPosts(move: Move, barred: Barred): Promise<Copied> {
  const { from, to, at, signal, onProgress } = move
  let done = 0
  let pictures = 0
  for await (const batch of from.archive.scan({ batch: BATCH, signal })) {
    const wanted = batch.filter((post) => !barred.post(post))
    for (const [channelId, posts] of byChannel(wanted)) {
      signal.throwIfAborted()
      const there = await to.archive.posts(posts)
      const missing = posts.filter((_, i) => there[i] === undefined)
      if (missing.length > 0) {
        const changed = missing.filter(
          ({ revision, deletedAt }) => revision > 1 || deletedAt !== null,
        )
        const {
          posts: rows = [],
          versions = [],
          edits = [],
        } = await from.run(() =>
          planLook({
            posts: [{ channelId, numbers: missing.map(({ number }) => number) }],
            versions: changed,
            edits: changed,
          }),
        )
        await to.run((draft) => planCopiedPosts(draft, channelId, rows, versions, edits, at))
      }
      pictures += await copyPictures(move, posts)
      done += posts.length
      onProgress(done)
    }
  }
  return { count: done, pictures }
}

function byChannel(posts: readonly ArchivedPost[]): Map<number, ArchivedPost[]> {
  return Map.groupBy(posts, ({ channelId }) => channelId)
}
