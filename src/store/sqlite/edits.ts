import type { Edit } from '../../model/edit.ts'
import { isPostNumber, type PostRef, type PostVersion } from '../../model/post.ts'
import {
  packKinds,
  packNamed,
  unpackEdit,
  unpackEditHead,
  type EditRow,
  type EditHeadRow,
} from '../edit-rules.ts'
import { walkEdits } from '../walk-edits.ts'
import type { EditQuery, Edits, EditTexts } from '../edits.ts'
import type { Writes } from '../plan/rows.ts'
import { unpackVersion, type PackedVersion } from '../post-codec.ts'
import type { Database } from './database.ts'
import { KEY_SPAN, keyOf, keyOfRef, refOfKey } from './post-codec.ts'

export function createEdits(db: Database): Edits {
  return {
    list: (query) =>
      walkEdits(query, (channelId, [value, id, number, revision], limit) =>
        db.read(() => {
          const channel = channelId === null ? [] : [channelId]
          const values = [...channel, value, id * KEY_SPAN + number, revision, limit]
          const rows = db.all<Keyed<EditHeadRow>>(stepSql(query.order, channelId), ...values)
          return rows.map((row) => unpackEditHead(refOfKey(row.key), row))
        }),
      ),
    ofPost: (ref, latest) =>
      db.read(() => (isPostNumber(ref.number) ? loadEdits(db, ref, latest) : [])),
    texts: (edits) => db.read(() => edits.map((edit) => textsOf(db, edit))),
  }
}

/** Oldest first. `latest` limits them to the latest edits. */
export function loadEdits(db: Database, { channelId, number }: PostRef, latest = -1): Edit[] {
  return db
    .all<Keyed<EditRow>>(OF_POST, keyOf(channelId, number), latest)
    .toReversed()
    .map((row) => unpackEdit(refOfKey(row.key), row))
}

/** Called after the posts themselves are written. */
export function writeEdits(db: Database, writes: Writes): void {
  for (const ref of writes.undeleted) db.run(UNDELETE, keyOfRef(ref))
  for (const { channelId, number, revision, at, kinds, named } of writes.edits) {
    const key = keyOf(channelId, number)
    db.run(SAVE, key, revision, channelId, at, packKinds(kinds), packNamed(named))
  }
  for (const { post } of [...writes.added, ...writes.moved, ...writes.counted]) {
    if (post.revision === 1 && post.deletedAt === null) continue
    const views = post.views?.value ?? -1
    db.run(SEE, views, keyOfRef(post), views)
  }
}

function textsOf(db: Database, { channelId, number, revision, kinds }: Edit): EditTexts {
  if (kinds.includes('deleted')) return { before: null, next: null }
  const key = keyOf(channelId, number)
  const versionAt = (sql: string): PostVersion | null => {
    const row = db.get<PackedVersion>(sql, key, revision)
    return row ? unpackVersion(row) : null
  }
  return { before: versionAt(REPLACED), next: versionAt(NEXT) }
}

type Keyed<Row> = Row & { readonly key: number }

const COLUMNS = 'e.key, e.revision, e.at, e.kinds, e.named'
const stepSql = (order: EditQuery['order'], channelId: number | null) => {
  const value = order === 'newest' ? 'e.at' : 'e.views'
  return `select ${COLUMNS}, e.views, p.language, p.flags from edits e cross join posts p on p.key = e.key
    where ${channelId === null ? '' : 'e.channel_id = ? and'} (${value}, e.key, e.revision) < (?, ?, ?)
    order by ${value} desc, e.key desc, e.revision desc limit ?`
}
const OF_POST = `select ${COLUMNS} from edits e where key = ? order by revision desc limit ?`
const SAVE = `insert or replace into edits (key, revision, channel_id, at, kinds, named) values (?, ?, ?, ?, ?, ?)`
const SEE = 'update edits set views = ? where key = ? and views <> ?'
const UNDELETE = 'delete from edits where key = ? and kinds & 64 <> 0'
const REPLACED =
  'select captured_at, text, sha256 from post_versions where key = ? and revision = ?'
const NEXT = `select captured_at, text, sha256 from post_versions where key = ? and revision > ?
  order by revision limit 1`
