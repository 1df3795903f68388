import type { PostRef } from '../../model/post.ts'
import type { Cluster } from '../../model/query.ts'
import type { Expr } from '../expr.ts'
import type { SearchResponse, ResponseHit } from './engine-session.ts'
import { matchingOf, type Search } from './search.ts'
import { idOf } from './indexed-posts.ts'
import { LIVE } from './mapping.ts'
import { EARLIEST, type Query } from './query-dsl.ts'

/** How many pages are searched for posts to show when copies fill them. */
export const MAX_LOOKS = 8

/** A post that may be in a group. */
export interface Grouped extends PostRef {
  readonly group: number | null
}

export const groupOf = ({ fields }: ResponseHit) =>
  (fields?.['grp']?.[0] as number | undefined) ?? null

export function groupsOf(posts: readonly Grouped[]): number[] {
  return [...new Set(posts.flatMap(({ group }) => (group === null ? [] : [group])))]
}

/** Asks for the earliest member of each group that matches, with these fields. */
export function firstsBody(
  search: Search,
  groups: readonly number[],
  options: {
    readonly expr?: Expr | null
    readonly maxSeq?: number
    /** Fields to ask for instead of the group alone. */
    readonly fields?: object
  } = {},
): Query {
  const { fields = { docvalue_fields: ['grp'] }, ...narrowing } = options
  return {
    query: matchingOf(search, { ...narrowing, more: [{ terms: { grp: groups } }] }),
    collapse: { field: 'grp' },
    sort: EARLIEST,
    size: groups.length,
    track_total_hits: false,
    ...fields,
  }
}

/** Reads the answer to `firstsBody`, by group. */
export function firstsOf({ hits: { hits = [] } }: SearchResponse): Map<number, PostRef> {
  return new Map(hits.map((hit) => [groupOf(hit)!, refOf(hit)]))
}

/** What is known of groups, by group number. */
export interface KnownGroups {
  readonly clusters: Map<number, Cluster>
  /** The earliest member of each group that matches. */
  readonly firsts: Map<number, PostRef>
}

/** Keeps only the earliest matching member of each group, and records what it learns of the groups. */
export async function withoutCopies<Post extends Grouped>(
  search: Search,
  found: readonly Post[],
  { clusters, firsts }: KnownGroups,
  maxSeq = Infinity,
): Promise<readonly Post[]> {
  const groups = groupsOf(found).filter((group) => !firsts.has(group))
  if (groups.length > 0) {
    const bodies = [firstsBody(search, groups, { maxSeq }), clustersBody(search, groups)]
    const [earliest, told] = await search.session.search(bodies)
    noteClusters(told!, clusters)
    for (const [group, first] of firstsOf(earliest!)) firsts.set(group, first)
  }
  return found.filter((post) => {
    const first = post.group === null ? undefined : firsts.get(post.group)
    return !first || (first.channelId === post.channelId && first.number === post.number)
  })
}

/** Excludes all members of known groups but the earliest. Otherwise one group of many members could fill every page. */
export function copiesIn({ firsts }: KnownGroups): Query[] {
  if (firsts.size === 0) return []
  const shown = { ids: { values: [...firsts.values()].map(idOf) } }
  return [{ bool: { filter: [{ terms: { grp: [...firsts.keys()] } }], must_not: [shown] } }]
}

export function noteClusters(told: SearchResponse, clusters: Map<number, Cluster>): void {
  for (const [group, cluster] of clustersOf(told)) clusters.set(group, cluster)
}

/** Of hits sorted by time alone. */
function refOf({ sort = [] }: ResponseHit): PostRef {
  return { channelId: sort[1]!, number: sort[2]! }
}

/** Asks for groups within the whole window, whatever was searched for. */
export function clustersBody(
  { windowS }: Pick<Search, 'windowS'>,
  groups: readonly number[],
): Query {
  const filter = [
    { term: { live: LIVE } },
    { range: { sec: { gte: windowS } } },
    { terms: { grp: groups } },
  ]
  return {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter } },
    aggs: {
      groups: {
        terms: { field: 'grp', size: groups.length, shard_size: groups.length },
        aggs: {
          channels: { cardinality: { field: 'ch' } },
          first: { top_hits: { size: 1, sort: EARLIEST, stored_fields: '_none_' } },
        },
      },
    },
  }
}

interface GroupBucket {
  readonly key: number
  readonly doc_count: number
  readonly channels: { readonly value: number }
  readonly first: { readonly hits: { readonly hits: readonly ResponseHit[] } }
}

/** Reads the answer to `clustersBody`, by group; a group of one post is left out. */
export function clustersOf({ aggregations }: SearchResponse): Map<number, Cluster> {
  const { buckets } = (aggregations?.['groups'] ?? { buckets: [] }) as {
    buckets: readonly GroupBucket[]
  }
  const clusters = buckets.flatMap(({ key, doc_count: size, channels, first }) => {
    if (size < 2) return []
    const cluster = {
      id: String(key),
      size,
      channels: channels.value,
      first: refOf(first.hits.hits[0]!),
    }
    return [[key, cluster] as const]
  })
  return new Map(clusters)
}
