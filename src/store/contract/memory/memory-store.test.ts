import { describe } from 'node:test'
import { describeStore } from '../../contract/store.ts'
import { describeDeadOwners } from '../../contract/frontier.ts'
import { NOON, type OpenStore } from '../../contract/samples.ts'
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
  describeStore(open)
  describeDeadOwners(open)
})
