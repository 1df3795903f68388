import { NOBODY, type RebuildState } from '../changes.ts'
import type { Database, Now } from './database.ts'

/** The consumers of changes. Each has its own queue in `changes`, which is copied or emptied in steps. */

const ROWS_A_STEP = 5_000

export async function register(db: Database, consumer: string, now: Now): Promise<Registered> {
  // The usual case, every minute: it takes no lock that others have to wait for.
  const known = await db.get<Registered>(SEEN, now(), consumer)
  if (known) return known
  const joined = await db.transaction(async (tx) => {
    // Waits for transactions that are marking changes: they do not know of the new consumer yet.
    await tx.run(LOCK_CONSUMERS)
    if ((await tx.run(SEEN, now(), consumer)) > 0) return undefined
    // The first consumer takes over the row of NOBODY, with all changes that waited for it.
    if ((await tx.run(SUCCEED, consumer, now(), NOBODY)) > 0) return undefined
    return tx.get<Joined>(JOIN, consumer, now())
  })
  // Now it is known.
  if (!joined) return register(db, consumer, now)
  // Copies the changes marked before; those marked from now on are marked for this consumer, too.
  for (const other of await db.all<{ id: number }>(
    'select id from consumers where id <> $1',
    joined.id,
  ))
    await copyQueue(db, other.id, joined)
  return { rebuild: joined.rebuild }
}

async function copyQueue(db: Database, from: number, { id, last }: Joined): Promise<void> {
  for (let after = 0; ;) {
    const values = [from, after, last, ROWS_A_STEP, id] as const
    const step = await db.get<{ count: number; last: number | null }>(COPY, ...values)
    if (step!.count < ROWS_A_STEP) return
    after = step!.last!
  }
}

export async function unregister(db: Database, consumer: string): Promise<void> {
  if (consumer === NOBODY) return
  const left = await db.transaction(async (tx) => {
    await tx.run(LOCK_CONSUMERS)
    const isOther = await tx.get('select 1 from consumers where name <> $1', consumer)
    if (isOther) return tx.get<{ id: number }>(LEAVE, consumer)
    await tx.run(SUCCEED, NOBODY, 0, consumer)
    return undefined
  })
  if (left) await emptyQueue(db, left.id)
}

/** Empties queues of unregistered consumers whose process ended before it had emptied them. */
export async function emptyOrphans(db: Database): Promise<void> {
  for (const { id } of await db.all<{ id: number }>(ORPHANS)) await emptyQueue(db, id)
}

async function emptyQueue(db: Database, id: number): Promise<void> {
  while ((await db.run(EMPTY, id, ROWS_A_STEP)) === ROWS_A_STEP);
}

interface Registered {
  readonly rebuild: RebuildState
}

interface Joined extends Registered {
  readonly id: number
  /** The `seq` of the last change marked before it joined. */
  readonly last: number
}

const LOCK_CONSUMERS = 'lock table consumers in access exclusive mode'
const SEEN = 'update consumers set seen_at = clock_ms($1) where name = $2 returning rebuild'
const SUCCEED =
  'update consumers set name = $1, seen_at = clock_ms($2) where name = $3 returning rebuild'
const JOIN = `insert into consumers (name, seen_at, rebuild) values ($1, clock_ms($2), 'due')
  returning id, rebuild, (select last_value from change_seq) as last`
const LEAVE = 'delete from consumers where name = $1 returning id'
// New `seq`s keep the order of the queue; rows are written in the order in which every writer writes them.
const COPY = `with step as materialized (select channel_id, number, what, at, seq from changes
    where consumer = $1 and seq > $2 and seq <= $3 order by seq limit $4),
  numbered as materialized (select channel_id, number, what, at, nextval('change_seq') as seq from step),
  copied as (insert into changes as c (consumer, channel_id, number, what, at, seq)
    select $5, channel_id, number, what, at, seq from numbered order by channel_id, number
    on conflict (consumer, channel_id, number)
      do update set what = greatest(c.what, excluded.what), at = least(c.at, excluded.at))
  select count(*)::integer as count, max(seq) as last from step`
const EMPTY = `delete from changes where consumer = $1
  and seq = any(array(select seq from changes where consumer = $1 order by seq limit $2))`
// A loose index scan: it skips from one consumer to the next instead of reading row by row.
const ORPHANS = `with recursive queues as (
    (select consumer from changes order by consumer limit 1)
    union all select (select c.consumer from changes c where c.consumer > q.consumer order by c.consumer limit 1)
    from queues q where q.consumer is not null)
  select consumer as id from queues where consumer is not null and consumer not in (select id from consumers)`
