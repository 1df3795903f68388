import { describe } from 'node:test'
import { describeArchive } from '../contract/archive.ts'
import type { OpenStore } from '../contract/samples.ts'
import { openMemoryStore } from './memory-store.ts'

const open: OpenStore = async (retention) => {
  let now = 0
  const store = openMemoryStore({
    retention: { deleted: 'redact', versions: 'keep', ...retention },
    clock: { now: () => now, sleep: async () => {} },
  })
  return { store, setNow: (at) => (now = at) }
}

describe('memory', () => {
  describeArchive(open)
})
