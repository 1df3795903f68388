import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import { UNCOUNTED } from '../post-codec.ts'
import { REMOVED_CHANNELS } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { KEY_SPAN } from './post-codec.ts'
import { scanPosts } from './scan.ts'

/** SQLite's own integrity check, then the invariants between tables. Each statement lists the rows that violate its rule. */
export async function verifyStore(
  db: Database,
  ledger: Database,
  progress?: (done: number, total: number) => void,
): Promise<readonly string[]> {
  const problems: string[] = []
  const steps = [
    () => integrity(ledger, 'ledger'),
    () => integrity(db, 'store'),
    ...Object.entries(RULES).map(([rule, sql]) => () => {
      const found = db.all<{ what: string }>(`${sql} limit 5`)
      return found.map((row) => `${rule}: ${row.what}`)
    }),
  ]
  for (const [index, step] of steps.entries()) {
    problems.push(...(await db.read(step)))
    progress?.(index + 1, steps.length)
  }
  problems.push(...(await unreadablePosts(db)))
  return problems
}

/** SQLite's check does not look into the values that we packed ourselves. */
async function unreadablePosts(db: Database): Promise<string[]> {
  try {
    for await (const _posts of scanPosts(db, { batch: 500 }));
    return []
  } catch (error) {
    return [`a post that cannot be read: ${(error as Error).message}`]
  }
}

function integrity(db: Database, name: string): string[] {
  const rows = db.all<{ integrity_check: string }>('pragma integrity_check(20)')
  return rows
    .filter((row) => row.integrity_check !== 'ok')
    .map((row) => `${name}: ${row.integrity_check}`)
}

const CHANNEL_ID = `key / ${KEY_SPAN}`
const COUNTED = `flags & ${UNCOUNTED} = 0`
const orphan = (table: string, other: string, column = 'key') => `select key as what from ${table} t
  where not exists (select 1 from ${other} p where p.key = t.${column})`
const ofNoChannel = (table: string, shown: string) => `select ${shown} as what from ${table}
  where channel_id not in (select id from channels)`

const RULES: Readonly<Record<string, string>> = {
  'a post without its body': orphan('posts', 'post_bodies'),
  'a body without its post': orphan('post_bodies', 'posts'),
  'hashes without their post': orphan('post_hashes', 'posts'),
  'a version without its post': orphan('post_versions', 'posts'),
  'an event without its post': orphan('events', 'posts'),
  'an edit without its post': orphan('edits', 'posts'),
  'an album member without its album': orphan('post_members', 'posts', 'post_key'),
  'a post without its channel': `select distinct ${CHANNEL_ID} as what from posts
    where ${CHANNEL_ID} not in (select id from channels)
      and ${CHANNEL_ID} not in (select channel_id from erasures)`,
  'a channel whose count of posts is wrong': `select c.id as what from channels c
    left join (select ${CHANNEL_ID} as id, count(*) as posts from posts where ${COUNTED} group by 1) p
    on p.id = c.id where c.posts <> coalesce(p.posts, 0)`,
  'a channel whose hours are wrong': `select h.channel_id as what from channel_hours h
    left join (select ${CHANNEL_ID} as id, published_at / ${HOUR_MS} as hour, count(*) as posts
      from posts where ${COUNTED} group by 1, 2) p
    on p.id = h.channel_id and p.hour = h.hour where h.posts <> coalesce(p.posts, 0)`,
  'a language whose count of posts is wrong': `select l.code as what from language_days l
    left join (select language as code, published_at / ${DAY_MS} as day, count(*) as posts
      from posts where ${COUNTED} and language is not null group by 1, 2) p
    on p.code = l.code and p.day = l.day where l.posts <> coalesce(p.posts, 0)`,
  'a total that is wrong': `select name as what from totals
    where (name = 'posts' and value <> (select coalesce(sum(posts), 0) from channels))
      or (name = 'schedules' and value <> (select count(*) from schedules))
      or (name = 'pictures/files' and value <> (select count(*) from picture_files))
      or (name = 'pictures/bytes' and value <> (select coalesce(sum(bytes), 0) from picture_files))
      or (name = 'pictures/waiting' and value <> (select count(*) from pictures where due_at is not null))
      or (name = 'pictures/missing' and value <>
        (select count(*) from pictures where due_at is null and sha256 is null))
      or (name glob 'languages/*' and value <> (select count(*) from channels where language = substr(name, 11)))`,
  'a picture without its post': `${orphan('pictures', 'posts')} and key % ${KEY_SPAN} <> 0`,
  'a picture without its file': `select key as what from pictures where sha256 is not null
    and not exists (select 1 from picture_files f where f.sha256 = pictures.sha256)`,
  'a schedule without its channel': ofNoChannel('schedules', 'channel_id'),
  'a name without its channel': ofNoChannel('channel_names', 'name_key'),
  'a day without its channel': ofNoChannel('channel_days', 'channel_id'),
  'words without their channel': ofNoChannel('channel_starts', 'start'),
  'a removed channel that is still there': `select username as what from (${REMOVED_CHANNELS})`,
}
