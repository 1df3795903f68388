import type { Clock } from '../../../model/clock.ts'
import type { PostRef } from '../../../model/post.ts'
import { newLogName, eventToAppend, prunableEvents } from '../../event-rules.ts'
import type { EventLog } from '../../events.ts'
import { refKey, type MemoryState } from './state.ts'

export function createEventLog(state: MemoryState, clock: Clock): EventLog {
  let log = newLogName()
  let last = 0
  let forgotten = 0
  const keyOf = ({ channelId, number }: PostRef) => refKey(channelId, number)
  return {
    async append(posts) {
      const from = last
      for (const post of posts) {
        const { channelId, number, revision } = post
        if (!state.posts.has(keyOf(post))) continue
        const known = state.events.findLast((each) => keyOf(each) === keyOf(post))
        const news = eventToAppend(post, known, clock.now())
        if (!news) continue
        const document = post.document?.() ?? null
        const event = { seq: ++last, at: clock.now(), channelId, number, revision, document }
        state.events.push({ ...event, ...news })
      }
      return last - from
    },
    async after(seq, limit) {
      return state.events.filter((event) => event.seq > seq).slice(0, limit)
    },
    async of(posts) {
      const keys = new Set(posts.map(keyOf))
      return state.events.filter((event) => keys.has(keyOf(event)))
    },
    async bounds() {
      return { log, last, forgotten }
    },
    async rename() {
      log = newLogName()
    },
    async prune(before, limit) {
      const old = prunableEvents(state.events.slice(0, limit), before, clock.now())
      state.events.splice(0, old.length)
      forgotten = old.at(-1)?.seq ?? forgotten
      return old.length
    },
  }
}
