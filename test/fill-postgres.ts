import type { Queries } from '../src/store/postgres/database.ts'

/** At least this many rows in each table. */
export const FILLED = 15_000

/**
 * Fills tables as they are after months, without any text: every channel is scheduled and due, every post waits to be
 * indexed. The first channel has many posts. Times are relative to `now`.
 */
export async function fill(tx: Queries, now: number): Promise<void> {
  const settings = `set local session_replication_role = replica; set local statement_timeout = 0`
  const names = new Set(TABLES.map((sql) => /^insert into (\w+)/.exec(sql)![1]!))
  const script = [settings, ...TABLES, `analyze ${[...names].join(', ')}`].join(';\n')
  await tx.script(script.replaceAll('{now}', String(now)))
}

const N = `generate_series(1, ${FILLED}) as n`
const hash = (of: string) => `decode(md5(${of}), 'hex')`

const TABLES = [
  `insert into channels select n, n, 'name' || n, 'name' || n, 'title', '', null, n % 5000 = 0, n % 1000, '[]',
    case when n % 10000 = 0 then 'gone' else 'active' end, null, case when n % 10000 = 1 then 'eo' else 'en' end,
    {now} - n, {now} - n, 1, {now} - 86400000, {now} - n, n % 70 from ${N}`,
  `insert into channel_words select n, ' name' || n, ' title', '' from ${N}`,
  `insert into channel_starts select left('name' || n, 4 + n % 3), n from ${N}`,
  `insert into channel_names select 'name' || n, 'name' || n, n, {now} from ${N}`,
  `insert into channel_hours select n, {now} / 3600000, 1, 1, 9 from ${N}`,
  `insert into channel_features select n % 100 + 1, 3, 'name' || n, n % 50 from ${N}`,
  `insert into channel_languages select n, 'en', 1, 1 from ${N}`,
  `insert into schedules (channel_id, next_visit_at, earliest_visit_at, seen, exposure_days, seen_fast, exposure_fast_days,
      fails, demand, fresh_demand, lease_token, lease_until)
    select n, {now} + 3600000 - n * 1000, {now} - n * 1000, 1, 1, 1, 1, 0, 0, 0, 0, 0 from ${N}`,
  `insert into gaps (channel_id, kind, before_number, down_to) select n, 'backlog', 9, 1 from ${N}`,
  `insert into posts select 1, n, {now} - n, 0, 1, {now} from ${N} union all select n + 1, 1, {now} - n, 0, 1, {now} from ${N}`,
  `insert into post_bodies select channel_id, number, 'text', null, '', {now}, 0, 1, null from posts`,
  `insert into edits select 1, n, 1, {now} - n, 1, n from ${N}`,
  `insert into post_versions select 1, n, 1, {now} - n, 'text', '' from ${N}`,
  `insert into changes (consumer, channel_id, number, what, at)
    select (select id from consumers), 1, n, 2, {now} from ${N}`,
  `insert into copies select 1, n, n % 10000, {now} / 1000 - n, n from ${N}`,
  `insert into copy_groups select n, '' from ${N}`,
  `insert into copy_keys select n, n % 10000 from ${N}`,
  `insert into sightings select n % 100, 'seen' || n, 'mention', {now} from ${N}`,
  `insert into candidates select 'seen' || n, 'seen' || n, n, 1, {now} from ${N}`,
  `insert into events select n, 1, n, {now} - 100000 + n, 0, 1, '' from ${N}`,
  `insert into event_log values (1, 'log', ${FILLED}, 0)`,
  `insert into pictures select 1, n, 0, 'name' || n, case when n % 2 = 0 then ${hash('n::text')} end, 0,
    case when n % 2 = 1 then {now} - n end from ${N}`,
  `insert into picture_files select ${hash('n::text')}, 'image/jpeg', 1, 1, 1, {now} from ${N}`,
  `insert into watches (name, revision, body) select 'watch' || n, n, '' from generate_series(1, 5) as n`,
  `insert into watch_position values (1, ${FILLED}, 5)`,
  `insert into told select n % 5 + 1, 1, n, n, {now} - n * 1000 from ${N}`,
  `insert into deliveries (watch_id, sink, events, event_count, together, created_at, due_at)
    select n % 5 + 1, 'webhook', '', 1, false, {now}, {now} - n from ${N}`,
  `insert into delivery_queues select n, 'webhook', {now} - n from generate_series(1, 5) as n`,
  `insert into keys select 'key' || n, null, 'free', {now}, null, null, '[]' from ${N}`,
  `insert into usage select 'caller' || n, 'search', {now}, {now} + n, 1 from ${N}`,
  `insert into removals select 'gone' || n, 0, ${FILLED} + n, '[]', '', {now} from ${N}`,
]
