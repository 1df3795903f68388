import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../model/clock.ts'
import {
  FARTHEST_DELIVERY_MS,
  MAX_TOGETHER,
  type Deliveries,
  type Queued,
} from '../../deliveries.ts'
import type { KeptDelivery, Watching } from './watches.ts'

export function createDeliveries(state: Watching, clock: Clock): Deliveries {
  const living = () => state.deliveries.filter(({ diedAt }) => diedAt === null)

  function queue({ watchId, sink, event, at, dueAt, together }: Queued): void {
    if (!state.watches.get(watchId)?.watch) return
    const open = living().findLast(
      (kept) =>
        kept.together && kept.watchId === watchId && kept.sink === sink && kept.dueAt === dueAt,
    )
    if (together && open && open.attempt === 0 && open.events.length < MAX_TOGETHER) {
      open.events = [...open.events, event]
      return
    }
    state.deliveries.push({
      id: ++state.lastId,
      watchId,
      sink,
      events: [event],
      createdAt: at,
      dueAt,
      together,
      attempt: 0,
      triedSince: null,
      diedAt: null,
      error: '',
    })
  }

  return {
    position: async () => state.position,
    async advance({ from, to, revision, told, queued }) {
      const isStill = isDeepStrictEqual(state.position, from)
      if (!isStill || state.lastRevision !== revision) return false
      state.position = to
      for (const entry of told) {
        if (!state.watches.get(entry.watchId)?.watch) continue
        const isSame = (kept: typeof entry) =>
          kept.watchId === entry.watchId &&
          kept.channelId === entry.channelId &&
          kept.number === entry.number
        if (!state.told.some(isSame)) state.told.push({ ...entry })
      }
      for (const one of queued) queue(one)
      return true
    },
    async toldBy(posts) {
      return state.told
        .filter((told) =>
          posts.some(
            ({ channelId, number }) => channelId === told.channelId && number === told.number,
          ),
        )
        .map(({ watchId, channelId, number }) => ({ watchId, channelId, number }))
    },
    async toldStories(pairs) {
      return pairs.filter(({ watchId, story }) =>
        state.told.some((told) => told.watchId === watchId && told.story === story),
      )
    },
    async lastTold(watchId, limit) {
      return state.told
        .filter((told) => told.watchId === watchId)
        .toSorted((a, b) => b.at - a.at || b.channelId - a.channelId || b.number - a.number)
        .slice(0, limit)
        .map(({ channelId, number, at }) => ({ channelId, number, at }))
    },

    async lease(ttlMs) {
      const now = clock.now()
      const [kept] = living()
        .filter((one) => one.dueAt <= now && (state.held.get(sinkOf(one)) ?? 0) <= now)
        .toSorted((a, b) => a.dueAt - b.dueAt || a.id - b.id)
      if (!kept) return undefined
      const heldUntil = now + ttlMs
      state.held.set(sinkOf(kept), heldUntil)
      kept.attempt += 1
      const triedSince = (kept.triedSince ??= now)
      const { id, watchId, sink, events, createdAt, attempt } = kept
      return { id, watchId, sink, events, createdAt, attempt, triedSince, heldUntil }
    },
    async settle({ id, attempt, heldUntil }, outcome) {
      const kept = living().find((one) => one.id === id && one.attempt === attempt)
      if (!kept) return false
      const held = state.held.get(sinkOf(kept)) ?? 0
      const rest = outcome.kind === 'again' ? outcome.restUntil : 0
      state.held.set(sinkOf(kept), held === heldUntil ? rest : Math.max(held, rest))
      if (outcome.kind === 'sent') {
        state.deliveries = state.deliveries.filter((one) => one !== kept)
        return true
      }
      kept.error = outcome.error
      const now = clock.now()
      if (outcome.kind === 'dead') kept.diedAt = now
      else {
        kept.dueAt = outcome.dueAt
        for (const one of living()) {
          const isHeldUp = sinkOf(one) === sinkOf(kept) && one.dueAt <= now
          if (isHeldUp && outcome.restUntil > now) one.triedSince ??= now
        }
      }
      return true
    },

    async overview() {
      const pending = living().length
      return { pending, dead: state.deliveries.length - pending }
    },
    async dead(limit) {
      return state.deliveries
        .filter(({ diedAt }) => diedAt !== null)
        .toSorted((a, b) => a.diedAt! - b.diedAt! || a.id - b.id)
        .slice(0, limit)
        .map(({ id, watchId, sink, events, createdAt, attempt, diedAt, error }) => {
          return { id, watchId, sink, events, createdAt, attempts: attempt, diedAt: diedAt!, error }
        })
    },
    async resend(watchId) {
      const letters = state.deliveries.filter(
        (one) => one.diedAt !== null && (watchId === null || one.watchId === watchId),
      )
      const now = clock.now()
      for (const kept of letters)
        Object.assign(kept, { diedAt: null, dueAt: now, triedSince: null })
      return letters.length
    },
    async replanMisplanned(now) {
      const latest = now + FARTHEST_DELIVERY_MS
      for (const [sink, until] of state.held) if (until > latest) state.held.set(sink, 0)
      for (const kept of living()) {
        if (Math.max(kept.dueAt, kept.triedSince ?? 0) <= latest) continue
        kept.dueAt = Math.min(kept.dueAt, now)
        kept.triedSince = kept.triedSince === null ? null : Math.min(kept.triedSince, now)
      }
    },
    async expire(before) {
      state.told = state.told.filter(({ at }) => at >= before)
      state.deliveries = state.deliveries.filter(
        ({ diedAt }) => diedAt === null || diedAt >= before,
      )
      for (const [id, { watch, at }] of state.watches)
        if (watch === null && at < before) state.watches.delete(id)
    },
  }
}

function sinkOf({ watchId, sink }: KeptDelivery): string {
  return `${watchId}/${sink}`
}
