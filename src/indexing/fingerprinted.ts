import { hash } from 'node:crypto'
import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { Fingerprinted } from '../store/groups.ts'
import type { Fingerprint } from '../text/fingerprint.ts'

/** What a post is grouped with others by: its text without links and footers, the post it was forwarded from, its bands. */
export function fingerprintedOf(post: ArchivedPost, print: Fingerprint): Fingerprinted {
  const { channelId, number, publishedAt } = post
  const forwarded = forwardedPost(post)
  return {
    channelId,
    number,
    publishedAt,
    keys: [
      ...(print.exact === null ? [] : [keyOf('text', print.exact)]),
      ...(forwarded === null ? [] : [keyOf('forward', forwarded)]),
    ],
    bands: Array.from(print.bands, (band, i) => keyOf(`band ${i}`, String(band))),
    sketch: [...print.sketch],
  }
}

/** 48 bits, so that it is a safe integer in SQL and JavaScript. */
function keyOf(kind: string, value: string): number {
  return hash('sha1', `${kind} ${value}`, 'buffer').readUIntBE(0, 6)
}

/** The post it was forwarded from, `username/number`, lower case. */
function forwardedPost({ forwardedFrom }: ArchivedPost): string | null {
  const url = forwardedFrom?.postUrl
  const name = url ? parseChannelName(url) : undefined
  const number = url ? /\/(\d{1,10})\/?(?:\?.*)?$/.exec(url)?.[1] : undefined
  return name !== undefined && number !== undefined ? `${nameKey(name)}/${number}` : null
}
