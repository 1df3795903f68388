/**
 * The numeric id on a page decides whose posts these are. If the platform writes a wrong one, or all of them in another form,
 * one page could end a channel or rewrite another. So an id that we did not expect is judged by the posts beside it.
 */
import type { Channel } from '../model/channel.ts'
import type { Archive } from '../store/archive.ts'
import { findByPlatformId } from '../store/move/find-by-platform-id.ts'
import type { Store } from '../store/store.ts'
import type { ChannelPage } from '../telegram/source.ts'
import { agreementOf } from './trust.ts'

export type BearerOf = (platformId: number) => Promise<number | undefined>

/** Finds the channel that is known by a numeric id. */
export function createBearerOf(store: Pick<Store, 'run'>): BearerOf {
  return async (platformId) => (await findByPlatformId(store, platformId))?.id
}

/** False if the page shows the channel's own posts under another id, or other posts under the id of another channel. */
export async function isIdBelieved(
  channel: Pick<Channel, 'id' | 'platformId'>,
  { profile, posts }: Pick<ChannelPage, 'profile' | 'posts'>,
  { archive, bearerOf }: { readonly archive: Archive; readonly bearerOf: BearerOf },
): Promise<boolean> {
  const shown = profile.platformId
  if (shown === null || shown === channel.platformId) return true
  const agreement = async (channelId: number) =>
    agreementOf(posts, await archive.posts(posts.map(({ number }) => ({ channelId, number }))))
  if (channel.platformId !== null) return (await agreement(channel.id)) !== 'same'
  const bearer = await bearerOf(shown)
  return bearer === undefined || (await agreement(bearer)) !== 'other'
}
