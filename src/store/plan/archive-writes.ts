import type { Clock } from '../../model/clock.ts'
import type { Archive } from '../archive.ts'
import type { Retention } from '../retention.ts'
import { planAddition } from './addition.ts'
import { saveDerived } from './derived.ts'
import { planRelease } from './identity.ts'
import { prunePosts } from './prune.ts'
import { planReading } from './reading.ts'
import type { RunPlan } from './run-plan.ts'

/** The writes of every adapter's archive; `erase` carries on with the erasures that a plan began. */
export function createArchiveWrites(
  run: RunPlan,
  channelsById: Archive['channelsById'],
  erase: (channelIds: readonly number[]) => Promise<unknown>,
  { retention, clock }: { readonly retention: Retention; readonly clock: Clock },
): Pick<Archive, 'addChannel' | 'releaseName' | 'record' | 'saveDerived' | 'prune'> {
  return {
    async addChannel(name, options) {
      const added = await run((draft) => planAddition(draft, name, options))
      if (added.outcome === 'removed') return added
      const [channel] = await channelsById([added.id])
      // It may have been removed between the two transactions.
      return channel ? { outcome: added.outcome, channel } : { outcome: 'removed' }
    },
    releaseName: (name, shown) => run((draft) => planRelease(draft, name, shown)),
    async record(reading) {
      const { result, erased } = await run((draft) => planReading(draft, reading, retention))
      await erase(erased)
      return result
    },
    saveDerived: (batch) => saveDerived(run, batch, clock.now()),
    prune: (publishedBefore, limit) => prunePosts(run, publishedBefore, limit, clock),
  }
}
