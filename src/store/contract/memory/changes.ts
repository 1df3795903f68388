import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../model/clock.ts'
import { NOBODY, STRENGTH, changeOf, strongerKind, type Changes } from '../../changes.ts'
import { isLeaseValid } from '../../schedule-rules.ts'
import { countedPosts, mark, refKey, type KeptChange, type MemoryState } from './state.ts'

export function createChanges(state: MemoryState, clock: Clock): Changes {
  const { consumers } = state
  const claimed = (id: string) =>
    [...consumers.values()].flatMap(({ changes }) =>
      [...changes].filter(([, change]) => change.claim === id),
    )
  return {
    async register(consumer) {
      const seenAt = clock.now()
      const known = consumers.get(consumer)
      const nobody = consumers.get(NOBODY)
      const begun = known ?? nobody ?? { rebuild: 'due', changes: copyOfAll(state) }
      if (!known) consumers.delete(NOBODY)
      consumers.set(consumer, { ...begun, seenAt })
      return { rebuild: begun.rebuild }
    },
    async noteRebuild(consumer, from, to) {
      const known = consumers.get(consumer)
      if (known?.rebuild === from) known.rebuild = to
    },
    async unregister(consumer) {
      const unregistered = consumers.get(consumer)
      if (!unregistered || consumer === NOBODY) return
      consumers.delete(consumer)
      if (consumers.size === 0) consumers.set(NOBODY, { ...unregistered, seenAt: 0 })
    },
    async consumers() {
      return [...consumers]
        .filter(([name]) => name !== NOBODY)
        .map(([name, { seenAt }]) => ({ name, idleMs: clock.now() - seenAt }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    async claim(consumer, { limit, ttlMs }) {
      const now = clock.now()
      const taken = bySeq(consumers.get(consumer)?.changes.values() ?? [])
        .filter((change) => change.claim === null || !isLeaseValid(change.claimedUntil, now))
        .slice(0, limit)
      if (taken.length === 0) return undefined
      const id = randomUUID()
      for (const change of taken) {
        Object.assign(change, { claim: id, claimedUntil: now + ttlMs, isMoved: false })
      }
      return {
        id,
        consumer,
        changes: taken.map((change) => changeOf(STRENGTH[change.kind], change)),
      }
    },
    async renew({ id }, ttlMs) {
      const held = claimed(id)
      for (const [, change] of held) change.claimedUntil = clock.now() + ttlMs
      return held.length > 0
    },
    async done({ id, consumer }) {
      for (const [key, change] of claimed(id)) {
        if (change.isMoved) change.claim = null
        else consumers.get(consumer)?.changes.delete(key)
      }
    },
    async release({ id }) {
      for (const [, change] of claimed(id)) change.claim = null
    },
    async pending(consumer, bound) {
      const known = consumers.get(consumer)
      const { size } = known?.changes ?? copyOfAll(state)
      const since = bySeq(known?.changes.values() ?? waitingForAny(state))[0]?.at ?? null
      const isBehind = known ? known.rebuild !== 'none' : !consumers.has(NOBODY)
      return { count: Math.min(bound, size), since, isBehind }
    },
    async expectRebuilds() {
      for (const known of consumers.values()) known.rebuild = 'due'
    },
    async markForeign(channelId) {
      const at = clock.now()
      const home = state.channels.get(channelId)?.language ?? null
      for (const { number, language } of countedPosts(state, channelId)) {
        if (language === home) continue
        mark(state, 'post', { channelId, number, at }, (waiting) => waiting.kind !== 'post')
      }
    },
  }
}

/** The changes that wait for any consumer, in the order in which they came, and unclaimed. */
function copyOfAll(state: MemoryState): Map<string, KeptChange> {
  const all = new Map<string, KeptChange>()
  for (const change of bySeq(waitingForAny(state))) {
    const key = refKey(change.channelId, change.number)
    const other = all.get(key)
    if (!other) all.set(key, { ...change, claim: null, isMoved: false })
    else {
      other.kind = strongerKind(other.kind, change.kind)
      other.at = Math.min(other.at, change.at)
    }
  }
  return all
}

function waitingForAny(state: MemoryState): KeptChange[] {
  return [...state.consumers.values()].flatMap(({ changes }) => [...changes.values()])
}

function bySeq(changes: Iterable<KeptChange>): KeptChange[] {
  return [...changes].toSorted((a, b) => a.seq - b.seq)
}
