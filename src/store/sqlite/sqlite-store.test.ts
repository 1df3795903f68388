import '../../../test/fast-check.ts'
import { after, describe } from 'node:test'
import { openAtNoon } from '../../../test/open-temporary.ts'
import { describeStore } from '../contract/store.ts'
import { describeHistories } from '../contract/equal.ts'
import { describeDeadOwners } from '../contract/frontier.ts'
import type { OpenStore } from '../contract/samples.ts'
import type { Store } from '../store.ts'

const opened = new Set<Store>()

const open: OpenStore = async (retention) => {
  const { store, setNow } = await openAtNoon(retention)
  opened.add(store)
  return { store, setNow }
}

after(async () => {
  for (const store of opened) await store[Symbol.asyncDispose]()
})

describe('sqlite', () => {
  describeStore(open)
  describeDeadOwners(open)
  describeHistories(open, 15)
})
