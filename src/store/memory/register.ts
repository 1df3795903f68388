import { nameKey } from '../../model/channel-name.ts'
import { isMeant } from '../channel-rules.ts'
import type { Removal } from '../removals.ts'
import { ownNames, type KeptRemoval, type MemoryState } from './state.ts'

/** The opt-out register. */

export function findRemoval(
  state: MemoryState,
  channel: { readonly name?: string; readonly platformId?: number | null },
): Removal | undefined {
  const whole = sorted(state.removals).filter((entry) => entry.number === null)
  const key = channel.name === undefined ? undefined : nameKey(channel.name)
  const isById = (entry: Removal) =>
    entry.platformId !== null && entry.platformId === (channel.platformId ?? null)
  const entry = whole.find(({ name }) => name === key) ?? whole.find(isById)
  return entry && publicEntry(entry)
}

export function removalOf(
  state: MemoryState,
  channel: { readonly id: number; readonly platformId: number | null },
): Removal | undefined {
  const names = ownNames(state, channel.id).map((name) => name.key)
  const entry = sorted(state.removals).find(
    ({ number, name, platformId }) =>
      number === null &&
      isMeant({ platformId }, channel) &&
      (names.includes(name) || (platformId !== null && platformId === channel.platformId)),
  )
  return entry && publicEntry(entry)
}

export function registerNames(
  state: MemoryState,
  names: readonly string[],
  removal: Pick<Removal, 'platformId' | 'reason' | 'removedAt'>,
): void {
  const { platformId, reason, removedAt } = removal
  for (const name of new Set(names)) {
    register(state, { name, number: null, platformId, reason, removedAt, members: [] })
  }
}

/** An entry that is there already stays; it only learns the numeric id. */
export function register(state: MemoryState, entry: KeptRemoval): void {
  const index = state.removals.findIndex(
    ({ name, number }) => name === entry.name && number === entry.number,
  )
  const old = state.removals[index]
  if (!old) state.removals.push(entry)
  else state.removals[index] = { ...old, platformId: old.platformId ?? entry.platformId }
}

export function postEntries(
  state: MemoryState,
  names: readonly string[],
  platformId: number | null,
): KeptRemoval[] {
  return sorted(state.removals).filter(
    (entry) =>
      entry.number !== null &&
      (names.includes(entry.name) || (platformId !== null && entry.platformId === platformId)),
  )
}

export function registeredPosts(state: MemoryState, channelId: number): ReadonlySet<number> {
  const names = ownNames(state, channelId).map((name) => name.key)
  const platformId = state.channels.get(channelId)?.platformId ?? null
  return new Set(postEntries(state, names, platformId).flatMap(numbersOf))
}

export function numbersOf(entry: KeptRemoval): number[] {
  return entry.number === null ? [] : [entry.number, ...entry.members]
}

export function publicEntry({ members: _members, ...entry }: KeptRemoval): Removal {
  return entry
}

/** Oldest first. */
export function sorted<T extends Removal>(entries: readonly T[]): T[] {
  return entries.toSorted(
    (a, b) =>
      a.removedAt - b.removedAt ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : (a.number ?? 0) - (b.number ?? 0)),
  )
}
