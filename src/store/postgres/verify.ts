import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import type { Progress } from '../file-store.ts'
import { UNCOUNTED } from '../post-codec.ts'
import { REMOVED_CHANNELS } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { firstDayApart } from './stats.ts'

/** Checks the invariants between tables in one snapshot; an empty list means sound. Disk pages are the server's to check. */
export function verifyStore(
  db: Database,
  now: number,
  progress?: Progress,
): Promise<readonly string[]> {
  const rules = Object.entries(rulesAt(now))
  return db.longTransaction(async (tx) => {
    await tx.script(
      'set transaction isolation level repeatable read; set local statement_timeout = 0',
    )
    const problems: string[] = []
    for (const [done, [rule, sql]] of rules.entries()) {
      const rows = await tx.all<{ what: string }>(`select what::text from (${sql}) broken limit 5`)
      problems.push(...rows.map((row) => `${rule}: ${row.what}`))
      progress?.(done + 1, rules.length)
    }
    return problems
  })
}

const COUNTED = `flags & ${UNCOUNTED} = 0`
const NAME = `channel_id || '/' || number`
const orphan = (
  table: string,
  other: string,
  column = 'number',
) => `select ${NAME} as what from ${table} t
  where not exists (select 1 from ${other} p where p.channel_id = t.channel_id and p.number = t.${column})`

const ofNoChannel = (table: string, shown: string) => `select ${shown} as what from ${table} t
  where not exists (select 1 from channels c where c.id = t.channel_id)`

/** Each statement lists the rows that violate its rule. */
const rulesAt = (now: number): Readonly<Record<string, string>> => ({
  'a post without its body': orphan('posts', 'post_bodies'),
  'a body without its post': orphan('post_bodies', 'posts'),
  'a version without its post': orphan('post_versions', 'posts'),
  'an event without its post': orphan('events', 'posts'),
  'an edit without its post': orphan('edits', 'posts'),
  'an album member without its album': orphan('post_members', 'posts', 'album'),
  'a post without its channel': `select distinct channel_id as what from posts t
    where not exists (select 1 from channels c where c.id = t.channel_id)
      and not exists (select 1 from erasures e where e.channel_id = t.channel_id)`,
  'a channel whose count of posts is wrong': `select c.id as what from channels c
    left join (select channel_id as id, count(*) as posts from posts where ${COUNTED} group by 1) p
    on p.id = c.id where c.posts <> coalesce(p.posts, 0)`,
  'a channel whose hours are wrong': `select h.channel_id as what from channel_hours h
    left join (select channel_id as id, floor(published_at / ${HOUR_MS}.0) as hour, count(*) as posts
      from posts where ${COUNTED} group by 1, 2) p
    on p.id = h.channel_id and p.hour = h.hour where h.posts <> coalesce(p.posts, 0)`,
  'a language whose count of posts is wrong': `select coalesce(l.code, p.code) as what
    from (select code, sum(posts) as posts from language_days group by 1) l
    full join (select language as code, count(*) as posts from posts
      where ${COUNTED} and language is not null group by 1) p
    on p.code = l.code where coalesce(l.posts, 0) <> coalesce(p.posts, 0)`,
  'a day whose count of posts is wrong': `select l.code || ' ' || l.day as what
    from (select code, day, sum(posts) as posts from language_days
      where day >= ${firstDayApart(now)} group by 1, 2) l
    left join (select language as code, floor(published_at / ${DAY_MS}.0) as day, count(*) as posts
      from posts where ${COUNTED} and language is not null group by 1, 2) p
    on p.code = l.code and p.day = l.day where l.posts > 0 and l.posts <> coalesce(p.posts, 0)`,
  'a total that is wrong': `select 'posts' as what
    where (select coalesce(sum(value), 0) from totals where name = 'posts')
      <> (select coalesce(sum(posts), 0) from channels)
    union all select t.name from (select name, sum(value) as value from totals where name like 'channels/%' group by 1) t
    where t.value <> (select count(*) from channels where 'channels/' || status = t.name)
    union all select t.name from (select name, sum(value) as value from totals where name like 'pictures/%' group by 1) t
    where t.value <> case t.name when 'pictures/files' then (select count(*) from picture_files)
      when 'pictures/bytes' then (select coalesce(sum(bytes), 0) from picture_files)
      when 'pictures/waiting' then (select count(due_at) from pictures)
      else (select count(*) from pictures where due_at is null and sha256 is null) end`,
  'a picture without its post': `${orphan('pictures', 'posts')} and number <> 0`,
  'a picture without its file': `select ${NAME} as what from pictures t where sha256 is not null
    and not exists (select 1 from picture_files f where f.sha256 = t.sha256)`,
  'a schedule without its channel': ofNoChannel('schedules', 'channel_id'),
  'a name without its channel': ofNoChannel('channel_names', 'name_key'),
  'a day without its channel': ofNoChannel('channel_days', 'channel_id'),
  'a channel that no word finds': `select w.channel_id as what from channel_words w
    where w.name <> '' and not exists (select 1 from channel_starts s where s.channel_id = w.channel_id)`,
  'a word without its channel': ofNoChannel('channel_starts', 'start'),
  'a removed channel that is still there': `select username as what from (${REMOVED_CHANNELS}) b`,
})
