import { nameKey } from '../../model/channel-name.ts'
import { appliesTo } from '../channel-rules.ts'
import type { RemovedParts, Removal } from '../removals.ts'
import type { RemovalRow } from './rows.ts'

/** Finds the entries of the opt-out register that apply to a channel or a post. */

/** The entry for a whole channel; an entry found by name takes precedence over one found by numeric id. */
export function findEntry(
  entries: readonly RemovalRow[],
  channel: { readonly name?: string; readonly platformId?: number | null },
): RemovalRow | undefined {
  const key = channel.name === undefined ? undefined : nameKey(channel.name)
  const byName = channelEntry(entries, key === undefined ? [] : [key], null)
  return byName ?? channelEntry(entries, [], channel.platformId ?? null)
}

/** The oldest entry for a whole channel with these names or this numeric id. */
export function channelEntry(
  entries: readonly RemovalRow[],
  names: readonly string[],
  platformId: number | null,
): RemovalRow | undefined {
  return entriesFor(entries, names, platformId).find(({ number }) => number === null)
}

/** Entries for single posts of a channel with these names or this numeric id, oldest first. */
export function postEntries(
  entries: readonly RemovalRow[],
  names: readonly string[],
  platformId: number | null,
): RemovalRow[] {
  return entriesFor(entries, names, platformId).filter(({ number }) => number !== null)
}

export function numbersOf({ number, members }: RemovalRow): number[] {
  return number === null ? [] : [number, ...members]
}

/**
 * What these entries remove: the whole channel, and which of the numbers. The numeric ids are those asked for and those of the
 * channels that have the names: a page may show an id in another form.
 */
export function removedBy(
  entries: readonly RemovalRow[],
  platformIds: readonly number[],
  numbers: readonly number[],
): RemovedParts {
  const ids = platformIds.length > 0 ? platformIds : [null]
  const meant = entries.filter((entry) =>
    ids.some((platformId) => appliesTo(entry, { platformId })),
  )
  const removed = new Set(meant.flatMap(numbersOf))
  return {
    channel: entries.some(({ number }) => number === null),
    numbers: numbers.filter((number) => removed.has(number)),
  }
}

export function publicEntry({ members: _members, ...entry }: RemovalRow): Removal {
  return entry
}

/** Oldest first. */
function sortedEntries(entries: readonly RemovalRow[]): RemovalRow[] {
  return entries.toSorted(
    (a, b) =>
      a.removedAt - b.removedAt ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : (a.number ?? 0) - (b.number ?? 0)),
  )
}

function entriesFor(
  entries: readonly RemovalRow[],
  names: readonly string[],
  id: number | null,
): RemovalRow[] {
  const isMeant = ({ name, platformId }: RemovalRow) =>
    names.includes(name) || (id !== null && platformId === id)
  return sortedEntries(entries.filter(isMeant))
}
