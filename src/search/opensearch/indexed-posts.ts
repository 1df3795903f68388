import type { PostRef } from '../../model/post.ts'
import { bucketOf } from '../bucket.ts'
import type { Client } from './client.ts'
import { ask } from './control.ts'
import { LIVE, type Source } from './mapping.ts'
import { ORDERS } from './query-dsl.ts'

/** A post as a generation holds it. */
export type IndexedPost = Pick<
  Source,
  'sec' | 'rev' | 'print' | 'seq' | 'prior' | 'views' | 'reactions' | 'copy' | 'grp'
> & {
  /** Only present if asked for. */
  readonly source?: Source
}

export const idOf = ({ channelId, number }: PostRef) => `${channelId}:${number}`
export const weekOf = ({ sec }: Pick<Source, 'sec'>) => bucketOf(sec)

const COLUMNS = ['sec', 'rev', 'print', 'seq', 'prior', 'views', 'reactions', 'copy', 'grp']
/** Page size, of ids asked for and of the posts of a channel. */
const PAGE = 1_000

interface Hit {
  readonly _id: string
  readonly _source?: Source
  readonly sort?: readonly unknown[]
  readonly fields: Readonly<Record<string, readonly [number | boolean]>>
}

/** What the weeks of a generation hold of these posts, by id: one version each, unless a write was interrupted. */
export async function indexedPosts(
  client: Client,
  weeks: string,
  ids: readonly string[],
  { sources = false } = {},
): Promise<Map<string, IndexedPost[]>> {
  const indexed = new Map<string, IndexedPost[]>()
  for (let at = 0; at < ids.length; at += PAGE) {
    const filter = [{ ids: { values: ids.slice(at, at + PAGE) } }, { term: { live: LIVE } }]
    // Two hits per id: a post is in two weeks at most, until the next batch that contains it.
    const body = {
      query: { bool: { filter } },
      size: 2 * PAGE,
      _source: sources,
      docvalue_fields: COLUMNS,
    }
    for (const hit of await searchAll(client, weeks, body)) {
      const list = indexed.get(hit._id) ?? []
      indexed.set(hit._id, [...list, indexedPostOf(hit)])
    }
  }
  return indexed
}

/** All posts of these channels, page by page. */
export async function* indexedPostsOfChannels(
  client: Client,
  weeks: string,
  channels: readonly number[],
): AsyncGenerator<
  readonly { readonly id: string; readonly ref: PostRef; readonly indexed: IndexedPost }[]
> {
  const filter = [{ terms: { ch: channels } }, { term: { live: LIVE } }]
  let after: readonly unknown[] | undefined
  for (;;) {
    const hits = await searchAll(client, weeks, {
      query: { bool: { filter } },
      size: PAGE,
      _source: false,
      docvalue_fields: COLUMNS,
      sort: ORDERS.newest,
      ...(after && { search_after: after }),
    })
    yield hits.map((hit) => {
      const [channelId = 0, number = 0] = hit._id.split(':').map(Number)
      return { id: hit._id, ref: { channelId, number }, indexed: indexedPostOf(hit) }
    })
    if (hits.length < PAGE) return
    after = hits.at(-1)!.sort
  }
}

/** Closed indices are asked as well, and refuse: what they hold would otherwise count as not there, and stay when removed. */
async function searchAll(client: Client, weeks: string, body: object): Promise<readonly Hit[]> {
  const path = `/${weeks}/_search?allow_partial_search_results=false&expand_wildcards=open,closed`
  const { hits } = await ask<{ hits: { hits: readonly Hit[] } }>(client, 'POST', path, body)
  return hits.hits
}

function indexedPostOf({ fields, _source: source }: Hit): IndexedPost {
  const indexed = Object.fromEntries(COLUMNS.map((name) => [name, fields[name]?.[0]]))
  return { ...(indexed as unknown as IndexedPost), ...(source && { source }) }
}
