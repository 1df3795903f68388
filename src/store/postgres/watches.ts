import { packWatch, unpackWatch, type WatchRow } from '../watch-codec.ts'
import { stopSink, type Watches } from '../watches.ts'
import type { Database, Now, Queries } from './database.ts'
import { holdPlace } from './deliveries.ts'

export function createWatches(db: Database, now: Now): Watches {
  const read = async (queries: Queries, where: string, value: string | number) => {
    const row = await queries.get<WatchRow>(
      `select ${WATCH} from watches where ${where} = $1`,
      value,
    )
    return (row && unpackWatch(row)) ?? undefined
  }
  return {
    put: (given) =>
      db.transaction(async (tx) => {
        const revision = await nextRevision(tx)
        const body = packWatch({ ...given, stopped: {} })
        return unpackWatch((await tx.get<WatchRow>(PUT, given.name, revision, body))!)!
      }),
    remove: (name) =>
      db.transaction(async (tx) => {
        await holdPlace(tx)
        const row = await tx.get<{ id: number }>(KNOWN, name)
        if (!row) return false
        await tx.run(REMOVE, row.id, await nextRevision(tx), now())
        await Promise.all(
          ['told', 'deliveries', 'delivery_queues'].map((table) =>
            tx.run(`delete from ${table} where watch_id = $1`, row.id),
          ),
        )
        return true
      }),
    get: (name) => read(db, 'name', name),
    byId: (id) => read(db, 'id', id),
    async list(after, limit) {
      return (await db.all<WatchRow>(LIST, after ?? '', limit)).map((row) => unpackWatch(row)!)
    },
    async count() {
      return (await db.get<{ count: number }>(COUNT))!.count
    },
    stop: (given, sink, reason) =>
      db.transaction(async (tx) => {
        const { id } = given
        await holdPlace(tx)
        const watch = stopSink(await read(tx, 'id', id), given, { sink, reason })
        if (!watch) return false
        const revision = await nextRevision(tx)
        await Promise.all([
          tx.run(STOP, id, revision, packWatch(watch)),
          tx.run(KILL, id, sink, reason, now()),
          tx.run('delete from delivery_queues where watch_id = $1 and sink = $2', id, sink),
        ])
        return true
      }),
    async revision() {
      return (await db.get<{ revision: number }>(REVISION))?.revision ?? 0
    },
    async changesSince(revision, limit) {
      const rows = await db.all<WatchRow>(CHANGES, revision, limit)
      return rows.map((row) => {
        return { revision: row.revision, id: row.id, watch: unpackWatch(row) }
      })
    },
  }
}

/** Writers wait for each other here or in `holdPlace`, so that revisions become visible in order. */
async function nextRevision(tx: Queries): Promise<number> {
  return (await tx.get<{ revision: number }>(NEXT_REVISION))!.revision
}

const WATCH = 'id, revision, name, body'
const NEXT_REVISION = `insert into watch_position as p (id, seq, revision) values (1, null, 1)
  on conflict (id) do update set revision = p.revision + 1 returning revision`
const REVISION = 'select revision from watch_position'
const KNOWN = 'select id from watches where name = $1'
const PUT = `insert into watches (name, revision, body) values ($1, $2, $3)
  on conflict (name) do update set revision = excluded.revision, body = excluded.body returning ${WATCH}`
const REMOVE = `update watches set name = null, body = '', revision = $2, removed_at = clock_ms($3)
  where id = $1`
const LIST = `select ${WATCH} from watches where name > $1 order by name limit $2`
const COUNT = 'select count(*)::integer as count from watches where name is not null'
const STOP = 'update watches set revision = $2, body = $3 where id = $1'
const KILL = `update deliveries set died_at = clock_ms($4), error = $3
  where watch_id = $1 and sink = $2 and died_at is null`
const CHANGES = `select ${WATCH} from watches where revision > $1 order by revision limit $2`
