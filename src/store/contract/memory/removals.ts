import { nameKey } from '../../../model/channel-name.ts'
import { eraseInSteps } from '../../plan/erasure.ts'
import type { RunPlan } from '../../plan/run-plan.ts'
import { removedBy, findEntry, publicEntry, sortedEntries } from '../../plan/register.ts'
import { planChannelRemoval, planPostRemoval } from '../../plan/removal.ts'
import type { Removals } from '../../removals.ts'
import type { Retention } from '../../retention.ts'
import { loadChannels } from './load.ts'
import type { MemoryState } from './state.ts'

export function createRemovals(state: MemoryState, run: RunPlan, retention: Retention): Removals {
  return {
    async removeChannel(name, reason, at) {
      const erased = await run((draft) => planChannelRemoval(draft, name, reason, at))
      const { posts } = await eraseInSteps(run, erased, retention)
      return { posts }
    },
    async removePost(name, number, reason, at) {
      return { posts: await run((draft) => planPostRemoval(draft, name, number, reason, at)) }
    },
    resume: () => Promise.resolve(),
    async undo(name, number) {
      const key = nameKey(name)
      const entry = state.removals.find((old) => old.name === key && old.number === number)
      if (!entry) return false
      state.removals = state.removals.filter((old) => {
        const isSameId = entry.platformId !== null && old.platformId === entry.platformId
        return old.number !== number || (old.name !== key && !isSameId)
      })
      return true
    },
    async find(channel) {
      const entry = findEntry(state.removals, channel)
      return entry && publicEntry(entry)
    },
    async removed({ names, platformIds = [] }, numbers) {
      const wanted = { names: names.map(nameKey), platformIds }
      const { removals = [], channels = [] } = loadChannels(state, wanted)
      const owners = channels.flatMap(({ platformId }) => platformId ?? [])
      return removedBy(removals, [...platformIds, ...owners], numbers)
    },
    async list() {
      return sortedEntries(state.removals).map(publicEntry)
    },
  }
}
