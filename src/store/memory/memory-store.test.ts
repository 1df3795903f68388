import { describe } from 'node:test'
import { describeArchive } from '../contract/archive.ts'
import { describeBudget } from '../contract/budget.ts'
import { describeCandidates } from '../contract/candidates.ts'
import { describeChanges } from '../contract/changes.ts'
import { describeChannels } from '../contract/channels.ts'
import { describeDeletions } from '../contract/deletions.ts'
import { describeDeliveries } from '../contract/deliveries.ts'
import { describeEvents } from '../contract/events.ts'
import { describeEdits } from '../contract/edits.ts'
import { describeFutureDates } from '../contract/future-dates.ts'
import { describeDerived } from '../contract/derived.ts'
import { describeDeadOwners, describeFrontier } from '../contract/frontier.ts'
import { describeGroups } from '../contract/groups.ts'
import { describeGrowth } from '../contract/growth.ts'
import { describeLedger } from '../contract/ledger.ts'
import { describeLivePages } from '../contract/live-pages.ts'
import { describeListings } from '../contract/listings.ts'
import { describePictures } from '../contract/pictures.ts'
import { describeRemovals } from '../contract/removals.ts'
import { describeRoles } from '../contract/roles.ts'
import { describeWatches } from '../contract/watches.ts'
import { NOON, type OpenStore } from '../contract/samples.ts'
import { openMemoryStore } from './memory-store.ts'

const open: OpenStore = async (retention) => {
  let now = NOON
  const store = openMemoryStore({
    retention: { deleted: 'redact', versions: 'keep', ...retention },
    clock: { now: () => now, elapsed: () => now, sleep: async () => {} },
  })
  return { store, setNow: (at) => (now = at) }
}

describe('memory', () => {
  describeArchive(open)
  describeDeletions(open)
  describeEdits(open)
  describeFutureDates(open)
  describeListings(open)
  describeChannels(open)
  describeChanges(open)
  describeDerived(open)
  describeRemovals(open)
  describeGroups(open)
  describeGrowth(open)
  describeEvents(open)
  describeFrontier(open)
  describeDeadOwners(open)
  describeRoles(open)
  describeLivePages(open)
  describeWatches(open)
  describeDeliveries(open)
  describePictures(open)
  describeCandidates(open)
  describeLedger(open)
  describeBudget(open)
})
