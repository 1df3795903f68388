import { lockShared } from '../../store-lock.ts'
import type { Watch, WatchOptions } from '../../model/watch.ts'
import type { Store } from '../../store/store.ts'
import { describeSinks } from '../../watch/secrets.ts'
import { EVERYTHING } from '../../watch/watch-query.ts'
import { systemClock } from '../../model/clock.ts'
import { NotFoundError, UsageError, type CommandCall } from '../command.ts'
import { formatAge, formatInstant, plural } from '../format.ts'
import { TELEGREP, nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { displayWidth, type Printer } from '../print.ts'
import { showRow } from '../show-row.ts'
import { showTable, tableLines } from '../table.ts'

const PAGE = 500
const DEAD_SHOWN = 1000

export async function listWatches(call: CommandCall): Promise<void> {
  const { print, json } = call
  await using store = await openLocalStore(call)
  const watches = await allWatches(store)
  if (json) print.json(watches.map(viewWatch))
  else if (watches.length === 0)
    print.note(`There are no watches yet: ${TELEGREP} watch add --help`)
  else {
    const rows = watches.map((watch) => [
      watch.name,
      looksFor(watch.query),
      tellsOf(watch),
      howOf(watch.options),
    ])
    const titles = ['name', 'looks for', 'tells', 'how']
    const lines = tableLines(
      titles.map((title) => ({ title })),
      rows,
      Infinity,
    )
    // A query or a reason that is cut in half would be of no use, so rows that are too wide are written out.
    const isTooWide = lines.some((line) => displayWidth(line) > print.width)
    if (!print.isTerminal || !isTooWide) for (const line of lines) print.line(line)
    else for (const row of rows) showWatch(row, titles, print)
  }
}

function showWatch(
  [name = '', ...cells]: readonly string[],
  [, ...titles]: readonly string[],
  print: Printer,
): void {
  print.line(print.style.bold(name))
  for (const [i, cell] of cells.entries())
    if (cell !== '') showRow(`  ${titles[i]!.padEnd(11)}`, cell, print)
}

function looksFor(query: Watch['query']): string {
  return Object.entries(asDefined(query))
    .map(([name, value]) => {
      if (value === true) return name
      return name === 'q' ? value : `${name}=${value}`
    })
    .join(' ')
}

/** The query in the words of a definition; how a search for every post is stored is an internal detail. */
function asDefined(query: Watch['query']): Record<string, string | true> {
  const { min_views: least, ...rest } = query
  return least === EVERYTHING.min_views ? { everything: true, ...rest } : query
}

export async function allWatches({ watches }: Store): Promise<Watch[]> {
  const all: Watch[] = []
  for (;;) {
    const page = await watches.list(all.at(-1)?.name ?? null, PAGE)
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

function viewWatch({ name, query, sinks, options, createdAt, stopped }: Watch): object {
  return {
    name,
    query: asDefined(query),
    tells: describeSinks(sinks),
    stopped,
    once_per_story: options.oncePerStory,
    edits: options.edits,
    deletions: options.deletions,
    digest_minutes: options.digestMinutes,
    quiet: options.quiet && quietOf(options),
    created_at: formatInstant(createdAt),
  }
}

function tellsOf({ sinks, stopped }: Watch): string {
  return Object.entries(describeSinks(sinks))
    .map(([kind, whom]) => {
      const reason = stopped[kind as keyof typeof stopped]
      return `${kind} ${whom}${reason === undefined ? '' : ` (stopped: ${reason})`}`
    })
    .join(', ')
}

function quietOf({ quiet }: WatchOptions): string {
  if (!quiet) return ''
  const clock = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return `${clock(quiet.from)}-${clock(quiet.to)} ${quiet.zone}`
}

function howOf(options: WatchOptions): string {
  return [
    ...(options.oncePerStory ? ['once per story'] : []),
    ...(options.digestMinutes === null ? [] : [`digest ${options.digestMinutes}m`]),
    ...(options.quiet ? [`quiet ${quietOf(options)}`] : []),
    ...(options.edits ? ['edits'] : []),
    ...(options.deletions ? ['deletions'] : []),
  ].join(', ')
}

export async function removeWatch(call: CommandCall): Promise<void> {
  const [name = ''] = call.operands
  await using store = await openLocalStore(call)
  await using _ = await lockShared(store)
  const removed = await store.watches.remove(name)
  if (!removed) throw noSuchWatch(call, name)
  if (call.json) call.print.json({ name, removed })
  else call.print.note(`${name}: tells nothing more.`)
}

export function noSuchWatch(call: CommandCall, name: string): NotFoundError {
  return new NotFoundError(`there is no watch ${name}; see ${nextCommand(call, 'watch list')}`)
}

export async function listDead(call: CommandCall): Promise<void> {
  const { print, json } = call
  await using store = await openLocalStore(call)
  const letters = await store.deliveries.dead(DEAD_SHOWN)
  const names = new Map<number, string>()
  for (const { watchId } of letters)
    if (!names.has(watchId)) names.set(watchId, (await store.watches.byId(watchId))?.name ?? '')
  const now = systemClock.now()
  if (json) {
    print.json(
      letters.map(({ watchId, sink, events, attempts, diedAt, error }) => {
        const died_at = formatInstant(diedAt)
        return { watch: names.get(watchId), sink, events: events.length, attempts, died_at, error }
      }),
    )
  } else if (letters.length === 0) print.note('There are no dead letters.')
  else {
    showTable(
      letters,
      [
        { title: 'watch', cell: ({ watchId }) => names.get(watchId) ?? '' },
        { title: 'to', cell: ({ sink }) => sink },
        { title: 'about', cell: ({ events }) => plural(events.length, 'post') },
        { title: 'tried', cell: ({ attempts }) => plural(attempts, 'try', 'tries') },
        { title: 'given up', cell: ({ diedAt }) => formatAge(diedAt, now) },
        { title: 'because', shrinks: 1, cell: ({ error }) => error },
      ],
      print,
    )
    print.note(`Send them again: ${nextCommand(call, 'watch resend --all')}`)
  }
}

/** Not all by default: that would also start every receiver again that once asked for no more. */
export async function checkResend({ operands, flags }: CommandCall): Promise<void> {
  if (operands.length > 0 === (flags['all'] === true))
    throw new UsageError('expected the name of a watch, or --all')
}

export async function resendDead(call: CommandCall): Promise<void> {
  const [name] = call.operands
  await using store = await openLocalStore(call)
  await using _ = await lockShared(store)
  const watch = name === undefined ? null : await store.watches.get(name)
  if (watch === undefined) throw noSuchWatch(call, name!)
  // Whoever resends missed messages to a receiver also wants it to get new ones.
  const stopped = (watch ? [watch] : await allWatches(store)).filter(isStopped)
  for (const one of stopped) await store.watches.put(one)
  const resent = await store.deliveries.resend(watch?.id ?? null)
  if (call.json) call.print.json({ resent })
  else {
    for (const one of stopped) call.print.note(`${one.name}: tells again what it finds.`)
    call.print.note(`${plural(resent, 'dead letter')} will be sent again by a running server.`)
  }
}

export function isStopped({ stopped }: Watch): boolean {
  return Object.keys(stopped).length > 0
}
