import { nameKey } from '../../model/channel-name.ts'
import type { ChannelProfile } from '../../model/channel.ts'
import type { Archive, Reading } from '../archive.ts'
import { NAME_TAKEN, appliesTo } from '../channel-rules.ts'
import { newSchedule } from '../frontier.ts'
import { newChannel, newScheduleRow } from './new-rows.ts'
import type { Draft } from './draft.ts'
import { startErasure } from './erasure.ts'
import { findEntry } from './register.ts'
import type { ChannelRow, Plan, RemovalRow, Wanted } from './rows.ts'

/** The channels that a reading may turn out to belong to. */
export function channelsOfReading({
  channelId,
  profile,
}: Reading): NonNullable<Wanted['channels']> {
  return {
    ids: [channelId],
    platformIds: profile?.platformId == null ? [] : [profile.platformId],
    names: profile ? [nameKey(profile.username)] : [],
  }
}

/**
 * The channel that a reading belongs to; undefined when that is unknown or in the opt-out register. Names change
 * owners, so the numeric id on the page decides. A channel whose numeric id is not known yet is the one that shows its name.
 */
export function* claimIdentity(draft: Draft, reading: Reading): Plan<number | undefined> {
  const asked = draft.channel(reading.channelId)
  if (!asked) return undefined
  const { profile, at } = reading
  const entry =
    draft.entryOf(asked) ??
    (profile &&
      findEntry(draft.entries, { name: profile.username, platformId: profile.platformId }))
  if (entry) {
    yield* bar(draft, asked, reading, entry)
    return undefined
  }
  if (!profile) return asked.id
  const target = yield* bearerOf(draft, asked, profile, at)
  yield* takeName(draft, target, profile.username, at)
  tellRegister(draft, target)
  return target
}

/** Registers all names and ids that the page shows of a removed channel, and erases whatever is archived of it. */
function* bar(
  draft: Draft,
  asked: ChannelRow,
  { profile, at }: Reading,
  entry: RemovalRow,
): Plan<void> {
  const platformId = entry.platformId ?? profile?.platformId ?? asked.platformId
  // The page may reveal that a channel known under another name is the removed one, too.
  if (platformId !== null) yield* draft.ask({ channels: { platformIds: [platformId] } })
  const known = platformId === null ? undefined : draft.channelOfPlatformId(platformId)
  const shown = profile ? [nameKey(profile.username)] : []
  registerNames(draft, shown, { ...entry, platformId })
  for (const channel of known && known.id !== asked.id ? [asked, known] : [asked]) {
    if (appliesTo({ platformId }, channel)) {
      registerNames(draft, draft.namesOf(channel.id), { ...entry, platformId })
      yield* startErasure(draft, channel, at)
    } else {
      // Its name now belongs to the removed channel and must not be requested any more.
      draft.loseName(channel.id, channel.username)
      fallBack(draft, channel, at)
    }
  }
}

/** Registers a whole channel under each of its names. */
export function registerNames(
  draft: Draft,
  names: readonly string[],
  { platformId, reason, removedAt }: Pick<RemovalRow, 'platformId' | 'reason' | 'removedAt'>,
): void {
  for (const name of new Set(names)) {
    draft.registered.push({ name, number: null, platformId, reason, removedAt, members: [] })
  }
}

function* bearerOf(
  draft: Draft,
  asked: ChannelRow,
  profile: ChannelProfile,
  at: number,
): Plan<number> {
  const { platformId } = profile
  if (platformId === null || platformId === asked.platformId) return asked.id
  const known = draft.channelOfPlatformId(platformId)
  if (asked.platformId === null) {
    if (known) yield* absorb(draft, asked, known.id, at)
    else draft.putChannel({ ...asked, platformId })
    return known?.id ?? asked.id
  }
  // The name now belongs to another channel than the one it was learnt for.
  const target = known?.id ?? (yield* addChannel(draft, profile, at))
  yield* takeName(draft, target, asked.username, at)
  if (!draft.schedule(target)) draft.putSchedule(newScheduleRow(target, newSchedule(at)))
  return target
}

function* addChannel(draft: Draft, profile: ChannelProfile, at: number): Plan<number> {
  const { newChannelId: id } = yield* draft.ask({ newChannelId: true })
  draft.putChannel(newChannel({ ...profile, id: id!, status: 'active', addedAt: at }))
  return id!
}

/**
 * The channel shows this name, so it becomes its username. A channel that had it as its username is merged into this one if
 * its numeric id is unknown; otherwise it falls back to another of its names, or is `gone` if it has none.
 */
function* takeName(draft: Draft, id: number, name: string, at: number): Plan<void> {
  if (!draft.isNameKnown(name)) yield* draft.ask({ channels: { names: [nameKey(name)] } })
  const holder = draft.holderOf(name)
  draft.giveName(id, name, at)
  const channel = draft.channel(id)!
  if (channel.username !== name) {
    draft.putChannel({ ...channel, username: name })
    draft.markChannel(id, at)
  }
  if (!holder || holder.id === id) return
  if (nameKey(holder.username) !== nameKey(name)) draft.markChannel(holder.id, at)
  else if (holder.platformId === null) yield* absorb(draft, holder, id, at)
  else fallBack(draft, holder, at)
}

function fallBack(draft: Draft, channel: ChannelRow, at: number): void {
  const other = draft.namesOf(channel.id).at(-1)
  if (other !== undefined) draft.putChannel({ ...channel, username: draft.spelling(other) })
  else {
    draft.putChannel({ ...channel, status: 'gone', reason: NAME_TAKEN })
    draft.unschedule(channel.id)
  }
  draft.markChannel(channel.id, at)
}

/** Two rows turned out to be one channel: `into` inherits everything from the one whose numeric id was unknown. */
function* absorb(draft: Draft, twin: ChannelRow, into: number, at: number): Plan<void> {
  for (const key of draft.namesOf(twin.id)) draft.giveName(into, draft.spelling(key), at)
  const schedule = draft.schedule(twin.id)
  if (schedule && !draft.schedule(into)) {
    // Its posts follow in steps: until they have, nothing is known about how far the channel was walked.
    draft.putSchedule({ ...schedule, channelId: into, walkedTo: null })
    draft.gapsMoved.push({ from: twin.id, to: into })
  }
  yield* startErasure(draft, twin, at, into)
  draft.markChannel(into, at)
}

/** Posts removed before the channel's numeric id was known are found by it from now on: another channel may take the name. */
function tellRegister(draft: Draft, channelId: number): void {
  const { platformId } = draft.channel(channelId)!
  if (platformId === null) return
  const names = draft.namesOf(channelId)
  for (const entry of draft.entries) {
    if (entry.platformId === null && names.includes(entry.name))
      draft.registered.push({ ...entry, platformId })
  }
}

/** Takes a former name from its channel, unless the page that shows it is that channel's own. */
export function* planRelease(
  draft: Draft,
  name: string,
  { platformId, at }: Parameters<Archive['releaseName']>[1],
): Plan<void> {
  yield* draft.ask({ channels: { names: [nameKey(name)] } })
  const holder = draft.holderOf(name)
  if (!holder || nameKey(holder.username) === nameKey(name)) return
  if (holder.platformId === null || holder.platformId === platformId) return
  draft.loseName(holder.id, name)
  draft.markChannel(holder.id, at)
}
