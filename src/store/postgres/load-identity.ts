import type { Known, NameRow, Wanted } from '../plan/rows.ts'
import { unpackScheduleRow, type StoredSchedule } from '../schedule-codec.ts'
import { unpackRemoval, type StoredRemoval } from '../removal-codec.ts'
import { unpackChannel, type StoredChannel } from '../channel-codec.ts'
import { CHANNELS } from './channel-rows.ts'
import { StaleReadError, type Queries } from './database.ts'
import { REMOVALS } from './register.ts'
import { SCHEDULES } from './schedule-rows.ts'

/**
 * The channels with these ids, numeric ids or names, with their names, schedules and register entries. Names, channels and
 * schedules are locked in that order, so that meanwhile nobody else reassigns a name, or removes or leases a channel.
 */
export async function loadIdentity(
  queries: Queries,
  { ids = [], platformIds = [], names = [] }: NonNullable<Wanted['channels']>,
): Promise<Required<Pick<Known, 'channels' | 'names' | 'schedules' | 'removals'>>> {
  const asked = [ids, platformIds, names] as const
  const [, channels, owned, schedules, removals] = await Promise.all([
    queries.run(HOLD_NAMES, names.toSorted()),
    queries.all<StoredChannel>(HELD, ...asked),
    queries.all<NameRow>(NAMES, ...asked),
    queries.all<StoredSchedule>(SCHEDULED, ...asked),
    queries.all<StoredRemoval>(CONCERNING, ...asked),
  ])
  const known = new Set(channels.map(({ id }) => id))
  // The transaction that held the lock gave a name to a channel that is not locked here.
  if (owned.some(({ channelId }) => !known.has(channelId)))
    throw new StaleReadError('a name went to another channel meanwhile')
  return {
    channels: channels.map(unpackChannel),
    names: owned,
    schedules: schedules.map(unpackScheduleRow),
    removals: removals.map(unpackRemoval),
  }
}

const MEANT = `(select unnest($1::int[]) union select id from channels where platform_id = any($2::bigint[])
  union select channel_id from channel_names where name_key = any($3::text[]))`
const HOLD_NAMES = `select pg_advisory_xact_lock(hashtextextended(current_schema() || ' name ' || name, 0))
  from unnest($1::text[]) as name`
const HELD = `select ${CHANNELS.columns} from channels where id in ${MEANT} order by id for update`
const NAMES = `select name, channel_id as "channelId", learnt_at as "learntAt" from channel_names
  where channel_id in ${MEANT} order by learnt_at, name_key`
const SCHEDULED = `select ${SCHEDULES.columns} from schedules where channel_id in ${MEANT} order by channel_id for update`
/** The register entries for these channels, and for these names and numeric ids, whether archived or not. */
export const CONCERNING = `select ${REMOVALS.columns} from removals where name_key in
    (select unnest($3::text[]) union select name_key from channel_names where channel_id in ${MEANT})
  union select ${REMOVALS.columns} from removals where platform_id in
    (select unnest($2::bigint[]) union select platform_id from channels where id in ${MEANT})`
