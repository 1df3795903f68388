import { STRENGTH } from '../changes.ts'
import type { ChangeMark } from '../plan/rows.ts'
import type { Database } from './database.ts'
import { keyOf } from './post-codec.ts'

/** The dirty set: for each consumer one row per post or channel it has not been told about, written in the change's transaction. */

export function markChanges(db: Database, changes: readonly ChangeMark[]): void {
  if (changes.length === 0) return
  const marks = changes.map(({ channelId, number, kind, at }) => [
    keyOf(channelId, number),
    STRENGTH[kind],
    at,
  ])
  db.run(MARK, JSON.stringify(marks))
}

/** A change that was waiting keeps its place and its date; whoever has claimed it learns that it moved again. */
export const ON_WAITING =
  'on conflict (key, consumer) do update set what = max(what, excluded.what), moved = 1'
const MARK = `insert into changes (key, consumer, what, at)
  select value ->> 0, c.id, value ->> 1, value ->> 2 from json_each(?) cross join consumers c where true ${ON_WAITING}`
