import type { Writes } from '../plan/rows.ts'
import { MAX_TRIES, type PictureFile, type Pictures } from '../pictures.ts'
import { hexOf } from '../post-codec.ts'
import type { Database } from './database.ts'
import { keyOfRef, keysOf, refOfKey } from './post-codec.ts'

export function createPictures(db: Database): Pictures {
  const names = ['files', 'bytes', 'waiting', 'missing'] as const
  return {
    due: (now, limit) =>
      db.read(() =>
        db.all<WantedRow>(DUE, now, limit).map(({ key, slot, name, tries }) => {
          return { ...refOfKey(key), slot, name, tries }
        }),
      ),
    keep: (picture, file, at) =>
      db.write(() => {
        const sha256 = bytesOf(file.sha256)
        const key = keyOfRef(picture)
        db.run(MARK_OLD_UNUSED, key, picture.slot, sha256)
        const isKept = db.run(KEEP, sha256, key, picture.slot, picture.name) > 0
        if (!isKept) {
          db.run(MARK_UNUSED, sha256)
          return false
        }
        const { type, bytes, width, height } = file
        db.run(ADD_FILE, sha256, type, bytes, width, height, at)
        db.run(UNMARK, sha256)
        return true
      }),
    miss: (picture, missed) =>
      db.write(() => {
        const at = [keyOfRef(picture), picture.slot, picture.name] as const
        if (missed.kind === 'refused') db.run(REFUSE, ...at)
        else db.run(FAIL, Number(missed.kind === 'failed'), missed.retryAt, ...at)
      }),
    of: (refs) =>
      db.read(() => {
        const rows = db.all<PictureFile & WantedRow>(OF, keysOf(refs))
        return rows.map(({ key, slot, name, ...file }) => ({ ...refOfKey(key), slot, name, file }))
      }),
    file: (sha256) =>
      db.read(() => {
        const row = db.get<PictureFile>(FILE, bytesOf(sha256))
        return row && { ...row }
      }),
    used: (hashes) =>
      db.read(
        () => new Set(hashes.filter((sha256) => db.get(HELD, bytesOf(sha256)) !== undefined)),
      ),
    sample: (limit) => db.read(() => db.all<PictureFile>(SAMPLE, limit).map((row) => ({ ...row }))),
    unused: (limit) =>
      db.write(() => {
        db.run(UNMARK_USED)
        const hashes = db.all<{ sha256: Uint8Array }>(UNUSED, limit).map((row) => row.sha256)
        for (const sha256 of hashes) db.run(REMOVE_FILE, sha256)
        return hashes.map(hexOf)
      }),
    forget: (hashes, now) =>
      db.write(() => {
        for (const sha256 of hashes.map(bytesOf)) {
          db.run(UNMARK, sha256)
          if (db.run(WANT_AGAIN, now, sha256) > 0) db.run(REMOVE_FILE, sha256)
        }
      }),
    spend: (day, bytes) =>
      db.write(() => {
        db.run('delete from picture_days where day < ?', day - 7)
        db.run(SPEND, day, bytes)
      }),
    totals: (day) =>
      db.read(() => {
        const [files, bytes, waiting, missing] = names.map(
          (name) => db.get<{ value: number }>(TOTAL, `pictures/${name}`)!.value,
        ) as [number, number, number, number]
        const spent = db.get<{ bytes: number }>(DAY, day)
        return { files, bytes, waiting, missing, dayBytes: spent?.bytes ?? 0 }
      }),
  }
}

/** Writes what a plan decided about pictures, inside its transaction and after its posts. */
export function writePictures(db: Database, writes: Writes): void {
  for (const { from, to } of writes.picturesMoved) db.run(MOVE, keyOfRef(to), keyOfRef(from))
  const own = writes.forgotten.map((channelId) => ({ channelId, number: 0 }))
  for (const ref of [...writes.erased, ...writes.redacted, ...own]) drop(db, keyOfRef(ref), '[]')
  for (const { wanted, at, ...ref } of writes.pictures) {
    const key = keyOfRef(ref)
    drop(db, key, JSON.stringify(wanted.map(({ slot }) => slot)))
    for (const { slot, name } of wanted) {
      if (ref.number !== 0) db.run(MARK_RENAMED_UNUSED, key, slot, name)
      db.run(WANT, key, slot, name, at)
    }
  }
}

/** Drops all pictures of a post except those in the given slots. */
function drop(db: Database, key: number, slots: string): void {
  if (db.get('select 1 from pictures where key = ? limit 1', key) === undefined) return
  db.run(MARK_DROPPED_UNUSED, key, slots)
  db.run(DROP, key, slots)
}

interface WantedRow {
  readonly key: number
  readonly slot: number
  readonly name: string
  readonly tries: number
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex')
}

const DUE = `select key, slot, name, tries from pictures where due_at <= ?
  order by due_at desc, key, slot limit ?`
const AT = 'key = ? and slot = ? and name = ? and due_at is not null'
const KEEP = `update pictures set sha256 = ?, due_at = null, tries = 0 where ${AT}`
const FAIL = `update pictures set tries = tries + ?, due_at = ? where ${AT}`
const REFUSE = `update pictures set is_refused = 1, due_at = null where ${AT}`
const MARK_OLD_UNUSED = `insert or ignore into loose_files select sha256 from pictures
  where key = ? and slot = ? and sha256 <> ?`
const MARK_UNUSED = 'insert or ignore into loose_files values (?)'
const UNMARK = 'delete from loose_files where sha256 = ?'
const UNMARK_USED = `delete from loose_files where sha256 in (select l.sha256 from loose_files l
  where exists (select 1 from pictures p where p.sha256 = l.sha256))`
const UNUSED = 'select sha256 from loose_files order by sha256 limit ?'
const WANT_AGAIN = 'update pictures set sha256 = null, due_at = ? where sha256 = ?'
const REMOVE_FILE = 'delete from picture_files where sha256 = ?'
const ADD_FILE = 'insert or ignore into picture_files values (?, ?, ?, ?, ?, ?)'
const FILE_COLUMNS = 'lower(hex(f.sha256)) as sha256, f.type, f.bytes, f.width, f.height'
const OF = `select p.key, p.slot, p.name, ${FILE_COLUMNS} from pictures p join picture_files f on f.sha256 = p.sha256
  where p.key in (select value from json_each(?)) order by p.key, p.slot`
const FILE = `select ${FILE_COLUMNS} from picture_files f
  where f.sha256 = ? and exists (select 1 from pictures p where p.sha256 = f.sha256)`
const SAMPLE = `select ${FILE_COLUMNS} from picture_files f order by f.sha256 limit ?`
const HELD = 'select 1 from pictures where sha256 = ? limit 1'
const SPEND = `insert into picture_days values (?, ?) on conflict do update set bytes = bytes + excluded.bytes`
const DAY = 'select bytes from picture_days where day = ?'
const TOTAL = 'select value from totals where name = ?'
const MOVE = 'update or ignore pictures set key = ? where key = ?'
const OTHERS = 'key = ? and slot not in (select value from json_each(?))'
const MARK_DROPPED_UNUSED = `insert or ignore into loose_files select sha256 from pictures where ${OTHERS} and sha256 is not null`
const DROP = `delete from pictures where ${OTHERS}`
const MARK_RENAMED_UNUSED = `insert or ignore into loose_files select sha256 from pictures
  where key = ? and slot = ? and name <> ? and sha256 is not null`
// A channel's own picture (number 0) keeps its old file until the next one is fetched.
const WANT = `insert into pictures (key, slot, name, due_at) values (?, ?, ?, ?)
  on conflict do update set name = excluded.name, due_at = excluded.due_at,
    tries = case when name = excluded.name then tries else 0 end, is_refused = 0,
    sha256 = case when name <> excluded.name and key & ${2 ** 26 - 1} <> 0 then null else sha256 end
  where name <> excluded.name or (sha256 is null and due_at is null and not is_refused and tries < ${MAX_TRIES})`
