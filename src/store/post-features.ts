import { isChannelName, nameKey } from '../model/channel-name.ts'
import type { Post } from '../model/post.ts'
import { HAS_VALUES, type HasValue } from '../model/query.ts'

/**
 * What the statistics count and the listings filter by. It reads the platform's own entities and never the analyzer, so
 * that what was added to a count is what is taken from it later, whatever version of the analyzer runs then.
 */
export const FEATURE_KINDS = ['hashtag', 'domain', 'forward', 'mention'] as const
export type FeatureKind = (typeof FEATURE_KINDS)[number]

export interface Feature {
  readonly kind: FeatureKind
  readonly value: string
}

/** Of each kind; a post of nothing but hashtags must not cost more than any other. */
const MAX_PER_KIND = 32
const MAX_UNITS = 128
const HOST = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:@\s]+)/i
const PROFILE = /^https?:\/\/(?:www\.)?t\.me\/(?:s\/)?([A-Za-z0-9_]+)/i

export function featuresOf(post: Post): Feature[] {
  const found: Record<FeatureKind, Set<string>> = {
    hashtag: new Set(),
    domain: new Set(),
    forward: new Set(),
    mention: new Set(),
  }
  const add = (kind: FeatureKind, value: string | undefined) => {
    if (value === undefined || value === '' || value.length > MAX_UNITS) return
    if (found[kind].size < MAX_PER_KIND) found[kind].add(value)
  }
  for (const entity of post.entities) {
    const shown = () => post.text.slice(entity.offset, entity.offset + entity.length)
    if (entity.type === 'hashtag') add('hashtag', hashtagOf(shown()))
    else if (entity.type === 'mention') add('mention', usernameOf(entity.url, shown()))
    else if (entity.type === 'link' || entity.type === 'text_link') {
      const host = hostOf(entity.url ?? shown())
      if (host === 't.me') add('mention', usernameOf(entity.url, ''))
      else add('domain', host)
    }
  }
  const source = post.forwardedFrom?.username
  if (source) add('forward', nameKey(source))
  return FEATURE_KINDS.flatMap((kind) => [...found[kind]].map((value) => ({ kind, value })))
}

export function hasValuesOf(post: Post): Set<HasValue> {
  const has = new Set<HasValue>()
  for (const media of post.media) {
    if ((HAS_VALUES as readonly string[]).includes(media.kind)) has.add(media.kind as HasValue)
    has.add('media')
  }
  if (post.poll) has.add('poll')
  const isLinked = post.entities.some((e) => e.type === 'link' || e.type === 'text_link')
  if (isLinked || post.linkPreview) has.add('link')
  return has
}

function hashtagOf(shown: string): string {
  return shown.replace(/^#/, '').replace(/@.*$/, '').toLowerCase()
}

function usernameOf(url: string | undefined, shown: string): string | undefined {
  const name = (url === undefined ? undefined : PROFILE.exec(url)?.[1]) ?? shown.replace(/^@/, '')
  return isChannelName(name) ? nameKey(name) : undefined
}

function hostOf(url: string): string | undefined {
  return HOST.exec(url)?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')
}
