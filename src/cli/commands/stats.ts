import { parseChannelName } from '../../model/channel-name.ts'
import type { Channel } from '../../model/channel.ts'
import { systemClock } from '../../model/clock.ts'
import { cell, EXCEL_MARK } from '../../operations/render/csv.ts'
import { viewTimeOrNull } from '../../operations/views/common.ts'
import type { ChannelStats } from '../../store/archive.ts'
import { channelPages } from '../../store/channel-pages.ts'
import type { Store } from '../../store/store.ts'
import { NotFoundError, UsageError, type CommandCall } from '../command.ts'
import { formatCount, plural, sparkline } from '../format.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'
import { showRow } from '../show-row.ts'

const DAYS = 30

/** Figures of all channels together, or a row for each, for programs. Memory holds one page of channels. */
export async function stats(call: CommandCall): Promise<void> {
  const { print } = call
  const format = formatOf(call)
  const isCsv = format === 'csv' || format === 'excel'
  await using store = await openLocalStore(call)
  const now = systemClock.now()
  const isAll = call.operands.length === 0
  const total = isAll ? (await store.archive.totals()).channels : null
  const progress = createProgress(print, systemClock, 'counting', 'channels')
  const sum = newSum()
  if (isCsv) print.line(`${format === 'excel' ? EXCEL_MARK : ''}${CSV.join(',')}`)
  for await (const channel of chosen(store, call)) {
    const row = rowOf(channel, await store.archive.stats(channel.id, now))
    addTo(sum, row)
    if (format === 'ndjson') print.json(row)
    else if (isCsv) print.line(CSV.map((name) => cell(csvValue(row[name]))).join(','))
    progress.update(sum.channels, total)
  }
  progress.end()
  if (format === 'sum') showSum(call, sum, isAll ? await store.archive.languages(now) : [])
}

const FORMATS = ['sum', 'csv', 'excel', 'ndjson'] as const

function formatOf({ flags, json }: CommandCall): (typeof FORMATS)[number] {
  const given = flags['format']
  if (given === undefined) return json ? 'ndjson' : 'sum'
  const format = FORMATS.find((name) => name === given)
  if (format && !(json && format !== 'ndjson')) return format
  throw new UsageError(`expected --format ${FORMATS.join(', ')}; found ${JSON.stringify(given)}`)
}

async function* chosen(store: Store, { operands, signal }: CommandCall): AsyncGenerator<Channel> {
  if (operands.length > 0) {
    const names = operands.map((operand) => parseChannelName(operand) ?? operand)
    const found = await store.archive.channelsByName(names)
    const missing = names.filter((_, i) => found[i] === undefined)
    if (missing.length > 0) throw new NotFoundError(`not indexed here: ${missing.join(', ')}`)
    yield* found.flatMap((channel) => channel ?? [])
    return
  }
  for await (const page of channelPages(store.archive, 'username')) {
    signal.throwIfAborted()
    yield* page
  }
}

function rowOf(channel: Channel, figures: ChannelStats) {
  return {
    channel: channel.username,
    title: channel.title,
    status: channel.status,
    language: channel.language,
    subscribers: channel.subscribers?.value ?? null,
    posts: figures.posts,
    posts_30d: figures.posts30d,
    posts_per_day: figures.postsPerDay,
    median_views: figures.medianViews,
    first_post_at: viewTimeOrNull(figures.firstPostAt),
    last_post_at: viewTimeOrNull(figures.lastPostAt),
    archive_from: viewTimeOrNull(channel.archiveFrom),
    archive_complete: channel.archiveComplete,
    last_visited_at: viewTimeOrNull(channel.lastVisitedAt),
    daily: figures.daily,
  }
}
type Row = ReturnType<typeof rowOf>

/** Figures of all channels that were asked for. */
interface Sum {
  channels: number
  complete: number
  posts: number
  oldest: string | null
  newest: string | null
  readonly daily: number[]
}

function newSum(): Sum {
  const daily = Array.from({ length: DAYS }, () => 0)
  return { channels: 0, complete: 0, posts: 0, oldest: null, newest: null, daily }
}

function addTo(sum: Sum, row: Row): void {
  sum.channels++
  if (row.archive_complete) sum.complete++
  sum.posts += row.posts
  // Times written alike, so that they compare as texts.
  const { first_post_at: first, last_post_at: last } = row
  if (first !== null && (sum.oldest === null || first < sum.oldest)) sum.oldest = first
  if (last !== null && (sum.newest === null || last > sum.newest)) sum.newest = last
  for (const [i, posts] of row.daily.entries()) sum.daily[i]! += posts
}

const CSV = [
  'channel',
  'title',
  'status',
  'language',
  'subscribers',
  'posts',
  'posts_30d',
  'posts_per_day',
  'median_views',
  'first_post_at',
  'last_post_at',
  'archive_from',
  'archive_complete',
  'last_visited_at',
] as const satisfies readonly (keyof Row)[]

function csvValue(value: Row[(typeof CSV)[number]]): string | number | null {
  return typeof value === 'boolean' ? String(value) : value
}

function showSum(
  { print }: CommandCall,
  sum: Sum,
  languages: readonly { readonly code: string; readonly channels: number }[],
): void {
  const row = (name: string, value: string) =>
    showRow(print.style.bold(name.padEnd(12)), value, print)
  const { oldest, newest } = sum
  row(
    'channels',
    `${formatCount(sum.channels)}, ${formatCount(sum.complete)} from their first post`,
  )
  const span =
    oldest === null || newest === null ? '' : `, ${oldest.slice(0, 10)} to ${newest.slice(0, 10)}`
  row('posts', `${formatCount(sum.posts)} in all${span}`)
  const month = sum.daily.reduce((all, posts) => all + posts, 0)
  row('30 days', `${sparkline(sum.daily)}  ${plural(month, 'post')}`)
  const named = languages.filter(({ channels }) => channels > 0).slice(0, 8)
  if (named.length > 0)
    row(
      'languages',
      named.map(({ code, channels }) => `${code} ${formatCount(channels)}`).join(', '),
    )
}
