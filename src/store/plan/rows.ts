import type { ArchivedPost, PostRef, PostVersion } from '../../model/post.ts'
import type { Channel, ChannelDay } from '../../model/channel.ts'
import type { Edit } from '../../model/edit.ts'
import type { Derived } from '../archive.ts'
import type { Change } from '../changes.ts'
import type { Gap, Schedule } from '../frontier.ts'
import type { PicturesRow } from './pictures.ts'
import type { FeatureKind } from '../post-features.ts'
import type { Removal } from '../removals.ts'

/**
 * The rows that every adapter keeps, in the words of the domain. An adapter answers a `Wanted` with a `Known` and carries out
 * `Writes`; what is written is decided in this folder only.
 */

type Elsewhere = 'aliases' | 'languages' | 'nextVisitAt' | 'archiveFrom' | 'archiveComplete'

/** A channel without what other rows tell about it. */
export interface ChannelRow extends Omit<Channel, Elsewhere> {
  /** As of the channel's last reading. */
  readonly postsPerDay: number
}

/** The channel that owns a name; found by its `nameKey`. */
export interface NameRow {
  readonly name: string
  readonly channelId: number
  readonly learntAt: number
}

export interface PostRow {
  readonly post: ArchivedPost
  /** The language that the post counts towards when its channel's language is chosen. */
  readonly detectedLanguage: string | null
  readonly languageWeight: number
}

/** A post without its content. */
export interface PostHead extends PostRef {
  readonly publishedAt: number
  readonly revision: number
  readonly isCounted: boolean
  readonly isDeleted: boolean
  readonly language: string | null
  readonly detectedLanguage: string | null
  readonly languageWeight: number
}

export interface VersionRow extends PostRef, PostVersion {
  /** The revision that had this content. */
  readonly revision: number
}

/** A member number of an album, and the number of the post that shows the album. */
export interface MemberRow extends PostRef {
  readonly album: number
}

export interface ScheduleRow extends Schedule {
  readonly channelId: number
  /** Demand added since the last lease; not included in `demand`. */
  readonly freshDemand: number
  /** The earliest time that `makeDue` asked for since the last lease. */
  readonly madeDueAt: number | null
  readonly owner: string | null
  readonly token: number
  readonly until: number
}

export interface RemovalRow extends Removal {
  /** All numbers of a removed album; empty for any other post. */
  readonly members: readonly number[]
}

/** A channel whose posts are still to be erased, or moved to its heir where it has one. */
export interface ErasureRow {
  readonly channelId: number
  readonly heir: number | null
  readonly begunAt: number
}

/** How many posts of a channel are in one language, and how much weight they give it. */
export interface LanguageRow {
  readonly channelId: number
  readonly code: string
  readonly posts: number
  readonly weight: number
}

/** Added to the stored row. `first` and `last` bound the numbers of that hour's posts and only ever widen. */
export interface HourDelta {
  readonly channelId: number
  readonly hour: number
  readonly posts: number
  readonly first: number
  readonly last: number
}

export interface FeatureDelta {
  readonly channelId: number
  readonly kind: FeatureKind
  readonly value: string
  readonly posts: number
}

/** Counts over all channels; an adapter with many concurrent writers may add them up later. */
export interface DayDelta {
  readonly code: string
  readonly day: number
  readonly posts: number
}

/** A day of a channel. */
export interface GrowthRow extends ChannelDay {
  readonly channelId: number
}

/** A change for the index; number 0 is the channel itself. One already waiting keeps its place and takes the stronger kind. */
export interface ChangeMark extends PostRef {
  readonly kind: Change['kind']
  readonly at: number
}

/** What a plan has to know. Everything in one `Wanted` can be loaded in one round trip. */
export interface Wanted {
  /** Channels by id, numeric id of the platform, or a name they own; with all their names, schedules and register entries. */
  readonly channels?: {
    readonly ids?: readonly number[]
    readonly platformIds?: readonly number[]
    /** In the form of `nameKey`. Register entries for these and for `platformIds` are included, whether archived or not. */
    readonly names?: readonly string[]
  }
  /** An id that no channel ever had; if a number is given, one above it, since channels were copied with ids up to it. */
  readonly newChannelId?: true | number
  /** Posts with these numbers, and the albums that have these numbers as members. */
  readonly posts?: readonly { readonly channelId: number; readonly numbers: readonly number[] }[]
  /** All earlier versions of these posts, oldest first. */
  readonly versions?: readonly PostRef[]
  /** All edits of these posts, oldest first. */
  readonly edits?: readonly PostRef[]
  readonly heads?: readonly PostRef[]
  /** The heads of a channel's posts with the lowest numbers. */
  readonly lowest?: { readonly channelId: number; readonly limit: number }
  /** The heads of posts published before then, oldest hours first. */
  readonly published?: { readonly before: number; readonly limit: number }
  /** The number of counted posts of a channel from `fromHour` up to but excluding `toHour`. */
  readonly recent?: readonly {
    readonly channelId: number
    readonly fromHour: number
    readonly toHour: number
  }[]
  readonly languages?: readonly number[]
  /** All days of these channels, oldest first. */
  readonly growth?: readonly number[]
  /** When the first and the last counted posts were published, ignoring posts with these numbers. */
  readonly edges?: readonly { readonly channelId: number; readonly except: readonly number[] }[]
  /** Erasures of this channel, or those that have this heir. */
  readonly erasures?: { readonly channelId?: number; readonly heir?: number }
}

export interface Known {
  readonly channels?: readonly ChannelRow[]
  readonly names?: readonly NameRow[]
  readonly schedules?: readonly ScheduleRow[]
  readonly removals?: readonly RemovalRow[]
  readonly newChannelId?: number
  readonly posts?: readonly PostRow[]
  readonly members?: readonly MemberRow[]
  readonly versions?: readonly VersionRow[]
  readonly edits?: readonly Edit[]
  readonly heads?: readonly PostHead[]
  /** For `published`: hours that have no post left once these heads are erased. */
  readonly hours?: readonly { readonly channelId: number; readonly hour: number }[]
  readonly recent?: readonly { readonly channelId: number; readonly posts: number }[]
  readonly languages?: readonly LanguageRow[]
  readonly growth?: readonly GrowthRow[]
  readonly edges?: readonly Edges[]
  readonly erasures?: readonly ErasureRow[]
}

/**
 * Decides what an event changes, or part of it: it asks for rows by `yield` and drafts what to write. Each `yield` is one
 * round trip for a networked database, so a plan asks at once for everything it can foresee, and again only in rare cases.
 */
export type Plan<T> = Generator<Wanted, T, Known>

export interface Edges {
  readonly channelId: number
  readonly firstPostAt: number | null
  readonly lastPostAt: number | null
}

/** Everything that one transaction writes, set by set. Adapters write in this order: deletions come first. */
export interface Writes {
  /** The days of one channel move to another, which keeps the days it already has. */
  readonly growthMoved: readonly { readonly from: number; readonly to: number }[]
  /** A channel except its posts: row, names, statistics, schedule, gaps, sightings, waiting changes, its own picture. */
  readonly forgotten: readonly number[]
  readonly channels: readonly { readonly row: ChannelRow; readonly old: ChannelRow | undefined }[]
  /** Names that nobody owns any more, in the form of `nameKey`. */
  readonly namesLost: readonly string[]
  /** Each name is given to its channel, and taken from any other. */
  readonly names: readonly NameRow[]
  readonly unscheduled: readonly number[]
  readonly schedules: readonly ScheduleRow[]
  /** Channels that lose all their gaps. */
  readonly gapsDropped: readonly number[]
  readonly gapsMoved: readonly { readonly from: number; readonly to: number }[]
  /** Replaces the gaps that the holder of this lease knows of. */
  readonly gaps: readonly GapsOfLease[]

  /** The pictures of one post move to another, which keeps those it already has. */
  readonly picturesMoved: readonly { readonly from: PostRef; readonly to: PostRef }[]
  /** Erased with their versions, edits, terms and pictures. */
  readonly erased: readonly PostRef[]
  /** Posts that lose their terms and pictures; their earlier versions lose their text, their edits the facts they name. */
  readonly redacted: readonly PostRef[]
  /** Posts whose earlier versions and edits are erased before `versions` and `edits` are written. */
  readonly unversioned: readonly PostRef[]
  readonly added: readonly PostRow[]
  /** Anything in the post may have changed, except what is derived from it. */
  readonly moved: readonly PostRow[]
  /** Of these, the ones that read otherwise now: they lose their terms until they are analysed again. */
  readonly reworded: readonly PostRef[]
  /** Only counters and the time of the last capture changed. */
  readonly counted: readonly PostRow[]
  readonly versions: readonly VersionRow[]
  /** Posts that exist again: the edits that record their deletion are erased before `edits` are written. */
  readonly undeleted: readonly PostRef[]
  readonly edits: readonly Edit[]
  readonly membersLeft: readonly PostRef[]
  readonly members: readonly MemberRow[]
  readonly derived: readonly Derived[]
  readonly pictures: readonly PicturesRow[]

  /** Absolute values, not differences; a row with zero posts and weight is deleted. */
  readonly languages: readonly LanguageRow[]
  readonly hours: readonly HourDelta[]
  readonly emptied: readonly { readonly channelId: number; readonly hour: number }[]
  readonly features: readonly FeatureDelta[]
  readonly days: readonly DayDelta[]
  /** Each replaces the row of the same day, but its nulls leave the stored values as they are. */
  readonly growth: readonly GrowthRow[]
  readonly totals: { readonly posts: number; readonly removals: number }

  readonly changes: readonly ChangeMark[]
  /** An existing entry stays as it is, except that it learns the numeric id. */
  readonly removals: readonly RemovalRow[]
  /** Candidates to forget, with their sightings. */
  readonly candidatesForgotten: readonly string[]
  readonly erasures: readonly ErasureRow[]
  /** Erasures whose heir is `from` get the heir `to`, or none when null. */
  readonly heirs: readonly { readonly from: number; readonly to: number | null }[]
  /** Channels that have no posts left: their erasure ends, and any remaining album members are erased. */
  readonly erasuresDone: readonly number[]
}

export interface GapsOfLease {
  readonly channelId: number
  readonly token: number
  readonly gaps: readonly Omit<Gap, 'id' | 'channelId'>[]
}
