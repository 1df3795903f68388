import type { ArchivedPost, PostRef, PostVersion } from '../../model/post.ts'
import type { ChannelDay, ChannelStatus } from '../../model/channel.ts'
import type { Edit } from '../../model/edit.ts'
import type { Derived } from '../archive.ts'
import type { Change } from '../changes.ts'
import type { ProfileFields } from '../channel-rules.ts'
import type { Gap, Schedule } from '../frontier.ts'
import type { PicturesRow } from './pictures.ts'
import type { FeatureKind } from '../post-features.ts'
import type { Removal } from '../removals.ts'

/**
 * The rows every adapter keeps, in the words of the domain. An adapter answers a `Wanted` with a `Known` and carries out
 * `Writes`; what is written is decided in this folder alone.
 */

export interface ChannelRow extends ProfileFields {
  readonly id: number
  readonly platformId: number | null
  readonly username: string
  readonly status: ChannelStatus
  readonly reason: string | null
  readonly addedAt: number
  readonly lastVisitedAt: number | null
  readonly language: string | null
  readonly posts: number
  readonly firstPostAt: number | null
  readonly lastPostAt: number | null
  /** As of the channel's last reading. */
  readonly postsPerDay: number
}

/** Whom a name means; found by its `nameKey`. */
export interface NameRow {
  readonly name: string
  readonly channelId: number
  readonly learntAt: number
}

export interface PostRow {
  readonly post: ArchivedPost
  /** What the post adds to its channel's choice of a language. */
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

/** An album's further number and the post that shows it. */
export interface MemberRow extends PostRef {
  readonly album: number
}

export interface ScheduleRow extends Schedule {
  readonly channelId: number
  /** Demand that came in since the last lease; `demand` does not hold it. */
  readonly freshDemand: number
  /** The earliest time asked for since the last lease. */
  readonly madeDueAt: number | null
  readonly owner: string | null
  readonly token: number
  readonly until: number
}

export interface RemovalRow extends Removal {
  /** The other numbers of a removed album. */
  readonly members: readonly number[]
}

/** A channel whose posts are still to be erased, after they went over to an heir where there is one. */
export interface ErasureRow {
  readonly channelId: number
  readonly heir: number | null
  readonly begunAt: number
}

/** What a channel has of one language. */
export interface LanguageRow {
  readonly channelId: number
  readonly code: string
  readonly posts: number
  readonly weight: number
}

/** Added to what is there. `first` and `last` bound the numbers of that hour's posts and only ever widen. */
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

/** Over all channels: an adapter with many writers adds these up later. */
export interface DayDelta {
  readonly code: string
  readonly day: number
  readonly posts: number
}

/** A day of a channel. */
export interface GrowthRow extends ChannelDay {
  readonly channelId: number
}

/** For the index. Number 0 is the channel itself. One that waits already keeps its place, and the stronger kind stands. */
export interface ChangeMark extends PostRef {
  readonly kind: Change['kind']
  readonly at: number
}

/** What a plan has to know. What one `Wanted` asks for can be loaded in one round trip. */
export interface Wanted {
  /** Channels by id, numeric id of the platform, or a name they own, with all their names, schedules and register entries. */
  readonly channels?: {
    readonly ids?: readonly number[]
    readonly platformIds?: readonly number[]
    /** As `nameKey` makes them. The register's entries for these and for `platformIds` come too, archived or not. */
    readonly names?: readonly string[]
  }
  /** A number no channel had before; a number: higher than it, where channels were copied up to it. */
  readonly newChannelId?: true | number
  /** Posts of these numbers, and the albums that have them as members. */
  readonly posts?: readonly { readonly channelId: number; readonly numbers: readonly number[] }[]
  /** All earlier versions of these posts, oldest first. */
  readonly versions?: readonly PostRef[]
  /** All edits of these posts, oldest first. */
  readonly edits?: readonly PostRef[]
  readonly heads?: readonly PostRef[]
  /** The heads of a channel's first posts by number. */
  readonly lowest?: { readonly channelId: number; readonly limit: number }
  /** The heads of posts published before then, oldest hours first. */
  readonly published?: { readonly before: number; readonly limit: number }
  /** Counted posts of a channel in these hours, the last one excluded. */
  readonly recent?: readonly {
    readonly channelId: number
    readonly fromHour: number
    readonly toHour: number
  }[]
  readonly languages?: readonly number[]
  /** All days of these channels, oldest first. */
  readonly growth?: readonly number[]
  /** When the first and the last counted post were published that have none of these numbers. */
  readonly edges?: readonly { readonly channelId: number; readonly except: readonly number[] }[]
  /** Erasures of these channels, and those that leave to these heirs. */
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
  /** With `published`: hours that have no post left once these are erased. */
  readonly hours?: readonly { readonly channelId: number; readonly hour: number }[]
  readonly recent?: readonly { readonly channelId: number; readonly posts: number }[]
  readonly languages?: readonly LanguageRow[]
  readonly growth?: readonly GrowthRow[]
  readonly edges?: readonly Edges[]
  readonly erasures?: readonly ErasureRow[]
}

export interface Edges {
  readonly channelId: number
  readonly firstPostAt: number | null
  readonly lastPostAt: number | null
}

/** Everything one transaction writes, set by set. Adapters keep to this order: what goes, goes first. */
export interface Writes {
  /** The days of one channel go over to another, which keeps those it has. */
  readonly growthMoved: readonly { readonly from: number; readonly to: number }[]
  /** All of a channel but its posts: row, names, statistics, schedule, gaps, sightings, waiting changes, its own picture. */
  readonly forgotten: readonly number[]
  readonly channels: readonly { readonly row: ChannelRow; readonly old: ChannelRow | undefined }[]
  /** Names that mean nobody any more, as `nameKey` makes them. */
  readonly namesLost: readonly string[]
  /** Each name means this channel from now on, whomever it meant before. */
  readonly names: readonly NameRow[]
  readonly unscheduled: readonly number[]
  readonly schedules: readonly ScheduleRow[]
  /** All gaps of these channels go. */
  readonly gapsDropped: readonly number[]
  readonly gapsMoved: readonly { readonly from: number; readonly to: number }[]
  /** Replaces those gaps that the holder of this lease was told of. */
  readonly gaps: readonly GapsOfLease[]

  /** The pictures of one post go over to another, which keeps those it has. */
  readonly picturesMoved: readonly { readonly from: PostRef; readonly to: PostRef }[]
  /** Posts with their versions, edits, terms and pictures. */
  readonly erased: readonly PostRef[]
  /** Their earlier versions lose their text, their edits what they name, the posts their terms and pictures. */
  readonly redacted: readonly PostRef[]
  /** Their earlier versions and edits go before `versions` and `edits` are written. */
  readonly unversioned: readonly PostRef[]
  readonly added: readonly PostRow[]
  /** Anything of the post may have moved but what is derived from it. */
  readonly moved: readonly PostRow[]
  /** Only counters and the time of the last reading moved. */
  readonly counted: readonly PostRow[]
  readonly versions: readonly VersionRow[]
  /** They are there again: the edits that tell of their deletion go, before `edits` are written. */
  readonly undeleted: readonly PostRef[]
  readonly edits: readonly Edit[]
  readonly membersLeft: readonly PostRef[]
  readonly members: readonly MemberRow[]
  readonly derived: readonly Derived[]
  readonly pictures: readonly PicturesRow[]

  /** Exact; a row of nothing goes. */
  readonly languages: readonly LanguageRow[]
  readonly hours: readonly HourDelta[]
  readonly emptied: readonly { readonly channelId: number; readonly hour: number }[]
  readonly features: readonly FeatureDelta[]
  readonly days: readonly DayDelta[]
  /** Each takes the place of the same day's row, but for what it does not know. */
  readonly growth: readonly GrowthRow[]
  readonly totals: { readonly posts: number; readonly removals: number }

  readonly changes: readonly ChangeMark[]
  /** An entry that is there already stays; it only learns the numeric id. */
  readonly removals: readonly RemovalRow[]
  /** Candidates, with all who named them. */
  readonly candidatesForgotten: readonly string[]
  readonly erasures: readonly ErasureRow[]
  /** What others were to leave to `from` goes to `to`; to nobody when null. */
  readonly heirs: readonly { readonly from: number; readonly to: number | null }[]
  /** Nothing is left of these; members of albums that are still there go, too. */
  readonly erasuresDone: readonly number[]
}

export interface GapsOfLease {
  readonly channelId: number
  readonly token: number
  readonly gaps: readonly Omit<Gap, 'id' | 'channelId'>[]
}
