import type { Clock } from '../../model/clock.ts'
import { packWatch, unpackWatch, type WatchRow } from '../watch-codec.ts'
import { stopSink, type Watches } from '../watches.ts'
import type { Database } from './database.ts'

export function createWatches(db: Database, clock: Clock): Watches {
  const read = (sql: string, ...values: (string | number | null)[]) => {
    const row = db.get<WatchRow>(sql, ...values)
    return (row && unpackWatch(row)) ?? undefined
  }
  const nextRevision = () => db.get<{ revision: number }>(NEXT_REVISION)!.revision
  return {
    put: (given) =>
      db.write(() => {
        const watch = { ...given, stopped: {} }
        const row = db.get<WatchRow>(PUT, given.name, nextRevision(), packWatch(watch))
        return unpackWatch(row!)!
      }),
    remove: (name) =>
      db.write(() => {
        const id = db.get<{ id: number }>('select id from watches where name = ?', name)?.id
        if (id === undefined) return false
        db.run(REMOVE, nextRevision(), clock.now(), id)
        db.run('delete from told where watch_id = ?', id)
        db.run('delete from deliveries where watch_id = ?', id)
        db.run('delete from delivery_queues where watch_id = ?', id)
        return true
      }),
    get: (name) => db.read(() => read('select * from watches where name = ?', name)),
    byId: (id) => db.read(() => read('select * from watches where id = ?', id)),
    list: (after, limit) =>
      db.read(() => db.all<WatchRow>(LIST, after ?? '', limit).map((row) => unpackWatch(row)!)),
    count: () => db.read(() => db.get<{ count: number }>(COUNT)!.count),
    stop: (given, sink, reason) =>
      db.write(() => {
        const { id } = given
        const kept = read('select * from watches where id = ?', id)
        const watch = stopSink(kept, given, { sink, reason })
        if (!watch) return false
        db.run(STOP, nextRevision(), packWatch(watch), id)
        db.run(KILL, clock.now(), reason, id, sink)
        db.run('delete from delivery_queues where watch_id = ? and sink = ?', id, sink)
        return true
      }),
    revision: () => db.read(() => db.get<{ revision: number }>(REVISION)!.revision),
    changesSince: (revision, limit) =>
      db.read(() =>
        db.all<WatchRow>(CHANGES, revision, limit).map((row) => {
          return { revision: row.revision, id: row.id, watch: unpackWatch(row) }
        }),
      ),
  }
}

const NEXT_REVISION = 'update watch_position set revision = revision + 1 returning revision'
const REVISION = 'select revision from watch_position'
const PUT = `insert into watches (name, revision, body) values (?, ?, ?)
  on conflict (name) do update set revision = excluded.revision, body = excluded.body returning *`
const REMOVE = `update watches set name = null, body = '', revision = ?, removed_at = ? where id = ?`
const LIST = 'select * from watches where name > ? order by name limit ?'
const COUNT = 'select count(*) as count from watches where name is not null'
const STOP = 'update watches set revision = ?, body = ? where id = ?'
const KILL = `update deliveries set died_at = ?, error = ?
  where watch_id = ? and sink = ? and died_at is null`
const CHANGES = 'select * from watches where revision > ? order by revision limit ?'
