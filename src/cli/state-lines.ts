import type { Overview } from '../operations/overview.ts'
import { PENDING_BOUND } from '../store/changes.ts'
import type { StoreDescription } from '../store/store.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { CommandCall } from './command.ts'
import { formatAge, formatBytes, formatCount, plural } from './format.ts'
import { nextCommand } from './invocation.ts'

/** The state of an installation in words, the same for `status` and `doctor`. */

type Answer<K extends keyof Overview> = Awaited<ReturnType<Overview[K]>>

/** Watches that were told of an event this late are behind. */
const MAX_BEHIND_MS = 10 * MINUTE_MS

export function describeStore(
  { kind, version, schemaVersion, location }: StoreDescription,
  bytes: number | null,
): string {
  const size = bytes === null ? '' : `${formatBytes(bytes)} `
  return `${kind} ${version} schema ${schemaVersion}, ${size}in ${location}`
}

export function describeIndex(
  found: {
    readonly held: Answer<'index'>
    readonly pending: Answer<'pending'>
    readonly totals: Answer<'totals'>
    readonly now: number
  },
  call: CommandCall,
): string {
  const { held, pending, totals, now } = found
  if (held.problem !== null) return held.problem
  if (held.generation === 0)
    return totals.posts === 0
      ? 'none yet'
      : `missing: ${nextCommand(call, 'serve')} or reindex makes it`
  const rebuilt = held.rebuilding ? '; being rebuilt' : ''
  if (pending.isBehind || !held.complete) return `may lack posts until it is rebuilt${rebuilt}`
  if (pending.count === 0) return `up to date${rebuilt}`
  const changes =
    pending.count < PENDING_BOUND
      ? plural(pending.count, 'change')
      : `${formatCount(pending.count)} or more changes`
  return `${changes} waiting, oldest ${formatAge(pending.since, now)}${rebuilt}`
}

export function describePictures(
  { files, bytes, waiting, missing }: Answer<'pictures'>,
  limit: number,
): string {
  const kept = `${formatCount(files)} kept, ${formatBytes(bytes)} of ${formatBytes(limit)}`
  return `${kept}; ${formatCount(waiting)} waiting, ${formatCount(missing)} could not be had`
}

/** The figures, and then what is wrong. */
export function describeWatches(
  { watches, pending, dead, behindSince }: Answer<'watches'>,
  now: number,
  call: CommandCall,
): [string, ...string[]] {
  const isBehind = behindSince !== null && behindSince < now - MAX_BEHIND_MS
  return [
    `${plural(watches, 'watch', 'watches')}, ${plural(pending, 'delivery', 'deliveries')} waiting`,
    ...(dead === 0 ? [] : [`${plural(dead, 'dead letter')} (${nextCommand(call, 'watch dead')})`]),
    ...(isBehind ? [`behind since ${formatAge(behindSince, now)}: does a process index?`] : []),
  ]
}
