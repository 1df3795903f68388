import '../../../test/fast-check.ts'
import { after, beforeEach, describe } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { createSchemas } from '../../../test/postgres.ts'
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
import { describeGroups } from '../contract/groups.ts'
import { describeGrowth } from '../contract/growth.ts'
import { describeLivePages } from '../contract/live-pages.ts'
import { describeDerived } from '../contract/derived.ts'
import { describeEqual } from '../contract/equal.ts'
import { describeFrontier } from '../contract/frontier.ts'
import { describeLedger } from '../contract/ledger.ts'
import { describeListings } from '../contract/listings.ts'
import { describePictures } from '../contract/pictures.ts'
import { describeRemovals } from '../contract/removals.ts'
import { describeRoles } from '../contract/roles.ts'
import { describeWatches } from '../contract/watches.ts'

describe('postgres', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const { open } = schemas
  beforeEach(() => schemas.reuse())
  after(() => schemas.drop())

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
