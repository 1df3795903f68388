import { describeAlbums } from './albums.ts'
import { describeArchive } from './archive.ts'
import { describeBudget } from './budget.ts'
import { describeCandidates } from './candidates.ts'
import { describeChanges } from './changes.ts'
import { describeChannels } from './channels.ts'
import { describeDeletions } from './deletions.ts'
import { describeDeliveries } from './deliveries.ts'
import { describeDerived } from './derived.ts'
import { describeEdits } from './edits.ts'
import { describeEvents } from './events.ts'
import { describeFrontier } from './frontier.ts'
import { describeGroups } from './groups.ts'
import { describeGrowth } from './growth.ts'
import { describeLedger } from './ledger.ts'
import { describeListings } from './listings.ts'
import { describePictures } from './pictures.ts'
import { describeRemovals } from './removals.ts'
import { describeRoles } from './roles.ts'
import { describeUpkeep } from './upkeep.ts'
import { describeWalked } from './walked.ts'
import { describeWatches } from './watches.ts'
import type { OpenStore } from './samples.ts'

/** What every store must do, whichever database it uses. */
export function describeStore(open: OpenStore): void {
  describeArchive(open)
  describeAlbums(open)
  describeDeletions(open)
  describeEdits(open)
  describeListings(open)
  describeChannels(open)
  describeChanges(open)
  describeDerived(open)
  describeRemovals(open)
  describeGroups(open)
  describeGrowth(open)
  describeEvents(open)
  describeFrontier(open)
  describeWalked(open)
  describeRoles(open)
  describeWatches(open)
  describeDeliveries(open)
  describePictures(open)
  describeCandidates(open)
  describeLedger(open)
  describeBudget(open)
  describeUpkeep(open)
}
