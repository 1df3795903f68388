import type { ArchivedPostView } from '../../operations/views/archived-post.ts'
import type { ExportedPicture } from '../../operations/views/read-pictures.ts'

/** A post as it is exported. */
export type ExportedPost = ArchivedPostView & { readonly pictures?: readonly ExportedPicture[] }

/** Posts as a table: the columns of CSV and Parquet, in this order. Times are epoch milliseconds. */

export type ColumnType = 'text' | 'integer' | 'boolean' | 'time' | 'list' | 'json'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  value(post: ExportedPost): CellValue
}

export type CellValue = string | number | boolean | readonly string[] | object | null

const time = (text: string | undefined) => (text === undefined ? null : Date.parse(text))

const COLUMNS: readonly Column[] = [
  { name: 'id', type: 'text', value: (post) => post.id },
  { name: 'url', type: 'text', value: (post) => post.url },
  { name: 'channel', type: 'text', value: (post) => post.channel.username },
  { name: 'channel_title', type: 'text', value: (post) => post.channel.title },
  {
    name: 'subscribers',
    type: 'integer',
    value: (post) => post.channel.subscribers?.value ?? null,
  },
  { name: 'published_at', type: 'time', value: (post) => time(post.published_at) },
  { name: 'kind', type: 'text', value: (post) => post.kind },
  { name: 'edited', type: 'boolean', value: (post) => post.edited },
  { name: 'language', type: 'text', value: (post) => post.language },
  { name: 'text', type: 'text', value: (post) => post.text },
  { name: 'views', type: 'integer', value: (post) => post.views?.value ?? null },
  {
    name: 'reactions',
    type: 'integer',
    value: (post) => post.reactions.reduce((sum, { count }) => sum + count.value, 0),
  },
  {
    name: 'media',
    type: 'list',
    value: ({ media, poll }) => [...media.map(({ kind }) => kind), ...(poll ? ['poll'] : [])],
  },
  { name: 'links', type: 'list', value: (post) => post.links },
  { name: 'hashtags', type: 'list', value: (post) => post.hashtags },
  { name: 'mentions', type: 'list', value: (post) => post.mentions },
  {
    name: 'forwarded_from',
    type: 'text',
    value: ({ forwarded_from: from }) => from && (from.username ?? from.name),
  },
  { name: 'forwarded_url', type: 'text', value: (post) => post.forwarded_from?.post_url ?? null },
  { name: 'reply_to', type: 'text', value: (post) => post.reply_to?.url ?? null },
  { name: 'author', type: 'text', value: (post) => post.author },
  { name: 'album_ids', type: 'list', value: (post) => post.album_ids },
  { name: 'poll', type: 'json', value: (post) => post.poll },
  { name: 'incomplete', type: 'text', value: (post) => post.incomplete ?? null },
  { name: 'content_sha256', type: 'text', value: (post) => post.evidence.content_sha256 },
  {
    name: 'first_captured_at',
    type: 'time',
    value: (post) => time(post.evidence.first_captured_at),
  },
  { name: 'last_captured_at', type: 'time', value: (post) => time(post.evidence.last_captured_at) },
  { name: 'deleted_at', type: 'time', value: (post) => time(post.deleted_at) },
  { name: 'capture', type: 'text', value: (post) => post.evidence.capture },
  { name: 'parser_version', type: 'integer', value: (post) => post.evidence.parser_version },
  { name: 'revision', type: 'integer', value: (post) => post.evidence.revision },
]

const VERSIONS: Column = { name: 'versions', type: 'json', value: (post) => post.versions ?? [] }

const PICTURES: Column = {
  name: 'pictures',
  type: 'list',
  value: (post) => (post.pictures ?? []).map(({ file }) => file),
}

export function columnsOf(wanted: {
  readonly versions: boolean
  readonly pictures: boolean
}): readonly Column[] {
  return [
    ...COLUMNS,
    ...(wanted.versions ? [VERSIONS] : []),
    ...(wanted.pictures ? [PICTURES] : []),
  ]
}
