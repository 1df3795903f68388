import { pause } from '../model/clock.ts'
import { acquireRole } from '../store/acquire-role.ts'
import { WATCH_MATCHER, type Roles } from '../store/roles.ts'
import { deliverAll, type DeliverOptions } from './deliver.ts'
import { createWatchMatcher, type WatchMatcherOptions } from './watch-matcher.ts'

interface WatchesOptions extends Omit<DeliverOptions, 'store'> {
  readonly store: DeliverOptions['store'] & WatchMatcherOptions['store'] & { readonly roles: Roles }
  readonly read: WatchMatcherOptions['read']
  readonly events: DeliverOptions['events'] & {
    watchUnreadable(event: { watch: string; reason: string }): void
    eventLost(event: { readonly seq: number }): void
  }
}

const ROLE_MS = 30_000
const IDLE_MS = 300
const AWAY_MS = 5_000

/** Runs watches until aborted: one process reads the event log for all, and every process sends. */
export async function runWatches(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  await Promise.all([matchAll(options, signal), deliverAll(options, signal)])
}

async function matchAll(options: WatchesOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, events, read } = options
  const onEventLost = (event: { readonly seq: number }) => events.eventLost(event)
  const onUnreadable = (watch: string, { message: reason }: Error) =>
    events.watchUnreadable({ watch, reason })
  while (!signal.aborted) {
    try {
      const lost = new AbortController()
      const onLost = () => lost.abort()
      await using held = await acquireRole(store.roles, WATCH_MATCHER, { ttlMs: ROLE_MS, onLost })
      if (!held) {
        await pause(clock, AWAY_MS, signal)
        continue
      }
      // Created again with each lease of the role: another process may have held it meanwhile and told other stories.
      const matcher = createWatchMatcher({ store, read, clock, onUnreadable, onEventLost })
      while (!signal.aborted && !lost.signal.aborted) {
        if (options.isClockWrong()) {
          await pause(clock, AWAY_MS, signal)
          continue
        }
        await matcher.loadWatches(signal)
        if (!(await matcher.step())) await pause(clock, IDLE_MS, signal)
      }
    } catch (error) {
      if (signal.aborted) return
      events.workerFailed(error, 'watches')
      await pause(clock, AWAY_MS, signal)
    }
  }
}
