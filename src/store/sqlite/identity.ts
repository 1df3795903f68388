import { nameKey } from '../../model/channel-name.ts'
import type { Channel, ChannelProfile } from '../../model/channel.ts'
import type { Reading } from '../archive.ts'
import { NAME_TAKEN, isMeant } from '../channel-rules.ts'
import { newSchedule } from '../frontier.ts'
import { markChannel } from './change-rows.ts'
import {
  channelById,
  channelByPlatformId,
  channelIdByName,
  giveName,
  insertChannel,
  namesOf,
  showName,
} from './channel-rows.ts'
import type { Database } from './database.ts'
import { startErasure } from './erase.ts'
import { findRemoval, registerNames, removalOf } from './register.ts'
import { hasSchedule, insertSchedule, moveSchedule } from './schedule-rows.ts'

export interface Identity {
  /** Undefined when that channel is in the opt-out register. */
  readonly channelId: number | undefined
  /** Channels whose erasure has begun. */
  readonly erased: readonly number[]
}

/**
 * Which channel a reading is of. Names wander: the numeric id a page shows decides, and a channel whose id is not
 * known yet is whoever shows its name.
 */
export function claimIdentity(db: Database, reading: Reading): Identity {
  const erased: number[] = []
  const asked = channelById(db, reading.channelId)
  if (!asked) return { channelId: undefined, erased }
  const { profile, at } = reading
  const removal =
    removalOf(db, asked.id) ??
    (profile && findRemoval(db, { name: profile.username, platformId: profile.platformId }))
  if (removal) {
    const platformId = removal.platformId ?? profile?.platformId ?? asked.platformId
    const shown = profile ? [nameKey(profile.username)] : []
    registerNames(db, shown, { ...removal, platformId })
    // The page may have told that a channel known under another name is the removed one, too.
    const known = platformId === null ? undefined : channelByPlatformId(db, platformId)
    for (const channel of known && known.id !== asked.id ? [asked, known] : [asked]) {
      if (!isMeant({ platformId }, channel)) {
        loseName(db, channel, at)
        continue
      }
      registerNames(db, namesOf(db, channel.id), { ...removal, platformId })
      startErasure(db, channel, at)
      erased.push(channel.id)
    }
    return { channelId: undefined, erased }
  }
  if (!profile) return { channelId: asked.id, erased }
  const target = bearerOf(db, asked, profile, { at, erased })
  takeName(db, target, profile.username, { at, erased })
  return { channelId: target, erased }
}

interface Occasion {
  readonly at: number
  readonly erased: number[]
}

function bearerOf(
  db: Database,
  asked: Channel,
  profile: ChannelProfile,
  occasion: Occasion,
): number {
  const { platformId } = profile
  if (platformId === null || platformId === asked.platformId) return asked.id
  const known = channelByPlatformId(db, platformId)
  if (asked.platformId === null) {
    if (!known) {
      db.run('update channels set platform_id = ? where id = ?', platformId, asked.id)
      return asked.id
    }
    absorb(db, asked, known.id, occasion)
    return known.id
  }
  // The name has gone to another channel than the one it was learnt for.
  const status = 'active'
  const { at } = occasion
  const target = known?.id ?? insertChannel(db, { ...profile, platformId, status, addedAt: at })
  takeName(db, target, asked.username, occasion)
  if (!hasSchedule(db, target)) insertSchedule(db, target, newSchedule(at))
  return target
}

/** The channel shows this name: it is its username now, and whoever was known by it falls back or retires. */
function takeName(db: Database, id: number, name: string, occasion: Occasion): void {
  const { at } = occasion
  const holderId = channelIdByName(db, name)
  giveName(db, id, name, at)
  const channel = channelById(db, id)!
  if (channel.username !== name) {
    showName(db, id, name)
    markChannel(db, id, at)
  }
  if (holderId === undefined || holderId === id) return
  const holder = channelById(db, holderId)!
  if (nameKey(holder.username) !== nameKey(name)) markChannel(db, holderId, at)
  else if (holder.platformId === null) absorb(db, holder, id, occasion)
  else fallBack(db, holder, at)
}

/** The name it was known by is one that nobody may be asked for any more. */
function loseName(db: Database, channel: Channel, at: number): void {
  db.run('delete from channel_names where name_key = ?', nameKey(channel.username))
  fallBack(db, channel, at)
}

function fallBack(db: Database, channel: Channel, at: number): void {
  const other = namesOf(db, channel.id).at(-1)
  const name = channel.aliases.find((alias) => nameKey(alias) === other)
  if (name !== undefined) {
    showName(db, channel.id, name)
  } else {
    db.run(RETIRE, NAME_TAKEN, channel.id)
    db.run('delete from schedules where channel_id = ?', channel.id)
    db.run('delete from gaps where channel_id = ?', channel.id)
  }
  markChannel(db, channel.id, at)
}

/** Two rows turned out to be one channel: the other inherits what the nameless one had. */
function absorb(db: Database, twin: Channel, into: number, { at, erased }: Occasion): void {
  for (const name of [...twin.aliases, twin.username]) {
    const owner = channelIdByName(db, name)
    if (owner === twin.id) giveName(db, into, name, at)
  }
  moveSchedule(db, twin.id, into)
  startErasure(db, twin, at, into)
  erased.push(twin.id)
  markChannel(db, into, at)
}

const RETIRE = `update channels set status = 'gone', reason = ? where id = ?`
