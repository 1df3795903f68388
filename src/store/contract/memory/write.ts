import { nameKey } from '../../../model/channel-name.ts'
import type { Derived } from '../../archive.ts'
import type { RemovalRow, ScheduleRow, Writes } from '../../plan/rows.ts'
import { forgetCandidate } from './candidates.ts'
import { moveGrowth, writeGrowth } from './growth.ts'
import { writePictures } from './pictures.ts'
import { forgetChanges, mark, nextId, refKey, type MemoryState } from './state.ts'

/** Writes what a plan decided, except its statistics, which are computed when asked for. */
export function write(state: MemoryState, writes: Writes): void {
  moveGrowth(state, writes)
  for (const id of writes.forgotten) forgetChannel(state, id)
  for (const { row } of writes.channels) {
    state.channels.set(row.id, row)
    state.lastChannelId = Math.max(state.lastChannelId, row.id)
  }
  for (const key of writes.namesLost) state.names.delete(key)
  for (const row of writes.names) state.names.set(nameKey(row.name), row)
  writeSchedules(state, writes)
  writePosts(state, writes)
  writePictures(state, writes)
  writeGrowth(state, writes)
  state.removed += writes.totals.removals
  for (const { kind, ...ref } of writes.changes) mark(state, kind, ref)
  for (const entry of writes.removals) register(state, entry)
  for (const key of writes.candidatesForgotten) forgetCandidate(state, key)
  writeErasures(state, writes)
}

function forgetChannel(state: MemoryState, channelId: number): void {
  forgetChanges(state, channelId)
  state.events = state.events.filter((event) => event.channelId !== channelId)
  for (const key of state.sightings.keys()) {
    if (key.startsWith(`${channelId}/`)) state.sightings.delete(key)
  }
  for (const [key, name] of state.names) if (name.channelId === channelId) state.names.delete(key)
  state.channels.delete(channelId)
  state.schedules.delete(channelId)
  state.growth.delete(channelId)
}

function writeSchedules(state: MemoryState, writes: Writes): void {
  for (const id of writes.unscheduled) state.schedules.delete(id)
  for (const row of writes.schedules) state.schedules.set(row.channelId, keptSchedule(row))
  for (const { from, to } of writes.gapsMoved) {
    for (const gap of state.gaps) if (gap.channelId === from) Object.assign(gap, { channelId: to })
  }
  const dropped = [...writes.gapsDropped, ...writes.forgotten]
  state.gaps = state.gaps.filter(({ channelId }) => !dropped.includes(channelId))
  for (const { channelId, token, gaps } of writes.gaps) {
    state.gaps = state.gaps.filter((gap) => gap.channelId !== channelId || gap.leaseToken !== token)
    for (const gap of gaps) {
      const { kind, before, downTo, until } = gap
      const id = nextId(state)
      state.gaps.push({ id, channelId, kind, before, downTo, until, leaseToken: token })
    }
  }
}

function keptSchedule(row: ScheduleRow) {
  const { channelId: _id, freshDemand, madeDueAt, owner, token, until, ...schedule } = row
  return { schedule, fresh: freshDemand, madeDueAt: madeDueAt ?? Infinity, owner, token, until }
}

function writePosts(state: MemoryState, writes: Writes): void {
  const keyOf = ({ channelId, number }: { channelId: number; number: number }) =>
    refKey(channelId, number)
  const erased = new Set(writes.erased.map(keyOf))
  for (const key of erased) state.posts.delete(key)
  if (erased.size > 0) state.events = state.events.filter((event) => !erased.has(keyOf(event)))
  for (const ref of writes.membersLeft) state.members.delete(keyOf(ref))
  for (const ref of writes.redacted) {
    const kept = state.posts.get(keyOf(ref))
    if (!kept) continue
    kept.terms = null
    kept.versions = kept.versions.map((version) => ({ ...version, text: null }))
    kept.edits = kept.edits.map((edit) => ({ ...edit, named: [] }))
  }
  for (const ref of writes.unversioned) {
    const kept = state.posts.get(keyOf(ref))
    if (kept) Object.assign(kept, { versions: [], edits: [] })
  }
  for (const row of writes.added) {
    state.posts.set(keyOf(row.post), { ...row, versions: [], edits: [], terms: null })
  }
  for (const { post } of [...writes.moved, ...writes.counted])
    state.posts.get(keyOf(post))!.post = post
  for (const ref of writes.reworded) state.posts.get(keyOf(ref))!.terms = null
  for (const { revision, capturedAt, text, sha256, ...ref } of writes.versions) {
    state.posts.get(keyOf(ref))!.versions.push({ revision, capturedAt, text, sha256 })
  }
  for (const ref of writes.undeleted) {
    const kept = state.posts.get(keyOf(ref))!
    kept.edits = kept.edits.filter(({ kinds }) => !kinds.includes('deleted'))
  }
  for (const { channelId, number, revision, at, kinds, named } of writes.edits) {
    const edit = { channelId, number, revision, at, kinds, named }
    state.posts.get(refKey(channelId, number))!.edits.push(edit)
  }
  for (const row of writes.members) state.members.set(keyOf(row), row.album)
  for (const derived of writes.derived) derive(state, derived)
}

function derive(state: MemoryState, derived: Derived): void {
  const kept = state.posts.get(refKey(derived.channelId, derived.number))!
  const { language, detectedLanguage, languageWeight } = derived
  kept.post = { ...kept.post, language }
  kept.terms = new Set(derived.terms)
  Object.assign(kept, { detectedLanguage, languageWeight })
}

function register(state: MemoryState, entry: RemovalRow): void {
  const index = state.removals.findIndex(
    ({ name, number }) => name === entry.name && number === entry.number,
  )
  const old = state.removals[index]
  if (!old) state.removals.push(entry)
  else state.removals[index] = { ...old, platformId: old.platformId ?? entry.platformId }
}

function writeErasures(state: MemoryState, writes: Writes): void {
  state.erasures.push(...writes.erasures)
  for (const { from, to } of writes.heirs) {
    state.erasures = state.erasures.map((row) => (row.heir === from ? { ...row, heir: to } : row))
  }
  for (const id of writes.erasuresDone) {
    state.erasures = state.erasures.filter(({ channelId }) => channelId !== id)
    for (const key of state.members.keys()) if (key.startsWith(`${id}/`)) state.members.delete(key)
  }
}
