import type { Count } from '../model/count.ts'
import {
  CAPTURES,
  ENTITY_TYPES,
  type ArchivedPost,
  type Entity,
  type EntityType,
  type Media,
  type Post,
  type PostRef,
  type PostVersion,
  makeMedia,
} from '../model/post.ts'
import { HAS_VALUES, type HasValue } from '../model/query.ts'
import { postHas } from '../text/post-features.ts'
import type { PostListQuery } from './archive.ts'
import type { PostHead } from './plan/rows.ts'

/** Converts posts to rows and back. Null, false or empty fields are not written; a plain post has no `rest` at all. */

/** The first eleven bits are HAS_VALUES in order. Never renumber: they are on disk. */
export const FLAG = {
  forward: 1 << 11,
  reply: 1 << 12,
  edited: 1 << 13,
  service: 1 << 14,
  orphan: 1 << 15,
  deleted: 1 << 16,
} as const

/** Flags of posts that are left out of totals and statistics. */
export const UNCOUNTED = FLAG.service | FLAG.deleted

/** The bits that say what a post has. */
export const HAS_MASK = (1 << HAS_VALUES.length) - 1

export function hasMask(values: readonly HasValue[]): number {
  return values.reduce((mask, value) => mask | (1 << HAS_VALUES.indexOf(value)), 0)
}

/** A post passes when `flags & mask = wanted` and it was published in [since, until). */
export interface PostFilter {
  readonly mask: number
  readonly wanted: number
  readonly since: number
  readonly until: number
  /** Few posts may pass, so that filling a page may take a long walk. */
  readonly isSelective: boolean
}

const EVER = 2 ** 52

export function filterOf(query: PostListQuery): PostFilter {
  let wanted = hasMask(query.has)
  let mask = wanted
  if (query.forwards !== 'include') mask |= FLAG.forward
  if (query.forwards === 'only') wanted |= FLAG.forward
  if (!query.includeDeleted) mask |= FLAG.deleted
  if (!query.includeService) mask |= FLAG.service
  return {
    mask,
    wanted,
    since: query.since ?? -EVER,
    until: query.until ?? EVER,
    isSelective: query.has.length > 0 || query.forwards !== 'include',
  }
}

export function flagsOf(post: ArchivedPost): number {
  let flags = hasMask(postHas(post))
  if (post.forwardedFrom) flags |= FLAG.forward
  if (post.replyTo) flags |= FLAG.reply
  if (post.edited) flags |= FLAG.edited
  if (post.kind === 'service') flags |= FLAG.service
  if (post.orphan) flags |= FLAG.orphan
  if (post.deletedAt !== null) flags |= FLAG.deleted
  return flags
}

/** A post as a row, without the columns that identify it: those differ between databases. */
export interface PackedPost {
  readonly published_at: number
  readonly flags: number
  readonly revision: number
  readonly last_captured_at: number
  readonly deleted_at: number | null
  readonly views: number | null
  readonly counts: string | null
  readonly language: string | null
  readonly text: string
  readonly rest: string | null
  readonly sha256: Uint8Array
  readonly first_captured_at: number
  readonly capture: number
  readonly parser_version: number
}

type PackedCount = readonly [value: number, asOf: number, raw?: string, approx?: 1]
type PackedReaction = readonly [
  what: 0 | 1 | 2,
  name: string | 0,
  value: number,
  asOf: number,
  raw?: string,
  approx?: 1,
]
type PackedEntity = readonly [number, number, number, Partial<Entity>?]

interface PackedCounts {
  v?: PackedCount
  r?: readonly PackedReaction[]
  /** Voters and percentages of the poll. */
  p?: readonly [PackedCount | 0, readonly (number | null)[]]
}

interface PackedRest {
  e?: readonly PackedEntity[]
  m?: readonly Partial<Media>[]
  p?: readonly [question: string, type: string, options: readonly string[]]
  l?: Post['linkPreview']
  b?: Post['buttons']
  a?: string
  v?: string
  f?: Post['forwardedFrom']
  r?: Post['replyTo']
  n?: readonly number[]
}

export function packCounts(post: Post): string | null {
  const packed: PackedCounts = {}
  if (post.views) packed.v = packCount(post.views)
  if (post.reactions.length > 0) {
    packed.r = post.reactions.map((r): PackedReaction => {
      const what = r.paid ? 2 : r.customId !== null ? 1 : 0
      return [what, r.emoji ?? r.customId ?? 0, ...packCount(r.count)]
    })
  }
  if (post.poll) {
    const voters = post.poll.voters ? packCount(post.poll.voters) : 0
    packed.p = [voters, post.poll.options.map((option) => option.percent)]
  }
  return packed.v || packed.r || packed.p ? JSON.stringify(packed) : null
}

export function packRest(post: Post): string | null {
  const packed: PackedRest = {}
  if (post.entities.length > 0) packed.e = post.entities.map(packEntity)
  if (post.media.length > 0) packed.m = post.media.map(packMedia)
  if (post.poll) {
    const { question, type, options } = post.poll
    packed.p = [question, type, options.map((option) => option.text)]
  }
  if (post.linkPreview) packed.l = post.linkPreview
  if (post.buttons.length > 0) packed.b = post.buttons
  if (post.author !== null) packed.a = post.author
  if (post.viaBot !== null) packed.v = post.viaBot
  if (post.forwardedFrom) packed.f = post.forwardedFrom
  if (post.replyTo) packed.r = post.replyTo
  if (post.albumNumbers.length > 0) packed.n = post.albumNumbers
  const rest = JSON.stringify(packed)
  return rest === '{}' ? null : rest
}

export function unpackPost(row: PackedPost, { channelId, number }: PostRef): ArchivedPost {
  const counts = row.counts === null ? {} : (JSON.parse(row.counts) as PackedCounts)
  const rest = row.rest === null ? {} : (JSON.parse(row.rest) as PackedRest)
  return {
    number,
    kind: row.flags & FLAG.service ? 'service' : 'post',
    publishedAt: row.published_at,
    edited: (row.flags & FLAG.edited) !== 0,
    text: row.text,
    entities: rest.e?.map(unpackEntity) ?? [],
    media: rest.m?.map((media) => makeMedia(media.kind ?? 'unsupported', media)) ?? [],
    poll: rest.p ? unpackPoll(rest.p, counts.p) : null,
    linkPreview: rest.l ?? null,
    buttons: rest.b ?? [],
    author: rest.a ?? null,
    viaBot: rest.v ?? null,
    forwardedFrom: rest.f ?? null,
    replyTo: rest.r ?? null,
    albumNumbers: rest.n ?? [],
    views: counts.v ? unpackCount(counts.v) : null,
    reactions:
      counts.r?.map(([what, name, ...count]) => ({
        emoji: what === 0 && name !== 0 ? name : null,
        customId: what === 1 && name !== 0 ? name : null,
        paid: what === 2,
        count: unpackCount(count),
      })) ?? [],
    orphan: (row.flags & FLAG.orphan) !== 0,
    channelId,
    revision: row.revision,
    contentSha256: hexOf(row.sha256),
    firstCapturedAt: row.first_captured_at,
    lastCapturedAt: row.last_captured_at,
    capture: CAPTURES[row.capture]!,
    parserVersion: row.parser_version,
    deletedAt: row.deleted_at,
    language: row.language,
  }
}

/** What a plan needs to know about a post without reading its text. */
export interface PackedHead {
  readonly published_at: number
  readonly flags: number
  readonly revision: number
  readonly language: string | null
  readonly detected_language: string | null
  readonly language_weight: number
}

export function unpackHead(row: PackedHead, { channelId, number }: PostRef): PostHead {
  return {
    channelId,
    number,
    publishedAt: row.published_at,
    revision: row.revision,
    isCounted: (row.flags & UNCOUNTED) === 0,
    isDeleted: (row.flags & FLAG.deleted) !== 0,
    language: row.language,
    detectedLanguage: row.detected_language,
    languageWeight: row.language_weight,
  }
}

/** An earlier version, without the columns that identify it. */
export interface PackedVersion {
  readonly captured_at: number
  readonly text: string | null
  readonly sha256: Uint8Array
}

export function unpackVersion({ captured_at, text, sha256 }: PackedVersion): PostVersion {
  return { capturedAt: captured_at, text, sha256: hexOf(sha256) }
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

function packCount(count: Count): PackedCount {
  if (count.approx) return [count.value, count.asOf, count.raw, 1]
  return count.raw === String(count.value)
    ? [count.value, count.asOf]
    : [count.value, count.asOf, count.raw]
}

function unpackCount([value, asOf, raw, approx]: PackedCount): Count {
  return { value, approx: approx === 1, raw: raw ?? String(value), asOf }
}

function packEntity({ type, offset, length, ...more }: Entity): PackedEntity {
  const packed = [ENTITY_TYPES.indexOf(type), offset, length] as const
  return Object.keys(more).length > 0 ? [...packed, more] : packed
}

function unpackEntity([type, offset, length, more]: PackedEntity): Entity {
  return { type: ENTITY_TYPES[type] as EntityType, offset, length, ...more }
}

function packMedia(media: Media): Partial<Media> {
  const told = Object.entries(media).filter(([, value]) => value !== null && value !== false)
  return Object.fromEntries(told) as Partial<Media>
}

function unpackPoll(
  [question, type, options]: NonNullable<PackedRest['p']>,
  votes: PackedCounts['p'],
): Post['poll'] {
  return {
    question,
    type,
    options: options.map((text, i) => ({ text, percent: votes?.[1][i] ?? null })),
    voters: votes?.[0] ? unpackCount(votes[0]) : null,
  }
}
