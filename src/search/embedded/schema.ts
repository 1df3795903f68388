import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { getOrMake } from '../../model/get-or-make.ts'

/** Raised with every change of the files' layout: an index in another format is rebuilt. */
export const FORMAT = 9

const TABLES = `
create table meta (key text primary key, value integer not null) without rowid;
create table bucket (bucket integer primary key, next_slot integer not null, posts integer not null, live integer not null);
create table ref (
  channel integer not null, number integer not null, sec integer not null, slot integer not null,
  revision integer not null, print integer not null, grp integer not null, primary key (channel, number)) without rowid;
create table chunk (id integer primary key, seq integer not null, data blob not null, tags blob not null);
create index chunk_seq on chunk (seq);
create table channel (id integer primary key, subscribers integer not null, seq integer not null);
create index channel_seq on channel (seq);
create table tag (id integer primary key, value text not null unique);
create table language (id integer primary key, value text not null unique);
create table segment (
  id integer primary key, bucket integer not null, is_serving integer not null, posts integer not null,
  newest integer, oldest integer, rowids blob not null, firsts text not null, filter blob not null);
create table page (id integer primary key, data blob not null);
create table list (id integer primary key, posts blob not null, details blob);
create table member (
  grp integer not null, sec integer not null, channel integer not null, number integer not null, slot integer not null,
  primary key (grp, sec, channel, number)) without rowid;
`

export function createTables(db: DatabaseSync, values: Readonly<Record<string, number>>): void {
  db.exec('begin immediate')
  db.exec(TABLES)
  const insert = db.prepare('insert into meta (key, value) values (?, ?)')
  for (const [key, value] of Object.entries({
    format: FORMAT,
    seq: 0,
    segments: 0,
    merges: 0,
    retired: 0,
    removals: 0,
    lacks: 0,
    ...values,
  })) {
    insert.run(key, value)
  }
  db.exec('commit')
}

export function createBucket(db: DatabaseSync, bucket: number): void {
  db.exec(`insert into bucket (bucket, next_slot, posts, live) values (${bucket}, 0, 0, 0)`)
}

export function dropBucket(db: DatabaseSync, bucket: number): void {
  db.exec(
    `delete from bucket where bucket = ${bucket};
     update segment set is_serving = 0 where bucket = ${bucket}`,
  )
}

export function chunkId(bucket: number, chunk: number): number {
  return bucket * 65_536 + chunk
}

export function openForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 10_000 })
  return closeOnError(db, () => {
    // First of all: setting auto_vacuum is a commit, at which SQLite would move a long log that was left here into the file
    // behind the guard's back, and the pages would no longer match their checksums.
    db.exec('pragma wal_autocheckpoint = 0')
    // The store forgets a change once its batch is in the index, so a batch must survive a power cut.
    db.exec(`pragma auto_vacuum = incremental; pragma journal_mode = wal;
      pragma synchronous = full; pragma cache_size = -16000`)
    return db
  })
}

export function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  return closeOnError(db, () => {
    db.exec('pragma query_only = on; pragma cache_size = -4000')
    return db
  })
}

/** Commits, unless a disk error has ended the transaction already: that error is the one to report. */
export function endTransaction(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('commit')
}

/** Closes the database if `make` throws, since nobody else could. */
export function closeOnError<T>(db: DatabaseSync, make: () => T): T {
  try {
    return make()
  } catch (error) {
    db.close()
    throw error
  }
}

/** The share of a file that may stay empty; of the rest this many pages are given back at a time: 8 MB. */
const SPARE = 1 / 16
const PAGES_BACK = 2_000

/** A merge leaves the room of its sources empty. What is not filled again soon is given back to the disk. */
export function vacuumSpare(db: DatabaseSync): void {
  const pragma = (name: string) => Number(db.prepare(`pragma ${name}`).get()?.[name])
  const spare = Math.ceil(pragma('page_count') * SPARE)
  const pages = Math.min(PAGES_BACK, pragma('freelist_count') - spare)
  if (pages > 0) db.exec(`pragma incremental_vacuum(${pages})`)
}

export function readMeta(db: DatabaseSync, key: string): number {
  const row = db.prepare('select value from meta where key = ?').get(key)
  return Number(row?.['value'] ?? 0)
}

/** Prepares each statement once, when it is first used. */
export function createStatements(db: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>()
  return (sql) => getOrMake(prepared, sql, () => db.prepare(sql))
}
