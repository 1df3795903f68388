import { inBatches } from '../../model/in-batches.ts'
import { refKey, type PostRef } from '../../model/post.ts'
import { APPENDED_AT_ONCE, newLogName, eventToAppend, prunableEvents } from '../event-rules.ts'
import {
  EVENT_KINDS,
  type EventLog,
  type LogBounds,
  type PostEvent,
  type LoggedPost,
} from '../events.ts'
import type { Database, Now, Queries } from './database.ts'
import { listsOf } from './post-rows.ts'
import { REF, REFS, unpackRef, type StoredRef } from './refs.ts'
import { rowSet } from './row-set.ts'

/** One process appends at a time and locks the log's row until it commits, so that events become visible in order. */
export function createEventLog(db: Database, now: Now): EventLog {
  async function append(tx: Queries, posts: readonly LoggedPost[]): Promise<number> {
    const [, place, last, there] = await Promise.all([
      tx.run(OPEN, newLogName()),
      tx.get<LogBounds & { now: number }>(HOLD, now()),
      tx.all<EventRow>(LAST, ...listsOf(posts)),
      // Locks the posts: a concurrent removal either waits for this transaction, or has already erased the post.
      tx.all<StoredRef>(THERE, ...listsOf(posts)),
    ])
    const known = new Map(last.map((row) => [refKey(unpackRef(row)), eventOf(row)]))
    const kept = new Set(there.map(unpackRef).map(refKey))
    const rows: NewRow[] = []
    for (const post of posts) {
      const { channelId, number, revision } = post
      const key = refKey(post)
      const news = eventToAppend(post, known.get(key), place!.now)
      if (!news || !kept.has(key)) continue
      const document = post.document?.() ?? null
      const seq = place!.last + rows.length + 1
      const row = { seq, channel_id: channelId, number, at: place!.now, revision }
      rows.push({
        ...row,
        kind: EVENT_KINDS.indexOf(news.kind),
        document: hexOf(document),
        before: hexOf(news.before),
      })
      known.set(key, { ...news, seq, at: row.at, channelId, number, revision, document })
    }
    if (rows.length > 0) {
      await Promise.all([
        tx.run(APPEND, ...ROWS.values(rows)),
        tx.run('update event_log set last = last + $1', rows.length),
      ])
    }
    return rows.length
  }

  return {
    async append(posts) {
      let appended = 0
      for (const part of inBatches(posts, APPENDED_AT_ONCE)) {
        appended += await db.transaction((tx) => append(tx, part))
      }
      return appended
    },
    async after(seq, limit) {
      return (await db.all<EventRow>(AFTER, seq, limit)).map(eventOf)
    },
    async of(posts) {
      return (await db.all<EventRow>(OF, ...listsOf(posts))).map(eventOf)
    },
    async bounds() {
      const place = await db.get<LogBounds>(PLACE)
      if (place) return place
      await db.run(OPEN, newLogName())
      return (await db.get<LogBounds>(PLACE))!
    },
    async rename() {
      await db.run('update event_log set name = $1', newLogName())
    },
    async prune(before, limit) {
      return db.transaction(async (tx) => {
        const rows = await tx.all<{ seq: number; at: number; now: number }>(OLDEST, limit, now())
        const old = prunableEvents(rows, before, rows[0]?.now ?? 0)
        const end = old.at(-1)?.seq
        if (end === undefined) return 0
        await Promise.all([
          tx.run('delete from events where seq <= $1', end),
          tx.run('update event_log set forgotten = greatest(forgotten, $1)', end),
        ])
        return old.length
      })
    },
  }
}

interface EventRow extends StoredRef, Omit<PostEvent, 'kind' | 'channelId'> {
  readonly kind: number
}

type NewRow = Record<keyof EventRow, string | number | null>

function eventOf({ channel_id: channelId, kind, ...row }: EventRow): PostEvent & PostRef {
  return { ...row, channelId, kind: EVENT_KINDS[kind]! }
}

function hexOf(bytes: Uint8Array | null): string | null {
  return bytes && `\\x${Buffer.from(bytes).toString('hex')}`
}

const ROWS = rowSet(
  `seq bigint, ${REF}, at bigint, kind smallint, revision int, document bytea, before bytea`,
)
const COLUMNS = 'e.seq, e.channel_id, e.number, e.at, e.kind, e.revision, e.document, e.before'
const PLACE = 'select name as log, last, forgotten from event_log'
const OPEN = 'insert into event_log values (1, $1, 0, 0) on conflict do nothing'
const HOLD = 'select name as log, last, forgotten, clock_ms($1) as now from event_log for update'
const LAST = `select ${COLUMNS} from ${REFS.from()} cross join lateral (
    select * from events e where ${REFS.is('e')} order by e.seq desc limit 1) e`
const THERE = `select p.channel_id, p.number from posts p join ${REFS.from()} on ${REFS.is('p')}
  order by 1, 2 for key share of p`
const APPEND = `insert into events (${ROWS.columns}) select * from ${ROWS.from()}`
const AFTER = `select ${COLUMNS} from events e where seq > $1 order by seq limit $2`
const OF = `select ${COLUMNS} from ${REFS.from()} join events e on ${REFS.is('e')} order by e.seq`
const OLDEST = 'select seq, at, clock_ms($2) as now from events order by seq limit $1'
