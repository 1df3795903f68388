import { inBatches } from '../../model/in-batches.ts'
import type { PostRef } from '../../model/post.ts'
import { planCopiedChannels, planCopiedPictures, planCopiedPosts, planRead } from '../plan/copy.ts'
import { APPENDED_AT_ONCE } from '../event-rules.ts'
import { appliesTo } from '../channel-rules.ts'
import type { PictureRef } from '../pictures.ts'
import { channelPages } from '../channel-pages.ts'
import type { Store } from '../store.ts'
import { OtherDataError } from '../unfinished-copy.ts'
import { copyRegister } from './copy-register.ts'

/**
 * Copies a store of any kind into another, row by row. Rows that are already there stay, so that an interrupted copy can be
 * resumed. Statistics are counted as posts are written; languages, terms and groups are derived again by the next indexer. The
 * event log is copied, so that no post becomes news again. The rows of kept pictures are copied, their files are not. Quotas
 * start anew, and candidates are not copied: they will be found again.
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
  /** Kept pictures of posts and channels. */
  readonly pictures: number
}

const BATCH = 2_000
/** Channels per transaction, each with its names, words and days. Readers of the target wait for no more than one of these. */
const CHANNELS_AT_ONCE = 100

export async function moveStore(move: Move): Promise<Moved> {
  await expectCopy(move)
  // Posts that go over to another channel belong to none until then.
  await move.from.removals.resume()
  const keys = await copyKeys(move)
  const removals = await copyRegister(move)
  const channels = await copyChannels(move)
  const posts = await copyPosts(move)
  await copyEvents(move)
  const watches = await copyWatches(move)
  const pictures = channels.pictures + posts.pictures
  return { channels: channels.count, posts: posts.count, keys, removals, watches, pictures }
}

/**
 * Checks, before anything is written, that the target holds only channels of the source. Channels that the source has removed
 * since an interrupted copy began are accepted: they will be erased from the target, too.
 */
async function expectCopy({ from, to, signal }: Move): Promise<void> {
  for await (const channels of channelPages(to.archive, 'added')) {
    signal.throwIfAborted()
    const ids = channels.map(({ id }) => id)
    const { channels: known = [] } = await from.run(() => planRead({ channels: { ids } }))
    const rowOf = new Map(known.map((row) => [row.id, row]))
    for (const channel of channels) {
      const { id, username: name, platformId, addedAt } = channel
      const row = rowOf.get(id)
      // `appliesTo` allows for a numeric id that only one of the two stores has learnt.
      if (row?.addedAt === addedAt && appliesTo(row, channel)) continue
      if (await from.removals.find({ name, platformId })) continue
      throw new OtherDataError(`the target has a channel that the source has not, ${name}`)
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
    // It may have been rotated since an interrupted copy began.
    const held = there?.secretHashes ?? [first]
    const missing = secretHashes.filter((hash) => !held.includes(hash))
    for (const hash of missing) await to.ledger.addSecret(id, hash)
    if (lastUsedAt !== null) await to.ledger.touchKey(id, lastUsedAt)
    if (revokedAt !== null) await to.ledger.revokeKey(id, revokedAt)
  }
  return keys.length
}

/**
 * The next indexer makes every post searchable again and would take those of the last days for news unless the log has them.
 * Events of posts that have since been deleted are not copied, so that their text stays behind.
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

/** What watches have told and still have to send is not copied: they start with what the new store learns from then on. */
async function copyWatches({ from, to }: Move): Promise<number> {
  const { last: since } = await to.events.bounds()
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

async function copyChannels(move: Move): Promise<Copied> {
  const { from, to, at, signal } = move
  let count = 0
  let pictures = 0
  let highest = 0
  for await (const channels of channelPages(from.archive, 'added')) {
    signal.throwIfAborted()
    const ids = channels.map(({ id }) => id)
    const known = await from.run(() => planRead({ channels: { ids }, growth: ids }))
    const growthOf = Map.groupBy(known.growth ?? [], ({ channelId }) => channelId)
    const namesOf = Map.groupBy(known.names ?? [], ({ channelId }) => channelId)
    const scheduleOf = new Map(known.schedules?.map((row) => [row.channelId, row]))
    const copied = (known.channels ?? []).map((row) => ({
      row,
      names: namesOf.get(row.id) ?? [],
      schedule: scheduleOf.get(row.id),
      growth: growthOf.get(row.id) ?? [],
    }))
    for (const some of inBatches(copied, CHANNELS_AT_ONCE))
      await to.run((draft) => planCopiedChannels(draft, some, at))
    const there = copied.map(({ row }) => row.id)
    // Gaps of channels that were already there are copied too, since the copy may have been interrupted before them;
    // `addGap` does not add a gap twice.
    for (const { id: _, ...gap } of await from.frontier.gaps(...there))
      await to.frontier.addGap(gap)
    highest = Math.max(highest, ...ids)
    count += copied.length
    pictures += await copyPictures(
      move,
      there.map((channelId) => ({ channelId, number: 0 })),
    )
  }
  // Channels added later must not be given an id that was copied.
  await to.run(() => planRead({ newChannelId: highest }))
  return { count, pictures }
}

/**
 * Copies the rows of kept pictures, once their posts and channels are there; resolves to how many there are. Pictures that
 * wait or could not be fetched are not copied: they are found again when their posts are read.
 */
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

async function copyPosts(move: Move): Promise<Copied> {
  const { from, to, at, signal, onProgress } = move
  let done = 0
  let pictures = 0
  for await (const batch of from.archive.scan({ batch: BATCH, signal })) {
    for (const [channelId, posts] of Map.groupBy(batch, (post) => post.channelId)) {
      signal.throwIfAborted()
      const there = await to.archive.posts(posts)
      const missing = posts.filter((_, i) => there[i] === undefined)
      if (missing.length > 0) {
        const changed = missing.filter(
          ({ revision, deletedAt }) => revision > 1 || deletedAt !== null,
        )
        const numbers = missing.map(({ number }) => number)
        const asked = { posts: [{ channelId, numbers }], versions: changed, edits: changed }
        const {
          posts: rows = [],
          versions = [],
          edits = [],
        } = await from.run(() => planRead(asked))
        await to.run((draft) => planCopiedPosts(draft, channelId, rows, versions, edits, at))
      }
      pictures += await copyPictures(move, posts)
      done += posts.length
      onProgress(done)
    }
  }
  return { count: done, pictures }
}
