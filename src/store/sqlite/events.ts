import type { Clock } from '../../model/clock.ts'
import { inBatches } from '../../model/in-batches.ts'
import type { PostRef } from '../../model/post.ts'
import {
  APPENDED_AT_ONCE,
  newLogName,
  eventToAppend,
  prunableEvents,
  type LastEvent,
} from '../event-rules.ts'
import {
  EVENT_KINDS,
  type EventLog,
  type LogBounds,
  type PostEvent,
  type LoggedPost,
} from '../events.ts'
import type { Database } from './database.ts'
import { keyOfRef, keysOf, refOfKey } from './post-codec.ts'

export function createEventLog(db: Database, clock: Clock): EventLog {
  const readPlace = () => {
    const row = db.get<LogBounds>(PLACE)
    return row && { ...row }
  }

  /** Must be called within a write transaction. */
  function openLog(): LogBounds {
    db.run('insert or ignore into event_log values (1, ?, 0, 0)', newLogName())
    return readPlace()!
  }

  function append(posts: readonly LoggedPost[]): number {
    const from = openLog().last
    const now = clock.now()
    let last = from
    for (const post of posts) {
      const key = keyOfRef(post)
      const known = db.get<Omit<LastEvent, 'kind'> & { kind: number }>(LAST, key)
      const news = eventToAppend(post, known && { ...known, kind: EVENT_KINDS[known.kind]! }, now)
      // The post may have been removed since it was read.
      if (!news || !db.get('select 1 from posts where key = ?', key)) continue
      const { revision, document } = post
      const kind = EVENT_KINDS.indexOf(news.kind)
      db.run(APPEND, ++last, key, now, kind, revision, document?.() ?? null, news.before)
    }
    if (last > from) db.run('update event_log set last = ?', last)
    return last - from
  }

  return {
    async append(posts) {
      let appended = 0
      for (const part of inBatches(posts, APPENDED_AT_ONCE)) {
        appended += await db.write(() => append(part))
      }
      return appended
    },
    after: (seq, limit) => db.read(() => db.all<EventRow>(AFTER, seq, limit).map(eventOf)),
    of: (posts) => db.read(() => db.all<EventRow>(OF, keysOf(posts)).map(eventOf)),
    bounds: async () => (await db.read(readPlace)) ?? (await db.write(openLog)),
    rename: () => db.write(() => void db.run('update event_log set name = ?', newLogName())),
    prune: (before, limit) =>
      db.write(() => {
        const rows = db.all<{ seq: number; at: number }>(OLDEST, limit)
        const old = prunableEvents(rows, before, clock.now())
        const end = old.at(-1)?.seq
        if (end === undefined) return 0
        db.run('delete from events where seq <= ?', end)
        db.run('update event_log set forgotten = ?', end)
        return old.length
      }),
  }
}

interface EventRow extends Omit<PostEvent, 'kind' | keyof PostRef> {
  readonly key: number
  readonly kind: number
}

function eventOf({ key, kind, ...row }: EventRow): PostEvent {
  return { ...row, ...refOfKey(key), kind: EVENT_KINDS[kind]! }
}

const PLACE = 'select name as log, last, forgotten from event_log'
const LAST = 'select kind, revision, document from events where key = ? order by seq desc limit 1'
const APPEND = 'insert into events values (?, ?, ?, ?, ?, ?, ?)'
const AFTER = 'select * from events where seq > ? order by seq limit ?'
const OF = 'select * from events where key in (select value from json_each(?)) order by seq'
const OLDEST = 'select seq, at from events order by seq limit ?'
