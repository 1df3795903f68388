import { nameKey } from '../model/channel-name.ts'
import type { Post } from '../model/post.ts'
import { postFeatures } from '../text/post-features.ts'

/** Which of the things a post has (`postFeatures`) the statistics of its channel count. */
const FEATURE_KINDS = ['hashtag', 'domain', 'forward', 'mention'] as const
export type FeatureKind = (typeof FEATURE_KINDS)[number]

/** As it is written in tables. */
export function kindNumber(kind: FeatureKind): number {
  return FEATURE_KINDS.indexOf(kind) + 1
}

export interface Feature {
  readonly kind: FeatureKind
  readonly value: string
}

/** Of each kind; a post of nothing but hashtags must not cost more than any other. */
const MAX_PER_KIND = 32
const MAX_UNITS = 128
/** The platform itself says nothing about a channel; what its links name is counted as a mention. */
const PLATFORM = 't.me'

export function featuresOf(post: Post): Feature[] {
  const { hashtags, mentions, domains } = postFeatures(post)
  const source = post.forwardedFrom?.username
  return [
    ...counted('hashtag', hashtags, ({ tag }) => tag),
    ...counted('domain', domains, (host) => (host === PLATFORM ? '' : host)),
    ...counted('forward', source ? [source] : [], nameKey),
    ...counted('mention', mentions, (name) => name),
  ]
}

function counted<T>(kind: FeatureKind, found: readonly T[], read: (each: T) => string): Feature[] {
  const values = found.map(read).filter((value) => value !== '' && value.length <= MAX_UNITS)
  return values.slice(0, MAX_PER_KIND).map((value) => ({ kind, value }))
}
