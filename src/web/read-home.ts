import type { Context } from '../operations/context.ts'
import { readEmptyIndex } from './empty-index.ts'
import type { Home } from './home-page.ts'
import { coverageLine } from './search-page.ts'

const LANGUAGES = 8

/** What the first page tells of the index. */
export async function readHome(ctx: Context, now: number): Promise<Home> {
  const [empty, state, lagS, languages] = await Promise.all([
    readEmptyIndex(ctx, now),
    ctx.overview.index(),
    ctx.overview.lagS(),
    ctx.overview.languages(),
  ])
  const newest = state.newestPostAt
  const coverage = {
    channels: state.channels,
    posts: state.posts,
    newest_post_at: newest === null ? null : new Date(newest).toISOString(),
    index_lag_s: lagS,
    complete: true,
    reason: null,
  }
  return {
    coverage: empty ?? coverageLine(coverage, now, 'Searches'),
    languages: languages
      .toSorted((a, b) => b.posts30d - a.posts30d)
      .slice(0, LANGUAGES)
      .map(({ code }) => code),
  }
}
