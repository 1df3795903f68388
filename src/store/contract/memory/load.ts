import { HOUR_MS } from '../../../model/time.ts'
import { isCounted } from '../../post-rules.ts'
import type {
  ChannelRow,
  Known,
  LanguageRow,
  PostHead,
  PostRow,
  RemovalRow,
  Wanted,
} from '../../plan/rows.ts'
import { growthOf } from './growth.ts'
import {
  boundsOf,
  countedPosts,
  keptPosts,
  ownNames,
  refKey,
  scheduleRow,
  type KeptPost,
  type MemoryState,
} from './state.ts'

/** Loads what plans ask for. Statistics are recomputed each time, so that a wrong sum kept by another adapter shows. */
export function load(state: MemoryState, wanted: Wanted): Known {
  const refs = (wanted.posts ?? []).flatMap(({ channelId, numbers }) =>
    numbers.map((number) => ({ channelId, number })),
  )
  return {
    ...(wanted.channels && loadChannels(state, wanted.channels)),
    newChannelId: state.lastChannelId + 1,
    posts: refs
      .flatMap((ref) => keptAt(state, ref))
      .map(({ post, detectedLanguage, languageWeight }) => ({
        post,
        detectedLanguage,
        languageWeight,
      })),
    members: refs.flatMap(({ channelId, number }) => {
      const album = state.members.get(refKey(channelId, number))
      return album === undefined ? [] : [{ channelId, number, album }]
    }),
    versions: (wanted.versions ?? []).flatMap((ref) =>
      keptAt(state, ref).flatMap(({ versions }) =>
        versions.map((version) => ({ ...ref, ...version })),
      ),
    ),
    edits: (wanted.edits ?? []).flatMap((ref) => keptAt(state, ref).flatMap(({ edits }) => edits)),
    heads: loadHeads(state, wanted),
    recent: (wanted.recent ?? []).map(({ channelId, fromHour, toHour }) => {
      const hours = countedPosts(state, channelId).map(({ publishedAt }) => publishedAt / HOUR_MS)
      return { channelId, posts: hours.filter((h) => h >= fromHour && h < toHour).length }
    }),
    languages: (wanted.languages ?? []).flatMap((id) => languageRows(state, id)),
    growth: (wanted.growth ?? []).flatMap((id) => growthOf(state, id)),
    edges: (wanted.edges ?? []).map(({ channelId, except }) => {
      const others = countedPosts(state, channelId).filter(({ number }) => !except.includes(number))
      return { channelId, ...boundsOf(others) }
    }),
    erasures: state.erasures.filter(
      ({ channelId, heir }) =>
        channelId === wanted.erasures?.channelId ||
        (heir !== null && heir === wanted.erasures?.heir),
    ),
  }
}

export function loadChannels(
  state: MemoryState,
  { ids = [], platformIds = [], names = [] }: NonNullable<Wanted['channels']>,
): Known {
  const named = names.flatMap((key) => state.names.get(key)?.channelId ?? [])
  const channels = [...state.channels.values()].filter(
    ({ id, platformId }) =>
      ids.includes(id) || platformIds.includes(platformId ?? NaN) || named.includes(id),
  )
  const owned = channels.flatMap(({ id }) => ownNames(state, id))
  const keys = [...names, ...owned.map(({ key }) => key)]
  const numericIds = [...platformIds, ...channels.flatMap(({ platformId }) => platformId ?? [])]
  const isMeant = ({ name, platformId }: RemovalRow) =>
    keys.includes(name) || numericIds.includes(platformId ?? NaN)
  return {
    channels: channels.map((channel) => counted(state, channel)),
    names: owned,
    schedules: channels.flatMap(({ id }) => scheduleRow(state, id) ?? []),
    removals: state.removals.filter(isMeant),
  }
}

function counted(state: MemoryState, channel: ChannelRow): ChannelRow {
  const posts = countedPosts(state, channel.id)
  return { ...channel, posts: posts.length, ...boundsOf(posts) }
}

function keptAt(state: MemoryState, ref: { channelId: number; number: number }): KeptPost[] {
  const kept = state.posts.get(refKey(ref.channelId, ref.number))
  return kept ? [kept] : []
}

function loadHeads(state: MemoryState, { heads = [], lowest, published }: Wanted): PostHead[] {
  const asked = heads.flatMap((ref) => keptAt(state, ref))
  const first = lowest ? keptPosts(state, lowest.channelId).slice(0, lowest.limit) : []
  const old = published
    ? keptPosts(state)
        .filter(({ post }) => post.publishedAt < published.before)
        .toSorted((a, b) => a.post.publishedAt - b.post.publishedAt)
        .slice(0, published.limit)
    : []
  return [...asked, ...first, ...old].map(headOf)
}

function languageRows(state: MemoryState, channelId: number): LanguageRow[] {
  const rows = new Map<string, { posts: number; weight: number }>()
  const add = (code: string | null, posts: number, weight: number) => {
    if (code === null) return
    const row = rows.get(code) ?? { posts: 0, weight: 0 }
    rows.set(code, { posts: row.posts + posts, weight: row.weight + weight })
  }
  for (const { post, detectedLanguage, languageWeight } of keptPosts(state, channelId)) {
    add(detectedLanguage, 0, languageWeight)
    if (post.deletedAt === null && post.kind === 'post') add(post.language, 1, 0)
  }
  return [...rows].map(([code, row]) => ({ channelId, code, ...row }))
}

function headOf({ post, detectedLanguage, languageWeight }: PostRow): PostHead {
  const { channelId, number, publishedAt, revision, language } = post
  const learnt = { language, detectedLanguage, languageWeight }
  const isDeleted = post.deletedAt !== null
  return {
    channelId,
    number,
    publishedAt,
    revision,
    isCounted: isCounted(post),
    isDeleted,
    ...learnt,
  }
}
