import { nameKey, parseChannelName } from '../model/channel-name.ts'
import { hash48 } from '../model/hash48.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { Fingerprinted } from '../store/groups.ts'
import type { Fingerprint } from '../text/fingerprint.ts'

/** What a post is compared with others by: its text without links and footers, the post it was forwarded from, its bands. */
export function fingerprintedOf(post: ArchivedPost, print: Fingerprint): Fingerprinted {
  const { channelId, number, publishedAt } = post
  const forwarded = forwardedPost(post)
  return {
    channelId,
    number,
    publishedAt,
    keys: [
      ...(print.exact === null ? [] : [hash48(`text ${print.exact}`)]),
      ...(forwarded === null ? [] : [hash48(`forward ${forwarded}`)]),
    ],
    bands: Array.from(print.bands, (band, i) => hash48(`band ${i} ${band}`)),
    sketch: [...print.sketch],
  }
}

/** The post it was forwarded from, as `username/number` in lower case. */
function forwardedPost({ forwardedFrom }: ArchivedPost): string | null {
  const url = forwardedFrom?.postUrl
  const name = url ? parseChannelName(url) : undefined
  const number = url ? /\/(\d{1,10})\/?(?:\?.*)?$/.exec(url)?.[1] : undefined
  return name !== undefined && number !== undefined ? `${nameKey(name)}/${number}` : null
}
