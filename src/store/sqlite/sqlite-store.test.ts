import '../../../test/fast-check.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
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
import { describeEqual } from '../contract/equal.ts'
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
import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite-store.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-store-'))
const opened = new Set<Store>()

const open: OpenStore = async (retention) => {
  let now = NOON
  const store = await openSqliteStore({
    folder: mkdtempSync(join(root, 'store-')),
    retention: { deleted: 'redact', versions: 'keep', ...retention },
    clock: { now: () => now, elapsed: () => now, sleep: async () => {} },
  })
  opened.add(store)
  return { store, setNow: (at) => (now = at) }
}

after(async () => {
  for (const store of opened) await store[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

describe('sqlite', () => {
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
  describeEqual(open, 15)
})
