import type { Clock } from '../../model/clock.ts'
import { nameKey } from '../../model/channel-name.ts'
import { contentSha256 } from '../../model/content-hash.ts'
import { MAX_POST_NUMBER, isPostNumber, type Post } from '../../model/post.ts'
import type { ExportedHistory } from '../../operations/views/read-history.ts'
import type { ExportedPicture } from '../../operations/views/read-pictures.ts'
import type { ReadingResult } from '../../store/archive.ts'
import { importHistories, type PostHistory } from '../../store/import-histories.ts'
import { keptSince, type Store } from '../../store/store.ts'

/** One item of an input file: a post of a channel, or why it could not be read. */
export type ImportItem =
  | {
      readonly kind: 'post'
      readonly where: string
      readonly channel: string
      readonly title: string | null
      readonly post: Post
      readonly history?: ExportedHistory | null
      readonly pictures?: readonly ExportedPicture[]
    }
  | { readonly kind: 'problem'; readonly where: string; readonly reason: string }

type PostItem = Extract<ImportItem, { kind: 'post' }>

interface ImportSummary {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly rejected: number
  /** Left out because they are older than the retention. */
  readonly tooOld: number
  /** Posts of earlier imports that turned out to be parts of an album, which now contains them. */
  readonly joined: number
  readonly channels: number
}

type Written = Pick<ReadingResult, 'added' | 'changed' | 'joined' | 'refused'> &
  Partial<Pick<ReadingResult, 'tooOld'>>

/** Posts and earlier versions of one batch; a post may have thousands of versions. */
const BATCH = 500

/**
 * Writes posts in batches; what was written before a failure stays. Rejected ones are reported one by one, with their place,
 * and never stop the rest.
 */
export async function importPosts(
  store: Store,
  items: AsyncIterable<ImportItem>,
  options: {
    readonly clock: Clock
    readonly signal: AbortSignal
    /** The file is an export of the operator's own archive, so how each post was captured is taken from it as well. */
    readonly isOwn?: boolean
    /** Called once the post is in the archive. */
    onPictures?(channelId: number, post: Post, told: readonly ExportedPicture[]): Promise<void>
    onRejected(where: string, reason: string): void
    onProgress(done: number): void
  },
): Promise<ImportSummary> {
  const sum = { added: 0, changed: 0, unchanged: 0, rejected: 0, tooOld: 0, joined: 0 }
  const channels = new Map<string, ImportedChannel>()
  const startedAt = options.clock.now()
  let waiting = 0
  let done = 0

  const reject = (where: string, reason: string) => {
    sum.rejected += 1
    options.onRejected(where, reason)
  }

  /** The same post again is unchanged; different content under the same number is a mistake in the file. */
  const repeated = (item: PostItem, sha256: string, place: string) => {
    if (contentSha256(item.post) === sha256) sum.unchanged += 1
    else reject(item.where, `${item.channel}/${item.post.number} was already ${place}, and differs`)
  }

  /** Repeats of earlier batches are found in the archive, so that a file of any size takes the same memory. */
  async function withoutRepeats(channelId: number, items: PostItem[]): Promise<PostItem[]> {
    const known = await store.archive.posts(
      items.map(({ post }) => ({ channelId, number: post.number })),
    )
    return items.filter((item, i) => {
      const held = known[i]
      if (held?.capture !== 'import' || held.lastCapturedAt < startedAt) return true
      repeated(item, held.contentSha256, 'in this import')
      return false
    })
  }

  /** Adds the outcome of this many posts of a channel to the summary. */
  function count(name: string, posts: number, result: Written): void {
    const { added, changed, joined, refused, tooOld = 0 } = result
    sum.added += added.length
    sum.changed += changed.length
    sum.joined += joined
    sum.tooOld += tooOld
    sum.unchanged += posts - added.length - changed.length - refused - tooOld
    for (let i = 0; i < refused; i += 1) reject(name, 'it is in the opt-out register')
  }

  /** Posts with versions and captures, as an export has them. */
  async function flushTold(channelId: number, name: string, items: readonly PostItem[]) {
    const histories = items.map((item) => historyOf(item, channelId, options.isOwn === true))
    const result = await importHistories(store, channelId, histories, options.clock.now())
    count(name, items.length, result)
  }

  /** Posts without a history are recorded as if they were read now. */
  async function flushBare(channelId: number, name: string, items: PostItem[]) {
    const posts = await withoutRepeats(channelId, items)
    const result = await store.archive.record({
      channelId,
      at: options.clock.now(),
      capture: 'import',
      parserVersion: 0,
      profile: null,
      posts: posts.map((item) => item.post),
      deleted: [],
    })
    count(name, posts.length, result)
  }

  async function flush(): Promise<void> {
    for (const { id, name, waiting: held } of channels.values()) {
      if (held.size === 0 || id === null) continue
      const items = [...held.values()]
      held.clear()
      const told = items.filter(({ history }) => history)
      const bare = items.filter(({ history }) => !history)
      if (told.length > 0) await flushTold(id, name, told)
      if (bare.length > 0) await flushBare(id, name, bare)
      for (const { post, pictures = [] } of items)
        if (pictures.length > 0) await options.onPictures?.(id, post, pictures)
    }
    waiting = 0
    options.onProgress(done)
  }

  for await (const item of items) {
    if (options.signal.aborted) break
    done += 1
    if (item.kind === 'problem') {
      reject(item.where, item.reason)
      continue
    }
    if (!isPostNumber(item.post.number)) {
      reject(
        item.where,
        `${item.post.number} is no post’s number: expected 1 to ${MAX_POST_NUMBER}`,
      )
      continue
    }
    // A channel none of whose posts would be kept is not added either.
    if (item.post.publishedAt < keptSince(store.retention, startedAt)) {
      sum.tooOld += 1
      continue
    }
    const channel = await channelOf(store, channels, item, options.clock)
    if (channel.id === null) {
      reject(item.where, `${item.channel} is in the opt-out register`)
      continue
    }
    const first = channel.waiting.get(item.post.number)
    // Two exports tell of one post at two times: the second is merged with the first, as in an import of its own. Not
    // where the first keeps the mark that it was crawled: nothing is merged with that, so the second would be dropped.
    if (first?.history && item.history && !options.isOwn) await flush()
    else if (first) {
      repeated(item, contentSha256(first.post), `at ${first.where}`)
      continue
    }
    channel.waiting.set(item.post.number, item)
    waiting += 1 + (item.history?.versions.length ?? 0)
    if (waiting >= BATCH) await flush()
  }
  await flush()
  return { ...sum, channels: channels.size }
}

/**
 * Only the operator's own export keeps its captures; any other post is marked as imported, since this archive did not read
 * it.
 */
function historyOf({ post, history }: PostItem, channelId: number, isOwn: boolean): PostHistory {
  const { versions, contentSha256: told, ...captured } = history!
  return {
    post: {
      ...post,
      ...captured,
      capture: isOwn ? captured.capture : 'import',
      // A redacted post has no text left to compute the hash from.
      contentSha256: captured.deletedAt === null ? contentSha256(post) : told,
      channelId,
      language: null,
    },
    versions,
  }
}

interface ImportedChannel {
  readonly name: string
  /** Null when the channel is in the opt-out register. */
  readonly id: number | null
  /** By post number. */
  readonly waiting: Map<number, PostItem>
}

async function channelOf(
  store: Store,
  channels: Map<string, ImportedChannel>,
  item: PostItem,
  clock: Clock,
): Promise<ImportedChannel> {
  const key = nameKey(item.channel)
  const known = channels.get(key)
  if (known) return known
  const added = await store.archive.addChannel(item.channel, {
    at: clock.now(),
    status: 'imported',
    ...(item.title === null ? {} : { title: item.title }),
  })
  const id = added.outcome === 'removed' ? null : added.channel.id
  const channel = { name: item.channel, id, waiting: new Map<number, PostItem>() }
  channels.set(key, channel)
  return channel
}
