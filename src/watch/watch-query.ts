import { AppError } from '../model/errors.ts'
import { inputError } from '../operations/input-error.ts'
import { searchInput, type SearchInput } from '../operations/search-input.ts'
import { readSearch, withOpenWindow, type ReadSearch } from '../operations/search-query.ts'
import type { Context } from '../operations/context.ts'
import type { Watch } from '../model/watch.ts'

/** Parameters of `/search` that have no meaning for a watch, which waits for future posts. */
export const NOT_WATCHED = [
  'sort',
  'since',
  'until',
  'arrived_since',
  'facets',
  'detail',
  'max_chars',
  'explain',
  'limit',
  'cursor',
  'collapse',
  'format',
] as const

/** A search that finds every post: a filter that all posts pass. */
export const EVERYTHING = { min_views: '0' } as const

/** Reads a watch's parameters as `/search` does, with the same errors. */
function readWatchInput(query: Watch['query']): SearchInput {
  const given = NOT_WATCHED.find((name) => name in query)
  if (given !== undefined)
    throw new AppError('invalid_parameter', `\`${given}\` has no meaning for a watch`)
  const read = searchInput.safeParse(query)
  if (read.success) return read.data
  throw inputError(read.error, { name: 'search_posts', input: searchInput })
}

/** The search of a watch, without bounds in time: a watch waits for all future posts. */
export async function readWatch(ctx: Context, query: Watch['query']): Promise<ReadSearch> {
  const search = await readSearch(ctx, readWatchInput(query))
  const { since, until } = search.asked
  if (since !== null || until !== null)
    throw new AppError('invalid_query', '`after:` and `before:` have no meaning for a watch')
  return { ...search, query: withOpenWindow(search) }
}
