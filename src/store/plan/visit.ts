import { NOTHING_WRITTEN, type Reading } from '../archive.ts'
import type { Frontier, Lease, Schedule, VisitResult } from '../frontier.ts'
import type { Retention } from '../retention.ts'
import type { Draft, RunPlan } from './draft.ts'
import { dueRow } from './new-rows.ts'
import { record, wantedForReading, type Recorded } from './reading.ts'
import type { Plan, Wanted } from './rows.ts'
import { storable } from './storable.ts'

/** What the end of a visit changes; undefined when its lease was lost. */
export function* planSettle(
  draft: Draft,
  lease: Lease,
  result: VisitResult,
  retention: Retention,
): Plan<Recorded | undefined> {
  const { reading, ...end } = storable(result)
  yield* draft.ask(reading ? wantedOf(lease, reading) : { channels: { ids: [lease.channelId] } })
  if (!isHeld(draft, lease)) return undefined
  const recorded: Recorded = reading
    ? yield* record(draft, reading, retention)
    : { result: NOTHING_WRITTEN, channelId: lease.channelId, erased: [] }
  release(draft, lease)
  // The page may have shown another channel than the one leased: the end of the visit is recorded for the one it showed.
  const { channelId } = recorded
  const row = channelId === undefined ? undefined : draft.schedule(channelId)
  if (row) {
    const isOwn = channelId === lease.channelId || row.newestNumber === null
    if (isOwn) endVisit(draft, row.channelId, lease.token, end)
    // That channel has been read before, so its own cursor stays; it is only made due sooner.
    else draft.putSchedule(dueRow(row, row.channelId, reading!.at))
  }
  return recorded
}

/** Records what a visit that continues has read so far; undefined when its lease was lost. */
function* planCheckpoint(
  draft: Draft,
  lease: Lease,
  part: Pick<VisitResult, 'gaps' | 'walked'> & { readonly reading: Reading },
  retention: Retention,
): Plan<Recorded | undefined> {
  const { reading, gaps, walked } = storable(part)
  yield* draft.ask(wantedOf(lease, reading))
  if (!isHeld(draft, lease)) return undefined
  const recorded = yield* record(draft, reading, retention)
  const { channelId } = recorded
  if (channelId === lease.channelId) {
    const row = draft.schedule(channelId)!
    draft.putSchedule({ ...row, walkedTo: walkedTo(row, walked) })
    draft.gaps.push({ channelId, token: lease.token, gaps })
  }
  return recorded
}

function wantedOf(lease: Lease, reading: Reading): Wanted {
  const wanted = wantedForReading(reading)
  return { ...wanted, channels: { ...wanted.channels, ids: [lease.channelId, reading.channelId] } }
}

/** A lease that ran out still counts until another process takes the channel: otherwise its work would be done twice. */
function isHeld(draft: Draft, { channelId, owner, token }: Lease): boolean {
  const row = draft.schedule(channelId)
  return row?.owner === owner && row.token === token
}

function release(draft: Draft, lease: Lease): void {
  const row = draft.schedule(lease.channelId)
  if (row && isHeld(draft, lease)) draft.putSchedule({ ...row, owner: null, until: 0 })
}

function endVisit(
  draft: Draft,
  channelId: number,
  token: number,
  { schedule, status, reason, gaps, walked }: Omit<VisitResult, 'reading'>,
): void {
  const row = draft.schedule(channelId)!
  const channel = draft.channel(channelId)!
  const nextVisitAt = Math.round(schedule.nextVisitAt)
  const earliestVisitAt = Math.round(schedule.earliestVisitAt)
  const plan = { ...row, ...schedule, nextVisitAt, earliestVisitAt }
  const next = { ...plan, walkedTo: walkedTo(row, walked) }
  // A `makeDue` during the visit still counts, whatever the policy has decided.
  draft.putSchedule(row.madeDueAt === null ? next : dueRow(next, channelId, row.madeDueAt))
  const visits = [channel.lastVisitedAt, schedule.lastVisitAt].filter((at) => at !== null)
  draft.putChannel({
    ...channel,
    status,
    reason,
    lastVisitedAt: visits.length === 0 ? null : Math.max(...visits),
  })
  draft.gaps.push({ channelId, token, gaps })
}

/**
 * How far down the channel is walked after these stretches. A stretch that begins below the walked range leaves a hole and
 * does not count.
 */
function walkedTo(
  row: Pick<Schedule, 'newestNumber' | 'walkedTo'>,
  walked: VisitResult['walked'],
): number | null {
  let lowest = row.newestNumber === null ? null : (row.walkedTo ?? row.newestNumber + 1)
  for (const { before, downTo } of walked) {
    if (lowest === null || before >= lowest) lowest = Math.min(lowest ?? downTo, downTo)
  }
  return lowest
}

/** The writes of every adapter's frontier: a plan, and then the erasures that it began. */
export function createVisitWrites(
  run: RunPlan,
  erase: (channelIds: readonly number[]) => Promise<unknown>,
  retention: Retention,
): Pick<Frontier, 'settle' | 'checkpoint'> {
  const write = async (plan: (draft: Draft) => Plan<Recorded | undefined>) => {
    const written = await run(plan)
    if (!written) return 'stale'
    await erase(written.erased)
    return written.result
  }
  return {
    settle: (lease, result) => write((draft) => planSettle(draft, lease, result, retention)),
    checkpoint: (lease, part) => write((draft) => planCheckpoint(draft, lease, part, retention)),
  }
}
