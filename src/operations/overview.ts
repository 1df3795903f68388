import { AppError, isUnavailable } from '../model/errors.ts'
import type { Clock } from '../model/clock.ts'
import { DAY_MS } from '../model/time.ts'
import { EMPTY_STATE, type IndexState, type SearchIndex } from '../search/search-index.ts'
import type { ArchiveTotals, LanguageCount } from '../store/archive.ts'
import { PENDING_BOUND, indexConsumer, type Pending } from '../store/changes.ts'
import type { BudgetState } from '../store/budget.ts'
import type { DeliveryOverview } from '../store/deliveries.ts'
import type { FrontierOverview } from '../store/frontier.ts'
import type { PictureTotals } from '../store/pictures.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'

/** Counts of the whole installation, cached briefly: computing them for each request would cost more than the search. */
export interface Overview {
  index(): Promise<IndexState>
  totals(): Promise<ArchiveTotals>
  /** Changes the index has not received yet. */
  pending(): Promise<Pending>
  languages(): Promise<readonly LanguageCount[]>
  /** Which visits are due, late or failing. */
  frontier(): Promise<FrontierOverview>
  /** The budget of requests to the platform. */
  budget(): Promise<BudgetState>
  /** How many pictures are kept, waiting or missing. */
  pictures(): Promise<PictureTotals>
  watches(): Promise<WatchOverview>
  /** How many seconds the oldest pending change has waited for the index; 0 when none is pending. */
  lagS(): Promise<number>
}

/** The state of watches and deliveries. */
export interface WatchOverview extends DeliveryOverview {
  readonly watches: number
  /** When the oldest event happened that has not been matched yet; null when all have been. */
  readonly behindSince: number | null
}

const STATE_MS = 2_000
const LANGUAGES_MS = 30_000
const PICTURES_MS = 30_000

type Counted = Pick<
  Store,
  'archive' | 'changes' | 'frontier' | 'budget' | 'pictures' | 'watches' | 'deliveries' | 'events'
>

export function createOverview(options: {
  readonly store: Counted
  readonly index: SearchIndex
  readonly clock: Clock
  readonly settings: { readonly crawlRatePerS: number }
}): Overview {
  const { index, clock, settings } = options
  const { archive, changes, frontier, budget, pictures } = options.store
  const consumer = indexConsumer(ANALYZER_VERSION)
  const state = remember(clock, STATE_MS, () => index.state(), awayIndex)
  const totals = remember(clock, STATE_MS, () => archive.totals())
  const pending = remember(clock, STATE_MS, () => changes.pending(consumer, PENDING_BOUND))
  const languages = remember(clock, LANGUAGES_MS, () => archive.languages(clock.now()))
  return {
    index: state,
    totals,
    pending,
    languages,
    frontier: remember(clock, STATE_MS, () => frontier.overview(clock.now())),
    budget: remember(clock, STATE_MS, () => budget.state(settings.crawlRatePerS)),
    pictures: remember(clock, PICTURES_MS, () => pictures.totals(Math.floor(clock.now() / DAY_MS))),
    watches: remember(clock, STATE_MS, () => countWatches(options.store)),
    async lagS() {
      const { since } = await pending()
      return since === null ? 0 : Math.max(0, Math.round((clock.now() - since) / 1000))
    },
  }
}

async function countWatches({ watches, deliveries, events }: Counted): Promise<WatchOverview> {
  const [count, overview, position] = await Promise.all([
    watches.count(),
    deliveries.overview(),
    deliveries.position(),
  ])
  // Without a watch, the event log is not read.
  const next = count === 0 || position === null ? [] : await events.after(position, 1)
  return { ...overview, watches: count, behindSince: next[0]?.at ?? null }
}

type Told = Pick<IndexState, 'generation' | 'posts' | 'problem'>

/**
 * Why searches have to be refused: the index's own problem, or that there is no index although it was sent posts of the
 * archive.
 */
export function indexProblemOf(index: Told, archived: number, pending: number): string | null {
  const isNone = index.generation === 0 && index.posts === 0
  return index.problem ?? (isNone && archived > pending ? 'no index is there' : null)
}

/** Stands for an index that cannot be reached, with what was last known of it: searches are refused, and this says why. */
function awayIndex(problem: string, known?: IndexState): IndexState {
  const never: IndexState = { ...EMPTY_STATE, kind: 'away', analyzerVersion: ANALYZER_VERSION }
  return { ...(known ?? never), rebuilding: false, problem }
}

/**
 * Shares one call among all who ask within `ms`. When loading fails later on, as on a full disk, the last known value is
 * returned: it only describes the state, and whoever needs more meets the failure there.
 */
function remember<T>(
  clock: Clock,
  ms: number,
  load: () => Promise<T>,
  instead?: (why: string, known: T | undefined) => T,
): () => Promise<T> {
  let held: Promise<T> | undefined
  let since = 0
  let last: { readonly value: T } | undefined
  async function loadOrRecall(): Promise<T> {
    try {
      last = { value: await load() }
    } catch (cause) {
      if (!last) held = undefined
      if (instead && cause instanceof AppError && isUnavailable(cause)) {
        return instead(cause.detail, last?.value)
      }
      if (last) return last.value
      if (cause instanceof AppError) throw cause
      throw new AppError('unavailable', 'store or index cannot be read just now', { cause })
    }
    return last.value
  }
  return () => {
    const elapsed = clock.elapsed()
    if (held && elapsed - since < ms) return held
    since = elapsed
    return (held = loadOrRecall())
  }
}
