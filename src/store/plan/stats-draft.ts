import { getOrMake } from '../../model/get-or-make.ts'
import type { ArchivedPost } from '../../model/post.ts'
import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import { featuresOf } from '../post-features.ts'
import { isCounted } from '../post-rules.ts'
import type { TouchedPost } from './post-draft.ts'
import type {
  DayDelta,
  Edges,
  FeatureDelta,
  HourDelta,
  Known,
  LanguageRow,
  Wanted,
} from './rows.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What changes in the statistics of one channel. */
export class ChannelSums {
  readonly hours = new Map<number, Mutable<HourDelta>>()
  readonly features = new Map<string, Mutable<FeatureDelta>>()
  readonly languages = new Map<string, { posts: number; weight: number }>()
  /** The numbers of posts that were added or erased. */
  readonly numbers: number[] = []
  posts = 0
  /** When the added and the erased posts were published, first and last. */
  readonly come = { first: Infinity, last: -Infinity }
  readonly gone = { first: Infinity, last: -Infinity }
}

/** What changes in the statistics: summed up post by post, and completed by `settleStats` at the end of a plan. */
export class StatsDraft {
  readonly totals = { posts: 0, removals: 0 }
  readonly sums = new Map<number, ChannelSums>()
  readonly recent = new Map<number, number>()
  readonly edges = new Map<number, Edges>()
  readonly known = new Map<number, Map<string, LanguageRow>>()
  readonly languages: LanguageRow[] = []
  readonly emptied: { readonly channelId: number; readonly hour: number }[] = []
  readonly #days = new Map<string, Mutable<DayDelta>>()

  learn(wanted: Wanted, known: Known): void {
    for (const { channelId, posts } of known.recent ?? []) this.recent.set(channelId, posts)
    for (const edges of known.edges ?? []) this.edges.set(edges.channelId, edges)
    for (const id of wanted.languages ?? []) if (!this.known.has(id)) this.known.set(id, new Map())
    for (const row of known.languages ?? []) this.known.get(row.channelId)?.set(row.code, row)
  }

  of(channelId: number): ChannelSums {
    return getOrMake(this.sums, channelId, () => new ChannelSums())
  }

  addDay(code: string | null, publishedAt: number, posts: number): void {
    if (code === null) return
    const day = Math.floor(publishedAt / DAY_MS)
    getOrMake(this.#days, `${code} ${day}`, () => ({ code, day, posts: 0 })).posts += posts
  }

  addLanguage(channelId: number, code: string | null, posts: number, weight: number): void {
    if (code === null || (posts === 0 && weight === 0)) return
    const sum = getOrMake(this.of(channelId).languages, code, () => ({ posts: 0, weight: 0 }))
    sum.posts += posts
    sum.weight += weight
  }

  /** Subtracts a post as it was and adds it as it is. If its channel is gone, only the sums over all channels are updated. */
  replace({ ref, old, row }: TouchedPost, isChannelThere: boolean): void {
    if (isChannelThere && row && hourOf(row.post) !== (old && hourOf(old.post))) this.#see(row.post)
    if (isCounted(old?.post)) this.#count(old.post, -1, isChannelThere)
    if (isCounted(row?.post)) this.#count(row.post, 1, isChannelThere)
    if (!isChannelThere) return
    const before = isCounted(old?.post) && old.post.publishedAt
    const after = isCounted(row?.post) && row.post.publishedAt
    if (before !== after) {
      const sums = this.of(ref.channelId)
      sums.numbers.push(ref.number)
      widen(sums.gone, before)
      widen(sums.come, after)
    }
    if (old) this.addLanguage(ref.channelId, old.detectedLanguage, 0, -old.languageWeight)
    if (row) this.addLanguage(ref.channelId, row.detectedLanguage, 0, row.languageWeight)
  }

  #see({ channelId, number, publishedAt }: ArchivedPost): Mutable<HourDelta> {
    const hour = Math.floor(publishedAt / HOUR_MS)
    const none = () => ({ channelId, hour, posts: 0, first: number, last: number })
    const bucket = getOrMake(this.of(channelId).hours, hour, none)
    bucket.first = Math.min(bucket.first, number)
    bucket.last = Math.max(bucket.last, number)
    return bucket
  }

  #count(post: ArchivedPost, sign: 1 | -1, isChannelThere: boolean): void {
    const { channelId, language } = post
    this.addDay(language, post.publishedAt, sign)
    if (!isChannelThere) return
    const sums = this.of(channelId)
    this.#see(post).posts += sign
    this.totals.posts += sign
    sums.posts += sign
    for (const { kind, value } of featuresOf(post)) {
      const none = () => ({ channelId, kind, value, posts: 0 })
      getOrMake(sums.features, `${kind} ${value}`, none).posts += sign
    }
    this.addLanguage(channelId, language, sign, 0)
  }

  writes() {
    const sums = [...this.sums.values()]
    return {
      languages: this.languages,
      hours: sums.flatMap(({ hours }) => [...hours.values()]),
      emptied: this.emptied,
      features: sums.flatMap(({ features }) => [...features.values()].filter(isMoved)),
      days: [...this.#days.values()].filter(isMoved),
      totals: this.totals,
    }
  }
}

function hourOf({ publishedAt }: ArchivedPost): number {
  return Math.floor(publishedAt / HOUR_MS)
}

function widen(bounds: { first: number; last: number }, at: number | false): void {
  if (at === false) return
  bounds.first = Math.min(bounds.first, at)
  bounds.last = Math.max(bounds.last, at)
}

function isMoved({ posts }: { readonly posts: number }): boolean {
  return posts !== 0
}
