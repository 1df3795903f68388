import { abortable } from '../model/abortable.ts'
import { pause, type Clock } from '../model/clock.ts'
import { DAY_MS, HOUR_MS } from '../model/time.ts'
import type { Watch } from '../model/watch.ts'
import type { ChannelCards } from '../operations/channel-cards.ts'
import type { Delivery, Outcome } from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'
import { compose } from './compose.ts'
import type { Senders, SendResult } from './sender.ts'

/**
 * Sends waiting deliveries. If a process dies while sending, its lease runs out and the delivery is sent again: each arrives
 * at least once, or becomes a dead letter after a day of attempts.
 */

export interface DeliverOptions {
  readonly store: Pick<Store, 'watches' | 'deliveries' | 'archive'>
  readonly cards: ChannelCards
  readonly senders: Senders
  readonly clock: Clock
  /** Then nothing is sent: if that failed, it would be planned by this clock. */
  readonly isClockWrong: () => boolean
  readonly random: () => number
  readonly events: DeliveryEvents
  /** The timeout of one attempt. */
  readonly timeoutMs?: number
}

interface DeliveryEvents {
  delivered(event: { sink: string; outcome: 'sent' | 'failed' | 'dead' }): void
  sinkStopped(event: { watch: string; sink: string; reason: string }): void
  workerFailed(error: unknown, worker: string): void
}

/** Longer than an attempt may take, so that no other process sends it meanwhile. */
const LEASE_MS = 60_000
const ATTEMPT_MS = 45_000
const IN_FLIGHT = 16
const IDLE_MS = 300
const FIRST_AGAIN_MS = 5_000
const LAST_AGAIN_MS = 2 * HOUR_MS
/** How long a sink rests after its second failure in a row. */
const FIRST_REST_MS = 250
const LONGEST_REST_MS = 60_000
const GIVE_UP_MS = DAY_MS

/** Sends until aborted, up to `IN_FLIGHT` deliveries at a time. */
export async function deliverAll(options: DeliverOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, events } = options
  const running = new Set<Promise<void>>()
  let idle: Promise<void> | undefined
  const failed = (error: unknown) => {
    if (!signal.aborted) events.workerFailed(error, 'deliveries')
  }
  while (!signal.aborted) {
    if (running.size >= IN_FLIGHT) {
      await Promise.race(running)
      continue
    }
    const delivery = options.isClockWrong()
      ? undefined
      : await store.deliveries.lease(LEASE_MS).catch(failed)
    if (!delivery) {
      idle ??= pause(clock, IDLE_MS, signal).finally(() => (idle = undefined))
      // A sink gets one delivery at a time: as soon as one is done, the next may be due.
      await Promise.race([idle, ...running])
      continue
    }
    const work = deliver(options, delivery, signal)
      .catch(failed)
      .finally(() => running.delete(work))
    running.add(work)
  }
  await Promise.all([idle, ...running])
}

const TOLD = { sent: 'sent', again: 'failed', dead: 'dead' } as const

/** Sends one delivery and records the outcome. */
export async function deliver(
  options: DeliverOptions,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, store, events } = options
  let watch: Watch | undefined
  let result: SendResult | undefined
  try {
    watch = await store.watches.byId(delivery.watchId)
    result = watch && (await attempt(options, watch, delivery, signal))
  } catch (error) {
    if (signal.aborted) return giveBack(options, delivery)
    // A bug of ours, or an unavailable store: retried for a day like any other failure, so that it does not block the sink's
    // queue for ever.
    events.workerFailed(error, 'deliveries')
    result = { kind: 'failed', detail: 'something went wrong on our side' }
  }
  if (!result) {
    await store.deliveries.settle(delivery, { kind: 'sent' })
    return
  }
  if (result.kind === 'gone') return stop(options, watch!, delivery, result.detail)
  const outcome = outcomeOf(delivery, result, clock.now(), random)
  if (!(await store.deliveries.settle(delivery, outcome))) return
  events.delivered({ sink: delivery.sink, outcome: TOLD[outcome.kind] })
}

/** Undefined when nothing is left to tell. */
async function attempt(
  { store, cards, senders, timeoutMs = ATTEMPT_MS }: DeliverOptions,
  watch: Watch,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<SendResult | undefined> {
  if (delivery.sink === 'feed') return undefined
  const message = await compose({ archive: store.archive, cards }, watch, delivery)
  if (!message) return undefined
  const late = AbortSignal.timeout(timeoutMs)
  const either = AbortSignal.any([signal, late])
  try {
    return await abortable(senders[delivery.sink].send(watch, message, either), either)
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error
    return { kind: 'failed', detail: `not done in ${timeoutMs / 1000} s` }
  }
}

/** Makes the delivery due again at once. */
async function giveBack({ store }: DeliverOptions, delivery: Delivery): Promise<void> {
  await store.deliveries.settle(delivery, { kind: 'back' })
}

/** Stops the sink: everything that waits for it becomes dead letters. */
async function stop(
  options: DeliverOptions,
  watch: Watch,
  delivery: Delivery,
  reason: string,
): Promise<void> {
  const { store, events } = options
  const { sink } = delivery
  const isStopped = await store.watches.stop(watch, sink, reason)
  // The operator has named another sink meanwhile, which has not refused anything.
  if (!isStopped) return giveBack(options, delivery)
  events.delivered({ sink, outcome: 'dead' })
  events.sinkStopped({ watch: watch.name, sink, reason })
}

/**
 * Exponential back-off: each wait is about as long as all earlier ones together. After a day the delivery is given up. While
 * only some deliveries to a sink fail, the others do not wait for them; once nothing gets through, the sink rests as well.
 */
function outcomeOf(
  { triedSince, failingSince }: Pick<Delivery, 'triedSince' | 'failingSince'>,
  result: Exclude<SendResult, { kind: 'gone' }>,
  now: number,
  random: () => number,
): Exclude<Outcome, { kind: 'back' }> {
  if (result.kind === 'sent') return { kind: 'sent' }
  const error = result.detail
  const left = triedSince + GIVE_UP_MS - now
  if (left <= 0) return { kind: 'dead', error }
  const asked = result.retryAfterMs ?? 0
  const tried = clamp(now - triedSince, FIRST_AGAIN_MS, LAST_AGAIN_MS)
  const wait = Math.max(tried * (0.75 + random() / 2), asked)
  // The last attempt is at the end of that day.
  const dueAt = Math.round(now + Math.min(wait, left))
  const rest = failingSince === null ? 0 : clamp(now - failingSince, FIRST_REST_MS, LONGEST_REST_MS)
  return { kind: 'again', dueAt, restUntil: Math.round(now + Math.max(rest, asked)), error }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
