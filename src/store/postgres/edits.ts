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
import { hexOf } from '../post-codec.ts'
import { isId } from './channel-rows.ts'
import type { Database, Queries } from './database.ts'
import { ASKED, listsOf } from './post-rows.ts'
import { REF, REFS, REF_KEY, unpackRef, type StoredRef } from './refs.ts'
import { rowSet } from './row-set.ts'

export function createEdits(db: Database): Edits {
  return {
    list: (query) =>
      walkEdits(query, async (channelId, position, limit) => {
        if (channelId !== null && !isId(channelId)) return []
        const values = [...position, limit, ...(channelId === null ? [] : [channelId])]
        const rows = await db.all<Placed<EditHeadRow>>(stepSql(query.order, channelId), ...values)
        return rows.map((row) => unpackEditHead(unpackRef(row), row))
      }),
    async ofPost({ channelId, number }, latest) {
      if (!isId(channelId) || !isPostNumber(number)) return []
      const rows = await db.all<Placed<EditRow>>(OF_POST, channelId, number, latest ?? null)
      return rows.toReversed().map((row) => unpackEdit(unpackRef(row), row))
    },
    texts: (edits) => textsOf(db, edits),
  }
}

/** Edits of the given posts, in the order asked, and of each post the oldest first. */
export async function loadEdits(queries: Queries, refs: readonly PostRef[]): Promise<Edit[]> {
  return (await queries.all<Placed<EditRow>>(OF_POSTS, ...listsOf(refs))).map((row) =>
    unpackEdit(unpackRef(row), row),
  )
}

/** Called after the posts themselves are written. */
export async function writeEdits(tx: Queries, writes: Writes): Promise<void> {
  const edits = writes.edits.map((edit) => ({
    ...edit,
    kinds: packKinds(edit.kinds),
    named: packNamed(edit.named),
  }))
  const seen = [...writes.added, ...writes.moved, ...writes.counted]
    .filter(({ post }) => post.revision > 1 || post.deletedAt !== null)
    .map(({ post }) => ({ ...post, views: post.views?.value ?? -1 }))
  await Promise.all([
    tx.run(UNDELETE, ...REFS.values(writes.undeleted)),
    tx.run(SAVE, ...EDITS.values(edits)),
    tx.run(SEE, ...SEEN.values(seen)),
  ])
}

async function textsOf(db: Database, edits: readonly Edit[]): Promise<EditTexts[]> {
  const rows = await db.all<TextsRow>(
    TEXTS,
    ...listsOf(edits),
    edits.map(({ revision }) => revision),
  )
  const known = new Map(rows.map((row) => [row.place, row]))
  return edits.map(({ kinds }, i) => {
    const row = known.get(i + 1)
    if (!row || kinds.includes('deleted')) return { before: null, next: null }
    return {
      before: versionOf(row.captured_at, row.text, row.sha256),
      next: versionOf(row.next_captured_at, row.next_text, row.next_sha256),
    }
  })
}

function versionOf(
  capturedAt: number | null,
  text: string | null,
  sha256: Uint8Array | null,
): PostVersion | null {
  return capturedAt === null || !sha256 ? null : { capturedAt, text, sha256: hexOf(sha256) }
}

type Placed<Row> = Row & StoredRef

interface TextsRow {
  readonly place: number
  readonly captured_at: number | null
  readonly text: string | null
  readonly sha256: Uint8Array | null
  readonly next_captured_at: number | null
  readonly next_text: string | null
  readonly next_sha256: Uint8Array | null
}

const EDITS = rowSet(`${REF}, revision int, at bigint, kinds smallint, named text`, [
  ...REF_KEY,
  'revision',
])
const SEEN = rowSet(`${REF}, views bigint`, REF_KEY)

const COLUMNS = 'e.channel_id, e.number, e.revision, e.at, e.kinds, e.named'
const stepSql = (order: EditQuery['order'], channelId: number | null) => {
  const value = order === 'newest' ? 'e.at' : 'e.views'
  return `select ${COLUMNS}, e.views, p.language, p.flags from edits e
    cross join lateral (select language, flags from posts p
      where p.channel_id = e.channel_id and p.number = e.number limit 1) p
    where ${channelId === null ? '' : 'e.channel_id = $6 and'}
      (${value}, e.channel_id, e.number, e.revision) < ($1::bigint, $2::int, $3::int, $4::int)
    order by ${value} desc, e.channel_id desc, e.number desc, e.revision desc limit $5`
}
const OF_POST = `select ${COLUMNS} from edits e where channel_id = $1 and number = $2
  order by revision desc limit $3`
const OF_POSTS = `select ${COLUMNS} from ${ASKED} join edits e on ${REFS.is('e')}
  order by r.place, e.revision`
const SAVE = EDITS.upsert('edits')
const SEE = `${SEEN.update('edits')} and t.views <> r.views`
const UNDELETE = `delete from edits e using ${REFS.from()} where ${REFS.is('e')} and e.kinds & 64 <> 0`
const TEXTS = `select r.place::int, v.captured_at, v.text, v.sha256,
    n.captured_at as next_captured_at, n.text as next_text, n.sha256 as next_sha256
  from unnest($1::int[], $2::int[], $3::int[]) with ordinality as r (channel_id, number, revision, place)
  left join lateral (select captured_at, text, sha256 from post_versions v where v.channel_id = r.channel_id
    and v.number = r.number and v.revision = r.revision limit 1) v on true
  left join lateral (select captured_at, text, sha256 from post_versions v where v.channel_id = r.channel_id
    and v.number = r.number and v.revision > r.revision order by revision limit 1) n on true`
