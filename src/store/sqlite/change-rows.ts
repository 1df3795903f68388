import { STRENGTH } from '../changes.ts'
import type { ChangeMark } from '../plan/rows.ts'
import type { Database } from './database.ts'
import { keysOf } from './post-codec.ts'

/** The dirty set: for each consumer, a row per post or channel it has not been told of, written with the change itself. */

export function markChanges(db: Database, changes: readonly ChangeMark[]): void {
  // Most changes of a reading are of one kind: a run of them is passed as keys only, which is parsed faster than a list each.
  for (let from = 0; from < changes.length;) {
    const { kind, at } = changes[from]!
    let to = from + 1
    while (changes[to]?.kind === kind && changes[to]?.at === at) to++
    db.run(MARK, keysOf(changes.slice(from, to)), STRENGTH[kind], at)
    from = to
  }
}

/** A change already waiting keeps its place and date; `moved` tells whoever has claimed it that it changed again. */
export const ON_WAITING =
  'on conflict (key, consumer) do update set what = max(what, excluded.what), moved = 1'
const MARK = `insert into changes (key, consumer, what, at)
  select value, c.id, ?2, ?3 from json_each(?1) cross join consumers c where true ${ON_WAITING}`
