import { systemClock, type Clock } from '../../../model/clock.ts'
import { runPlanSync, type RunPlan } from '../../plan/run-plan.ts'
import type { Wanted, Writes } from '../../plan/rows.ts'
import { createProcessLivePages } from '../../live-pages.ts'
import type { Retention, Store } from '../../store.ts'
import { createArchive } from './archive.ts'
import { createBudget } from './budget.ts'
import { createChanges } from './changes.ts'
import { createDeliveries } from './deliveries.ts'
import { createEventLog } from './events.ts'
import { createEdits } from './edits.ts'
import { createFrontier } from './frontier.ts'
import { createLedger } from './ledger.ts'
import { createGroups } from './groups.ts'
import { createPictures } from './pictures.ts'
import { createRemovals } from './removals.ts'
import { createRoles } from './roles.ts'
import { load } from './load.ts'
import { createState } from './state.ts'
import { createWatches, createWatching } from './watches.ts'
import { write } from './write.ts'

/** A store in memory: for tests, and as the readable specification of what a store must do. */
export function openMemoryStore(options: {
  readonly retention: Retention
  readonly clock?: Clock
}): Store {
  const state = createState()
  const watching = createWatching()
  const { retention, clock = systemClock } = options
  const rows = {
    load: (wanted: Wanted) => load(state, wanted),
    write: (writes: Writes) => write(state, writes),
  }
  const run: RunPlan = async (plan) => runPlanSync(plan, rows)
  return {
    archive: createArchive(state, { run, retention, clock }),
    changes: createChanges(state, clock),
    edits: createEdits(state),
    groups: createGroups(state, clock),
    events: createEventLog(state, clock),
    frontier: createFrontier(state, { run, retention, clock }),
    ledger: createLedger(clock),
    budget: createBudget(clock),
    removals: createRemovals(state, run, retention),
    roles: createRoles(clock),
    livePages: createProcessLivePages(),
    watches: createWatches(watching, clock),
    deliveries: createDeliveries(watching, clock),
    pictures: createPictures(state),
    retention,
    run,
    ping: async () => clock.now(),
    verify: async () => [],
    async describe() {
      return { kind: 'memory', version: process.version, schemaVersion: 0, location: 'memory' }
    },
    async [Symbol.asyncDispose]() {},
  }
}
