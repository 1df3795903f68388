import { AppError, asAppError } from '../model/errors.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import { isBrief } from '../operations/views/post.ts'
import type { Parameters } from './address.ts'
import { unlessUnavailable, type Ask, type PageContext } from './ask.ts'
import { changesPage } from './changes-page.ts'
import { channelPage } from './channel-page.ts'
import { directoryPage } from './directory-page.ts'
import { whyNothing } from './why-nothing.ts'
import { followPage } from './follow-page.ts'
import type { Front } from './front.ts'
import { homePage } from './home-page.ts'
import type { Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { limitsPage } from './limits-page.ts'
import { livePage } from './live-page.ts'
import { postPage } from './post-page.ts'
import { helpPage } from './query-help.ts'
import { PAGE_FACETS, searchPage } from './search-page.ts'
import { statusPage } from './status-page.ts'
import type { Hit, Spread } from './views.ts'

/** One request for a page. */
interface Visit {
  readonly ask: Ask
  /** The parameters of the path. */
  readonly names: Readonly<Record<string, string>>
  readonly parameters: Parameters
  readonly context: RenderContext
  /** The contents of the home page. */
  readonly front: () => Promise<Front | undefined>
}

/** Every page by its path: each calls the same operations as the API and renders their replies as HTML. */
export const PAGES: Readonly<Record<string, (visit: Visit) => Page | Promise<Page>>> = {
  '/': (visit) => (asksForNothing(visit.parameters) ? home(visit) : search(visit)),
  '/channels': directory,
  '/changes': changes,
  '/channels/:username': channel,
  '/channels/:username/live': live,
  '/channels/:username/posts/:slug': post,
  '/follow': ({ parameters }) => followPage(parameters),
  '/help': () => helpPage(),
  '/limits': async ({ ask }) => limitsPage((await ask(TYPED_CATALOGUE.get_meta, {})).data),
  '/status': async ({ ask, context }) =>
    statusPage((await ask(TYPED_CATALOGUE.get_status, {})).data, context.now),
}

/** Parameters that say how to search, not what for. They stay in the address when the last word or filter is removed. */
const HOW = new Set(['sort', 'collapse', 'match', 'strict', 'tz', 'limit', 'cursor'])

function asksForNothing(parameters: Parameters): boolean {
  return Object.keys(parameters).every((name) => HOW.has(name))
}

async function home({ ask, context, front }: Visit): Promise<Page> {
  // Alone and first, because it is refused where a key is needed.
  const status = await ask.also(TYPED_CATALOGUE.get_status, {})
  const [languages, found] = await Promise.all([
    ask.also(TYPED_CATALOGUE.list_languages, {}),
    front(),
  ])
  return homePage({ status: status.data, languages: languages.data, front: found, context })
}

async function search({ ask, parameters, context }: Visit): Promise<Page> {
  // Requested on every page, because a cursor is bound to all parameters.
  const asked = { ...parameters, facets: PAGE_FACETS }
  const { data, meta, warnings } = await ask(TYPED_CATALOGUE.search_posts, asked)
  const hits = Array.isArray(data) ? data.filter(isBrief) : []
  const copies = await copiesOf(ask, hits)
  const empty =
    hits.length > 0 ? null : whyNothing((await ask.also(TYPED_CATALOGUE.get_status, {})).data)
  return searchPage({ parameters, hits, copies, meta, warnings, empty, context })
}

/** How many copies of a post are shown, under a hit and on the post's own page. */
const IN_A_LIST = 5
const ON_A_POST = 12
/** How many hits list their copies: each is looked up without being charged, and a page may have a hundred hits. */
const LISTED = 20

/** The groups of collapsed hits, by the hit's id; without those that are gone since the search. */
async function copiesOf(ask: Ask, hits: readonly Hit[]): Promise<ReadonlyMap<string, Spread>> {
  const grouped = hits
    .filter((hit) => hit.cluster !== undefined && hit.cluster.size > 1)
    .slice(0, LISTED)
  const found = await Promise.all(
    grouped.map(async ({ id, channel, slug }) => {
      const asked = { username: channel.username, slug, limit: IN_A_LIST, links: 'exclude' }
      const spread = await ask.also(TYPED_CATALOGUE.get_spread, asked).catch(asAppError)
      return spread instanceof AppError ? [] : [[id, spread.data] as const]
    }),
  )
  return new Map(found.flat())
}

async function changes({ ask, parameters, context }: Visit): Promise<Page> {
  const { data, meta, warnings } = await ask(TYPED_CATALOGUE.list_changes, parameters)
  return changesPage({ parameters, changes: data, next: meta.next_cursor, warnings, context })
}

async function directory({ ask, parameters, context }: Visit): Promise<Page> {
  const { data, meta, warnings } = await ask(TYPED_CATALOGUE.list_channels, parameters)
  return directoryPage({ parameters, channels: data, next: meta.next_cursor, warnings, context })
}

async function channel({ ask, names, parameters, context }: Visit): Promise<Page> {
  // The posts are what is charged, because a mistake in their parameters costs nothing.
  const posts = await ask(TYPED_CATALOGUE.list_channel_posts, { ...parameters, ...names })
  const profile = await ask.also(TYPED_CATALOGUE.get_channel, names)
  return channelPage({
    profile: profile.data,
    posts: posts.data.filter(isBrief),
    next: posts.meta.next_cursor,
    parameters,
    warnings: profile.warnings,
    // A renaming is mentioned only once, by the profile's warnings.
    notes: posts.warnings.filter(({ code }) => code !== 'renamed'),
    context,
  })
}

async function live({ ask, names, parameters, context }: Visit): Promise<Page> {
  const reply = await ask(TYPED_CATALOGUE.get_live_channel, { ...parameters, ...names })
  return livePage({ live: reply.data, parameters, warnings: reply.warnings, context })
}

async function post({ ask, names, context }: Visit): Promise<Page> {
  const { data, warnings } = await ask(TYPED_CATALOGUE.get_post, names)
  const spread = await ask
    .also(TYPED_CATALOGUE.get_spread, { ...names, limit: ON_A_POST })
    .catch(unlessUnavailable)
  return postPage({ post: data, spread: spread?.data, warnings, context })
}

const sectionOf = (path: string) => path.split('/', 2)[1]
const SECTIONS = new Set(Object.keys(PAGES).map(sectionOf))

/** Whether such a path belongs to pages only. */
export function isPage(path: string): boolean {
  return SECTIONS.has(sectionOf(path))
}

/** Parameters that shape the API's reply; a page chooses them itself. */
const SHAPES = new Set(['detail', 'explain', 'facets', 'format', 'max_chars'])

/** Tracking parameters that sites and newsletters add to every shared address; pages ignore them. */
const TRACKERS = /^(?:utm_\w+|\w*clid|msclkid|igsh(?:id)?|mc_[ce]id)$/

/** Repeated parameters are joined; empty or blank ones, as forms send them, count as not given. */
export function parametersOf(c: PageContext): Parameters {
  return Object.fromEntries(
    Object.entries(c.req.queries())
      .map(([name, values]) => [name, values.filter((v) => v.trim() !== '').join(',')] as const)
      .filter(([name, value]) => value !== '' && !SHAPES.has(name) && !TRACKERS.test(name)),
  )
}
