import { randomUUID } from 'node:crypto'
import type { Clock } from '../../model/clock.ts'
import {
  NOBODY,
  STRENGTH,
  changeOf,
  type Changes,
  type Consumer,
  type RebuildState,
} from '../changes.ts'
import { UNCOUNTED } from '../post-codec.ts'
import { LONGEST_LEASE_MS } from '../schedule-rules.ts'
import type { Database } from './database.ts'
import { refOfKey } from './post-codec.ts'
import { rangeOfChannel } from './post-range.ts'

interface ChangeRow {
  readonly seq: number
  readonly key: number
  readonly what: number
}

const POSTS_A_STEP = 2_000

export function createChanges(db: Database, clock: Clock): Changes {
  const idOf = (consumer: string) =>
    db.get<{ id: number }>('select id from consumers where name = ?', consumer)?.id

  return {
    register: (consumer) =>
      db.write(() => {
        const now = clock.now()
        // The first consumer takes over the row of NOBODY, with all changes that waited for it.
        const known =
          db.get<Registered>(SEEN, now, consumer) ??
          db.get<Registered>(SUCCEED, consumer, now, NOBODY)
        if (known) return { rebuild: known.rebuild }
        const { id, rebuild } = db.get<Registered & { id: number }>(JOIN, consumer, now)!
        db.run(COPY, id)
        return { rebuild }
      }),
    noteRebuild: (consumer, from, to) => db.write(() => void db.run(NOTE, to, consumer, from)),
    unregister: (consumer) =>
      db.write(() => {
        const id = idOf(consumer)
        if (id === undefined || consumer === NOBODY) return
        if (!db.get('select 1 from consumers where id <> ?', id)) {
          db.run(SUCCEED, NOBODY, 0, consumer)
          return
        }
        db.run('delete from changes where consumer = ?', id)
        db.run('delete from consumers where id = ?', id)
      }),
    consumers: () =>
      db.read(() => db.all<Consumer>(CONSUMERS, clock.now(), NOBODY).map((row) => ({ ...row }))),

    async claim(consumer, { limit, ttlMs }) {
      const id = randomUUID()
      const rows = await db.writeIf(
        () => db.get(WAITING, idOf(consumer) ?? null, clock.now()),
        () => {
          const now = clock.now()
          return db.all<ChangeRow>(CLAIM, idOf(consumer) ?? null, now, id, now + ttlMs, limit)
        },
      )
      if (!rows || rows.length === 0) return undefined
      const inOrder = rows.toSorted((a, b) => a.seq - b.seq)
      const changes = inOrder.map(({ what, key }) => changeOf(what, refOfKey(key)))
      return { id, consumer, changes }
    },
    renew: ({ id }, ttlMs) => db.write(() => db.run(RENEW, clock.now() + ttlMs, id) > 0),
    done: ({ id }) =>
      db.write(() => {
        db.run('delete from changes where claim = ? and moved = 0', id)
        db.run(RELEASE, id)
      }),
    release: ({ id }) => db.write(() => void db.run(RELEASE, id)),

    pending: (consumer, bound) =>
      db.read(() => {
        const id = idOf(consumer)
        const row =
          id === undefined
            ? db.get<PendingRow>(PENDING_OF_ANY, bound, NOBODY)
            : db.get<PendingRow>(PENDING, id, bound)
        return { count: row!.count, since: row!.since, isBehind: row!.behind === 1 }
      }),
    expectRebuilds: () => db.write(() => void db.run("update consumers set rebuild = 'due'")),
    /** In steps, each its own transaction, so that other writers get a turn in between. */
    async markForeign(channelId) {
      const now = clock.now()
      const range = rangeOfChannel(channelId)
      for (let from = range.from; from <= range.to;) {
        await db.write(() => {
          const end = db.get<{ key: number }>(STEP, from, range.to, POSTS_A_STEP)?.key ?? range.to
          db.run(TOUCH_FOREIGN, STRENGTH.post, now, from, end, channelId)
          from = end + 1
        })
      }
    },
  }
}

interface PendingRow {
  readonly count: number
  readonly since: number | null
  readonly behind: 0 | 1
}

interface Registered {
  readonly rebuild: RebuildState
}

const SEEN = 'update consumers set seen_at = ? where name = ? returning rebuild'
const SUCCEED = 'update consumers set name = ?, seen_at = ? where name = ? returning rebuild'
const JOIN = `insert into consumers (name, seen_at, rebuild) values (?, ?, 'due') returning id, rebuild`
const NOTE = 'update consumers set rebuild = ? where name = ? and rebuild = ?'
const COPY = `insert into changes (key, consumer, what, at)
  select key, ?, max(what), min(at) from changes group by key order by min(seq)`
const CONSUMERS = 'select name, ? - seen_at as idleMs from consumers where name <> ? order by name'
/** Not claimed, or claimed by a clock that was ahead. */
const FREE = `(claimed_until <= ?2 or claimed_until > ?2 + ${LONGEST_LEASE_MS})`
const WAITING = `select 1 from changes where consumer = ?1 and ${FREE} limit 1`
const CLAIM = `update changes set claim = ?3, claimed_until = ?4, moved = 0
  where seq in (select seq from changes where consumer = ?1 and ${FREE} order by seq limit ?5)
  returning seq, key, what`
const RENEW = 'update changes set claimed_until = ? where claim = ?'
const RELEASE = 'update changes set claim = null, claimed_until = 0 where claim = ?'
const PENDING = `select (select count(*) from (select 1 from changes where consumer = ?1 limit ?2)) as count,
  (select at from changes where consumer = ?1 order by seq limit 1) as since,
  (select rebuild in ('due', 'begun') from consumers where id = ?1) as behind`
const PENDING_OF_ANY = `select (select count(*) from (select distinct key from changes limit ?)) as count,
  (select at from changes order by seq limit 1) as since, exists (select 1 from consumers where name <> ?) as behind`
const STEP = 'select key from posts where key between ? and ? order by key limit 1 offset ?'
// A post that already waits to be read needs no new change: it will be read with the channel's language as it is then.
const TOUCH_FOREIGN = `insert into changes (key, consumer, what, at)
  select p.key, c.id, ?, ? from (select key from posts where key between ? and ? and flags & ${UNCOUNTED} = 0
    and language is not (select language from channels where id = ?)) p cross join consumers c where true
  on conflict (key, consumer) do update set what = excluded.what, moved = 1 where what < excluded.what`
