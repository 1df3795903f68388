import { nameKey } from '../../model/channel-name.ts'
import { isPostNumber, type ArchivedPost, type PostRef } from '../../model/post.ts'
import { appliesTo } from '../channel-rules.ts'
import { channelEntry, numbersOf, postEntries } from './register.ts'
import { PictureDraft } from './pictures.ts'
import { PostDraft } from './post-draft.ts'
import type {
  ChannelRow,
  ErasureRow,
  GapsOfLease,
  GrowthRow,
  Known,
  NameRow,
  Plan,
  RemovalRow,
  ScheduleRow,
  Wanted,
  Writes,
} from './rows.ts'
import { StatsDraft } from './stats-draft.ts'

interface Cell<Row> {
  readonly old: Row | undefined
  row: Row | undefined
}

/** Runs a plan and writes its draft in one transaction; both start over when the transaction has to be retried. */
export type RunPlan = <T>(plan: (draft: Draft) => Plan<T>) => Promise<T>

/** The rows a plan has loaded, with its changes so far: later steps of the plan see what earlier ones wrote. */
export class Draft {
  readonly posts = new PostDraft()
  readonly stats = new StatsDraft()
  readonly pictures = new PictureDraft()
  readonly #channels = new Map<number, Cell<ChannelRow>>()
  readonly #names = new Map<string, Cell<NameRow>>()
  readonly #schedules = new Map<number, Cell<ScheduleRow>>()
  readonly #forgotten: number[] = []
  /** The loaded entries of the opt-out register, and those to add to it. */
  readonly entries: RemovalRow[] = []
  readonly registered: RemovalRow[] = []
  readonly gaps: GapsOfLease[] = []
  readonly gapsDropped: number[] = []
  readonly gapsMoved: { readonly from: number; readonly to: number }[] = []
  readonly growth: GrowthRow[] = []
  readonly growthMoved: { readonly from: number; readonly to: number }[] = []
  readonly candidatesForgotten: string[] = []
  readonly erasures: ErasureRow[] = []
  readonly heirs: { readonly from: number; readonly to: number | null }[] = []
  readonly erasuresDone: number[] = []

  channel(id: number): ChannelRow | undefined {
    return this.#channels.get(id)?.row
  }

  /** Loads what is wanted. Also returns it, for rows that the draft does not hold. */
  *ask(wanted: Wanted): Plan<Known> {
    const known: Known = yield wanted
    for (const row of known.channels ?? []) learn(this.#channels, row.id, row)
    for (const row of known.names ?? []) learn(this.#names, nameKey(row.name), row)
    for (const row of known.schedules ?? []) learn(this.#schedules, row.channelId, row)
    for (const key of wanted.channels?.names ?? []) learn(this.#names, key, undefined)
    this.entries.push(...(known.removals ?? []))
    this.posts.learn(wanted, known)
    this.stats.learn(wanted, known)
    return known
  }

  /** Loads the posts with these numbers and all posts that their albums list, until none is unknown. */
  *knowPosts(channelId: number, numbers: readonly number[]): Plan<void> {
    for (;;) {
      const unknown = this.posts.unknown(channelId, numbers)
      if (unknown.length === 0) return
      yield* this.ask({ posts: [{ channelId, numbers: unknown }] })
    }
  }

  channelOfPlatformId(platformId: number): ChannelRow | undefined {
    for (const { row } of this.#channels.values()) if (row?.platformId === platformId) return row
    return undefined
  }

  putChannel(row: ChannelRow): void {
    put(this.#channels, row.id, row)
  }

  /** Forgets everything about a channel but its posts; the index is told that it is gone. */
  forgetChannel(channel: ChannelRow, at: number): void {
    for (const key of this.namesOf(channel.id)) put(this.#names, key, undefined)
    put(this.#channels, channel.id, undefined)
    put(this.#schedules, channel.id, undefined)
    this.#forgotten.push(channel.id)
    this.stats.totals.posts -= channel.posts
    this.markChannel(channel.id, at)
  }

  isNameKnown(name: string): boolean {
    return this.#names.has(nameKey(name))
  }

  holderOf(name: string): ChannelRow | undefined {
    const held = this.#names.get(nameKey(name))?.row
    return held && this.channel(held.channelId)
  }

  /** Gives the name to this channel, taking it from any other. */
  giveName(channelId: number, name: string, at: number): void {
    const held = this.#names.get(nameKey(name))?.row
    const isSame = held?.channelId === channelId
    if (isSame && held.name === name) return
    put(this.#names, nameKey(name), { name, channelId, learntAt: isSame ? held.learntAt : at })
  }

  /** Takes a name from the channel if it owns it; nobody owns it then. */
  loseName(channelId: number, name: string): void {
    const isOwn = this.#names.get(nameKey(name))?.row?.channelId === channelId
    if (isOwn) put(this.#names, nameKey(name), undefined)
  }

  /** The channel's names in the form of `nameKey`, in the order in which they were learnt. */
  namesOf(channelId: number): string[] {
    return [...this.#names]
      .filter(([, { row }]) => row?.channelId === channelId)
      .toSorted(([a, x], [b, y]) => x.row!.learntAt - y.row!.learntAt || (a < b ? -1 : 1))
      .map(([key]) => key)
  }

  spelling(key: string): string {
    return this.#names.get(key)?.row?.name ?? key
  }

  schedule(channelId: number): ScheduleRow | undefined {
    return this.#schedules.get(channelId)?.row
  }

  putSchedule(row: ScheduleRow): void {
    put(this.#schedules, row.channelId, row)
  }

  unschedule(channelId: number): void {
    put(this.#schedules, channelId, undefined)
    this.gapsDropped.push(channelId)
  }

  /** The register's entry for the channel as a whole. */
  entryOf(channel: ChannelRow): RemovalRow | undefined {
    const entries = this.entries.filter((entry) => appliesTo(entry, channel))
    return channelEntry(entries, this.namesOf(channel.id), channel.platformId)
  }

  /** Returns a test whether the register has a post or a member of its album. */
  removedIn(channelId: number): (post: Pick<ArchivedPost, 'number' | 'albumNumbers'>) => boolean {
    const platformId = this.channel(channelId)?.platformId ?? null
    const meant = this.entries.filter((entry) => appliesTo(entry, { platformId }))
    const entries = postEntries(meant, this.namesOf(channelId), platformId)
    const removed = new Set(entries.flatMap(numbersOf))
    return ({ number, albumNumbers }) =>
      removed.size > 0 && [number, ...albumNumbers].some((n) => removed.has(n))
  }

  markChannel(channelId: number, at: number): void {
    this.posts.mark({ channelId, number: 0 }, 'channel', at)
  }

  markLanguage(channelId: number, at: number): void {
    this.posts.mark({ channelId, number: 0 }, 'language', at)
  }

  /** Erases a post completely; the index is told that it is gone. */
  erasePost(ref: PostRef, at: number): boolean {
    return isPostNumber(ref.number) && this.posts.erase(ref, at)
  }

  writes(): Writes {
    const gone = new Set(this.#forgotten)
    return {
      growthMoved: this.growthMoved,
      forgotten: this.#forgotten,
      channels: [...this.#channels.values()].flatMap(({ row, old }) =>
        row && row !== old ? [{ row, old }] : [],
      ),
      namesLost: [...this.#names].flatMap(([key, { row, old }]) =>
        old && !row && !gone.has(old.channelId) ? [key] : [],
      ),
      names: changed(this.#names),
      unscheduled: [...this.#schedules].flatMap(([id, { row, old }]) =>
        old && !row && !gone.has(id) ? [id] : [],
      ),
      schedules: changed(this.#schedules),
      gapsDropped: this.gapsDropped,
      gapsMoved: this.gapsMoved,
      gaps: this.gaps,
      ...this.posts.writes(),
      ...this.stats.writes(),
      ...this.pictures.writes(),
      growth: this.growth,
      removals: this.registered,
      candidatesForgotten: this.candidatesForgotten,
      erasures: this.erasures,
      heirs: this.heirs,
      erasuresDone: this.erasuresDone,
    }
  }
}

/** The first load of a row counts: a plan may load it again after having changed it. */
function learn<K, Row>(cells: Map<K, Cell<Row>>, key: K, row: Row | undefined): void {
  if (!cells.has(key)) cells.set(key, { old: row, row })
}

function put<K, Row>(cells: Map<K, Cell<Row>>, key: K, row: Row | undefined): void {
  const cell = cells.get(key)
  if (cell) cell.row = row
  else cells.set(key, { old: undefined, row })
}

function changed<Row>(cells: ReadonlyMap<unknown, Cell<Row>>): Row[] {
  return [...cells.values()].flatMap(({ row, old }) => (row && row !== old ? [row] : []))
}
