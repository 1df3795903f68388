import type { App } from './app.ts'
import { abortable } from './model/abortable.ts'
import type { Clock } from './model/clock.ts'
import { startDeadline } from './model/deadline.ts'
import { indexProblemOf } from './operations/overview.ts'
import { isIndexRemote } from './search/index-location.ts'
import type { IndexState } from './search/search-index.ts'
import { PENDING_BOUND, indexConsumer } from './store/changes.ts'
import { describeSkew, isSkewTooLarge, skewOf } from './clock-skew.ts'
import type { Store } from './store/store.ts'
import { ANALYZER_VERSION } from './text/analyze.ts'

const STORE_MS = 1_000
/** Load balancers may probe several times a second. */
const WRITE_EVERY_MS = 1_000

/**
 * Every request is charged in the ledger before it is answered, so on a disk that has become read-only all would be refused.
 * The probe therefore writes a charge too, at most one in `everyMs`.
 */
const PROBE = {
  caller: 'readyz',
  policy: 'burst',
  limit: 1,
  starts: 'first',
  amount: 1,
} as const

/** Rejects if requests cannot be counted, and thus none can be answered. */
export async function expectWrites(store: Pick<Store, 'ledger'>, everyMs: number): Promise<void> {
  await store.ledger.charge({ ...PROBE, windowMs: everyMs })
}

type Parts = Pick<App, 'store' | 'index'> & {
  readonly clock: Clock
  readonly config: Pick<App['config'], 'index'>
}

/**
 * What keeps this process from being ready, or null. Ready when the store answers within a second, its clock agrees with ours,
 * and it takes a write; the platform and how far the index is behind do not matter. Where searches are served, an index in
 * files has to answer too; a process that only crawls may run beside the index files of another machine. An index on servers
 * may be down: archive, live reads and status still work, and a search says so. But not ready while that index is still being
 * filled and one of another version is complete, so that a rollout does not replace the processes of that version yet.
 */
export async function whyNotReady(
  { store, index, clock, config }: Parts,
  hasApi: boolean,
): Promise<string | null> {
  using late = startDeadline(clock, STORE_MS, 'no answer within a second')
  const ask = async <T>(part: string, asked: Promise<T>) => {
    try {
      return await abortable(asked, late.signal)
    } catch (cause) {
      throw new Error(`${part}: ${(cause as Error).message}`, { cause })
    }
  }
  try {
    const isNeeded = hasApi && !isIndexRemote(config.index)
    const asked = ask('index', index.state())
    const [skew, state] = await Promise.all([
      ask('store', skewOf(store, clock)),
      isNeeded ? asked : asked.catch(() => null),
      ask('store, counting requests', expectWrites(store, WRITE_EVERY_MS)),
    ])
    if (isSkewTooLarge(skew)) return `clock: ${describeSkew(skew)}`
    if (state?.isAwaited === true && !isNeeded) return AWAITED
    const lack = isNeeded && state !== null ? await ask('store', lackIn(state, store)) : null
    return lack === null ? null : `index: ${lack}`
  } catch (error) {
    return (error as Error).message
  }
}

const AWAITED = 'index: it is being filled, and that of another version is complete'

/** For an index without posts, the store tells whether it should have some. */
async function lackIn(state: IndexState, { archive, changes }: Store): Promise<string | null> {
  if (state.generation > 0) return state.problem
  const [{ posts }, { count }] = await Promise.all([
    archive.totals(),
    changes.pending(indexConsumer(ANALYZER_VERSION), PENDING_BOUND),
  ])
  return indexProblemOf(state, posts, count)
}
