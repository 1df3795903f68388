import { nameKey } from '../../../model/channel-name.ts'
import { SIGHTING_AGAIN_MS, forgottenGain, sightingGain } from '../../channel-rules.ts'
import type { CandidateKeeping } from '../../frontier.ts'
import { findEntry } from '../../plan/register.ts'
import type { MemoryState } from './state.ts'

export function createCandidates(state: MemoryState): CandidateKeeping {
  return {
    async addSightings(sightings) {
      for (const { name, sourceId, how, at } of sightings) {
        const key = nameKey(name)
        const source = `${sourceId}/${key}/`
        const last = state.sightings.get(source + how)
        if (last !== undefined && at - last < SIGHTING_AGAIN_MS) continue
        const isNewSource = ![...state.sightings.keys()].some((seen) => seen.startsWith(source))
        state.sightings.set(source + how, at)
        const none = { name, gain: 0, sources: 0, decidedUntil: 0 }
        const candidate = state.candidates.get(key) ?? none
        candidate.gain += sightingGain(how, at)
        if (isNewSource) candidate.sources++
        state.candidates.set(key, candidate)
      }
    },
    async candidates({ limit, minSources, now }) {
      return undecided(state, now)
        .filter(
          ([, { name, sources }]) => sources >= minSources && !findEntry(state.removals, { name }),
        )
        .toSorted(([a, x], [b, y]) => y.gain - x.gain || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([, { name }]) => name)
    },
    async countCandidates(now) {
      return undecided(state, now).length
    },
    async decideCandidate(name, until) {
      const none = { name, gain: 0, sources: 0, decidedUntil: 0 }
      const candidate = state.candidates.get(nameKey(name)) ?? none
      candidate.decidedUntil = until
      state.candidates.set(nameKey(name), candidate)
    },
    async forgetCandidates(limit, now) {
      const forgotten = [...state.candidates]
        .filter(([, { gain, decidedUntil }]) => gain < forgottenGain(now) && decidedUntil <= now)
        .toSorted(([a, x], [b, y]) => x.gain - y.gain || (a < b ? 1 : -1))
        .slice(0, limit)
      for (const [key] of forgotten) forgetCandidate(state, key)
      return forgotten.length
    },
  }
}

export function forgetCandidate(state: MemoryState, key: string): void {
  state.candidates.delete(key)
  for (const seen of state.sightings.keys()) {
    if (seen.split('/')[1] === key) state.sightings.delete(seen)
  }
}

function undecided(state: MemoryState, now: number) {
  return [...state.candidates].filter(
    ([key, candidate]) => candidate.decidedUntil <= now && !state.names.has(key),
  )
}
