import type { Writes } from '../plan/rows.ts'
import {
  MAX_TRIES,
  type PictureFile,
  type PictureTotals,
  type Pictures,
  type WantedPicture,
} from '../pictures.ts'
import type { Database, Queries } from './database.ts'
import { REF, REFS, REF_KEY } from './refs.ts'
import { rowSet } from './row-set.ts'

export function createPictures(db: Database): Pictures {
  return {
    due: (now, limit) => db.all<WantedPicture>(DUE, now, limit),
    keep: (picture, file, at) =>
      db.transaction(async (tx) => {
        const { sha256 } = file
        await tx.run(MARK_OLD_UNUSED, picture.channelId, picture.number, picture.slot, sha256)
        const isKept = (await tx.run(KEEP, ...placeOf(picture), sha256)) > 0
        if (!isKept) {
          await tx.run(MARK_UNUSED, sha256)
          return false
        }
        const { type, bytes, width, height } = file
        await tx.run(ADD_FILE, sha256, type, bytes, width, height, at)
        await tx.run(UNMARK, [bytea(sha256)])
        return true
      }),
    async miss(picture, missed) {
      if (missed.kind === 'refused') await db.run(REFUSE, ...placeOf(picture))
      else {
        const tries = Number(missed.kind === 'failed')
        await db.run(FAIL, ...placeOf(picture), missed.retryAt, tries)
      }
    },
    async of(refs) {
      const rows = await db.all<WantedPicture & PictureFile>(OF, ...REFS.values(refs))
      return rows.map(({ channelId, number, slot, name, ...file }) => {
        return { channelId, number, slot, name, file }
      })
    },
    file: (sha256) => db.get<PictureFile>(FILE, sha256),
    async used(hashes) {
      const rows = await db.all<{ sha256: string }>(HELD, hashes.map(bytea))
      return new Set(rows.map((row) => row.sha256))
    },
    sample: (limit) => db.all<PictureFile>(SAMPLE, limit),
    unused: (limit) =>
      db.transaction(async (tx) => {
        await tx.run(UNMARK_USED)
        const rows = await tx.all<{ sha256: string }>(UNUSED, limit)
        const hashes = rows.map((row) => row.sha256)
        await tx.run(REMOVE_FILES, hashes.map(bytea))
        return hashes
      }),
    forget: (hashes, now) =>
      db.transaction(async (tx) => {
        const gone = hashes.map(bytea)
        await tx.run(UNMARK, gone)
        if ((await tx.run(WANT_AGAIN, gone, now)) > 0) await tx.run(REMOVE_FILES, gone)
      }),
    async spend(day, bytes) {
      await db.run('delete from picture_days where day < $1', day - 7)
      await db.run(SPEND, day, bytes)
    },
    async totals(day) {
      return (await db.get<PictureTotals>(TOTALS, day))!
    },
  }
}

/** The statements are sent in this order without waiting for each other. */
export async function writePictures(tx: Queries, writes: Writes): Promise<void> {
  const own = writes.forgotten.map((channelId) => ({ channelId, number: 0 }))
  const gone = [...writes.erased, ...writes.redacted, ...own]
  const rows = writes.pictures.flatMap(({ channelId, number, wanted, at: dueAt }) =>
    wanted.map((picture) => ({ channelId, number, ...picture, dueAt })),
  )
  await Promise.all([
    ...writes.picturesMoved.map(({ from, to }) =>
      tx.run(MOVE, from.channelId, from.number, to.channelId, to.number),
    ),
    tx.run(DROP, ...REFS.values(gone), [], [], []),
    tx.run(DROP, ...REFS.values(writes.pictures), ...PLACES.values(rows)),
    tx.run(MARK_RENAMED_UNUSED, ...WANTED.values(rows)),
    tx.run(WANT, ...WANTED.values(rows)),
  ])
}

function placeOf({ channelId, number, slot, name }: WantedPicture) {
  return [channelId, number, slot, name] as const
}

function bytea(hex: string): string {
  return `\\x${hex}`
}

const PLACE = `${REF}, slot smallint` as const
const PLACES = rowSet(PLACE, [...REF_KEY, 'slot'])
const WANTED = rowSet(`${PLACE}, name text, due_at bigint`, [...REF_KEY, 'slot'])

const DUE = `select channel_id as "channelId", number, slot, name, tries from pictures where due_at <= $1
  order by due_at desc, channel_id, number, slot limit $2`
const AT = 'channel_id = $1 and number = $2 and slot = $3 and name = $4 and due_at is not null'
const KEEP = `update pictures set sha256 = decode($5, 'hex'), due_at = null, tries = 0 where ${AT}`
const FAIL = `update pictures set tries = tries + $6, due_at = $5 where ${AT}`
const REFUSE = `update pictures set is_refused = true, due_at = null where ${AT}`
const MARK_OLD_UNUSED = `insert into loose_files select sha256 from pictures
  where channel_id = $1 and number = $2 and slot = $3 and sha256 <> decode($4, 'hex') on conflict do nothing`
const MARK_UNUSED = `insert into loose_files values (decode($1, 'hex')) on conflict do nothing`
const UNMARK = 'delete from loose_files where sha256 = any($1::bytea[])'
const UNMARK_USED = `delete from loose_files l
  where exists (select 1 from pictures p where p.sha256 = l.sha256)`
const UNUSED = `select encode(sha256, 'hex') as sha256 from loose_files order by loose_files.sha256 limit $1`
const WANT_AGAIN = 'update pictures set sha256 = null, due_at = $2 where sha256 = any($1::bytea[])'
const REMOVE_FILES = 'delete from picture_files where sha256 = any($1::bytea[])'
const ADD_FILE = `insert into picture_files values (decode($1, 'hex'), $2, $3, $4, $5, $6) on conflict do nothing`
const FILE_COLUMNS = `encode(f.sha256, 'hex') as sha256, f.type, f.bytes, f.width, f.height`
const OF = `select p.channel_id as "channelId", p.number, p.slot, p.name, ${FILE_COLUMNS} from ${REFS.from()}
  join pictures p on ${REFS.is('p')}
  join picture_files f on f.sha256 = p.sha256 order by p.channel_id, p.number, p.slot`
const FILE = `select ${FILE_COLUMNS} from picture_files f
  where f.sha256 = decode($1, 'hex') and exists (select 1 from pictures p where p.sha256 = f.sha256)`
const SAMPLE = `select ${FILE_COLUMNS} from picture_files f order by f.sha256 limit $1`
const HELD = `select distinct encode(sha256, 'hex') as sha256 from pictures where sha256 = any($1::bytea[])`
const SPEND = `insert into picture_days as d values ($1, $2)
  on conflict (day) do update set bytes = d.bytes + excluded.bytes`
const sumOf = (name: string) =>
  `coalesce(sum(value) filter (where name = 'pictures/${name}'), 0)::float8 as ${name}`
const TOTALS = `select ${['files', 'bytes', 'waiting', 'missing'].map(sumOf).join(', ')},
  coalesce((select bytes from picture_days where day = $1), 0)::float8 as "dayBytes"
  from totals where name >= 'pictures/' and name < 'pictures0'`
const MOVE = `update pictures p set channel_id = $3, number = $4 where channel_id = $1 and number = $2
  and not exists (select 1 from pictures o where o.channel_id = $3 and o.number = $4 and o.slot = p.slot)`
const DROP = `with gone as (delete from pictures p using ${REFS.from()}
    where ${REFS.is('p')} and (p.channel_id, p.number, p.slot) not in
      (select * from unnest($3::int[], $4::int[], $5::smallint[])) returning p.sha256)
  insert into loose_files select distinct sha256 from gone where sha256 is not null on conflict do nothing`
const MARK_RENAMED_UNUSED = `insert into loose_files select distinct p.sha256 from pictures p join ${WANTED.from()} on ${WANTED.is('p')}
  where p.name <> r.name and p.number <> 0 and p.sha256 is not null on conflict do nothing`
// A channel's own picture (number 0) keeps its old file until the next one is fetched.
const WANT = `insert into pictures as p (${WANTED.columns}) select * from ${WANTED.from()}
  on conflict (channel_id, number, slot) do update set name = excluded.name, due_at = excluded.due_at,
    tries = case when p.name = excluded.name then p.tries else 0 end, is_refused = false,
    sha256 = case when p.name <> excluded.name and p.number <> 0 then null else p.sha256 end
  where p.name <> excluded.name
    or (p.sha256 is null and p.due_at is null and not p.is_refused and p.tries < ${MAX_TRIES})`
