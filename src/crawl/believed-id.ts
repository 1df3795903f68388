/**
 * The numeric id on a page decides whose posts these are. If the platform writes a wrong one, or all of them in another form,
 * one page could end a channel or rewrite another. So an id that we did not expect is judged by the posts beside it.
 */
import type { Channel } from '../model/channel.ts'
import { MAX_POST_NUMBER, type Post } from '../model/post.ts'
import type { Archive } from '../store/archive.ts'
import { findByPlatformId } from '../store/find-by-platform-id.ts'
import type { Store } from '../store/store.ts'
import type { ChannelPage } from '../telegram/source.ts'
import { agreementOf } from './trust.ts'
import type { PageReader } from './walk.ts'

/** The channel that is known by a numeric id; null if none is. */
export type BearerOf = (platformId: number | null) => Promise<number | null>

export function createBearerOf(store: Pick<Store, 'run'>): BearerOf {
  return async (platformId) =>
    (platformId === null ? undefined : await findByPlatformId(store, platformId))?.id ?? null
}

/**
 * `doubtful`: only if a second page, minutes later, shows the same. `mistaken`: the page shows the channel's own posts under
 * another id, or other posts under the id of another channel. `unread`: older posts would decide, but could not be read.
 */
export type IdBelief = 'sure' | 'doubtful' | 'mistaken' | 'unread'

interface Judging {
  readonly archive: Archive
  /** The channel that is known by the numeric id on the page. */
  readonly bearer: number | null
  /** Reads what older posts the name shows; null if no request may be made. */
  readonly reader: Pick<PageReader, 'read' | 'post'> | null
}

export async function beliefInId(
  channel: Pick<Channel, 'id' | 'platformId'>,
  page: Pick<ChannelPage, 'profile' | 'posts' | 'numbers'>,
  judging: Judging,
): Promise<IdBelief> {
  const shown = page.profile.platformId
  if (shown === null || shown === channel.platformId) return 'sure'
  if (channel.platformId !== null) {
    const agreement = await compare(channel.id, page, judging)
    if (agreement === 'unread') return 'unread'
    return agreement === 'same' ? 'mistaken' : 'doubtful'
  }
  const { bearer } = judging
  if (bearer === null || !(await hasPosts(judging.archive, bearer))) return 'sure'
  const agreement = await compare(bearer, page, judging)
  if (agreement === 'unread') return 'unread'
  if (agreement === null) return 'doubtful'
  return agreement === 'same' ? 'sure' : 'mistaken'
}

async function hasPosts(archive: Archive, channelId: number): Promise<boolean> {
  return (await archive.numbersBetween(channelId, 1, MAX_POST_NUMBER, 1)).length > 0
}

/**
 * Compares what the name shows with the archived posts of a channel. If these have left the newest page, or the last of them
 * there was edited, older ones are looked for where they should be: otherwise any mistake would be believed as soon as it lasts
 * for twenty posts.
 */
async function compare(
  channelId: number,
  { posts, numbers }: Pick<ChannelPage, 'posts' | 'numbers'>,
  { archive, reader }: Judging,
): Promise<ReturnType<typeof agreementOf> | 'unread'> {
  const agreement = async (shown: readonly Post[]) =>
    agreementOf(shown, await archive.posts(shown.map(({ number }) => ({ channelId, number }))))
  const onPage = await agreement(posts)
  if (onPage === 'same' || reader === null) return onPage
  const last = (await archive.numbersBetween(channelId, 1, (numbers[0] ?? 1) - 1, 1)).at(-1)
  if (last === undefined) return onPage
  const older = await reader.read(last + 1, 'visit')
  if (older.kind === 'page') return (await agreement(older.page.posts)) ?? onPage
  // The platform may be hiding posts that there are: only the post's own page can tell.
  const alone = older.kind === 'empty' ? await reader.post(last) : older
  if (alone.kind === 'post') return (await agreement([alone.post])) ?? onPage
  return alone.kind === 'deleted' ? onPage : 'unread'
}
