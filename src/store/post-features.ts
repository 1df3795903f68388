import { nameKey } from '../model/channel-name.ts'
import type { Post } from '../model/post.ts'
import { postFeatures } from '../text/post-features.ts'

/** The kinds of a post's features (`postFeatures`) that its channel's statistics count. */
const FEATURE_KINDS = ['hashtag', 'domain', 'forward', 'mention'] as const
export type FeatureKind = (typeof FEATURE_KINDS)[number]

/** The number by which tables store a kind. */
export function kindNumber(kind: FeatureKind): number {
  return FEATURE_KINDS.indexOf(kind) + 1
}

export interface Feature {
  readonly kind: FeatureKind
  readonly value: string
}

export interface FeatureCount extends Feature {
  readonly posts: number
}

/** Limits each kind, so that a post of nothing but hashtags costs no more than any other. */
const MAX_PER_KIND = 32
const MAX_UNITS = 128
/** Not counted as a domain, since it tells nothing about a channel; the names in such links count as mentions. */
const PLATFORM = 't.me'

export function featuresOf(post: Post): Feature[] {
  const { hashtags, mentions, domains } = postFeatures(post)
  const source = post.forwardedFrom?.username
  const features: Feature[] = []
  const add = (kind: FeatureKind, values: readonly string[]) => {
    const most = features.length + MAX_PER_KIND
    for (const value of values) {
      if (value === '' || value.length > MAX_UNITS || features.length === most) continue
      features.push({ kind, value })
    }
  }
  const tags = hashtags.map(({ tag }) => tag)
  const hosts = domains.filter((host) => host !== PLATFORM)
  add('hashtag', tags)
  add('domain', hosts)
  if (source) add('forward', [nameKey(source)])
  add('mention', mentions)
  return features
}
