import type { Fault, Surface } from './faults.ts'
import { type SimChannel, valueAt } from './population.ts'
import { renderEmbed, renderPostPage } from './render-embed.ts'
import { renderMore, renderPage } from './render-page.ts'
import { landingFrame, renderContactPage, renderProfile } from './render-profile.ts'
import type { Named } from './ground.ts'
import type { World } from './world.ts'

/** What a request asks for, by its address. */
interface Route {
  readonly surface: Surface
  readonly name: string | null
  readonly number: number | null
  readonly query: URLSearchParams
  readonly pathname: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface AnswerContext {
  readonly world: World
  readonly at: number
  /** The simulator's own address, for redirects to itself. */
  readonly origin: string
  /** True for the request by which the page's script loads more posts. */
  readonly isAjax: boolean
  readonly fault: Fault | null
}

const NAME = /^[A-Za-z][A-Za-z0-9_]{3,31}$/
const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

export function readRoute(target: string): Route {
  let url: URL
  try {
    url = new URL(target, 'http://simulator')
  } catch {
    return {
      surface: 'other',
      name: null,
      number: null,
      query: new URLSearchParams(),
      pathname: '/',
    }
  }
  const parts = url.pathname.split('/').filter(Boolean)
  const isPage = parts[0] === 's' && parts.length > 1
  const [name, number] = isPage ? parts.slice(1) : parts
  const wanted = number !== undefined && /^\d{1,10}$/.test(number) ? Number(number) : null
  const isEmbed = url.searchParams.get('embed') === '1'
  const surface: Surface = isPage
    ? 'page'
    : name === undefined || !NAME.test(name)
      ? 'other'
      : wanted === null
        ? 'profile'
        : isEmbed
          ? 'embed'
          : 'post'
  return {
    surface,
    name: name ?? null,
    number: wanted,
    query: url.searchParams,
    pathname: url.pathname,
  }
}

/** The platform's answer to a request, with those faults applied that change the page itself. */
export function answer(route: Route, context: AnswerContext): Answer {
  const { at, fault } = context
  const age = fault?.kind === 'stale' ? (fault.staleMs ?? 3_600_000) : 0
  const given = answerOf(route, { ...context, at: at - age })
  if (fault?.kind !== 'layout_drift') return given
  return { ...given, body: drifted(given.body, fault) }
}

function answerOf(route: Route, context: AnswerContext): Answer {
  const { world, at, fault } = context
  const { name } = route
  if (route.pathname.startsWith('/v/')) return html('true')
  if (name !== null && (name.startsWith('+') || name === 'joinchat')) return html(invite(context))
  if (name === null || !NAME.test(name)) return redirect('https://telegram.org/')
  if (fault?.kind === 'contact_page') {
    return html(renderContactPage({ world, named: undefined, name, at }))
  }
  const named = namedUnder(world.resolve(name, at), context)
  switch (route.surface) {
    case 'page':
      return page(route, context, named, name)
    case 'embed':
      return html(
        renderEmbed({
          world,
          named,
          name,
          number: route.number ?? 0,
          at,
          single: route.query.has('single'),
        }),
      )
    case 'post':
      if (named?.kind === 'channel' && valueAt(named.access, at).state === 'open') {
        const number = route.number ?? 0
        return html(renderPostPage({ world, named, name, number, at, single: false }))
      }
      return html(renderProfile({ world, named, name, at }))
    default:
      return html(renderProfile({ world, named, name, at }))
  }
}

/** Who has the name under the fault, if any. */
function namedUnder(
  named: Named | undefined,
  { fault, world, at }: AnswerContext,
): Named | undefined {
  if (fault?.kind === 'renamed') return undefined
  if (named?.kind !== 'channel') return named
  if (fault?.kind === 'blocked') {
    const words = 'This channel is unavailable due to copyright infringement.'
    return { ...named, access: [{ from: 0, value: { state: 'withheld', words } }] }
  }
  if (fault?.kind === 'preview_off') {
    return { ...named, access: [{ from: 0, value: { state: 'preview_off' } }] }
  }
  if (fault?.kind === 'reassigned') {
    const others = world.channels.filter(
      (other) => other !== named && valueAt(other.access, at).state === 'open' && !other.scripted,
    )
    return others[named.index % others.length]
  }
  return named
}

function page(
  route: Route,
  context: AnswerContext,
  named: Named | undefined,
  name: string,
): Answer {
  const { world, at, fault } = context
  if (named?.kind !== 'channel' || valueAt(named.access, at).state !== 'open') {
    return redirect(`${context.origin}/${name}`)
  }
  const view = {
    world,
    channel: named satisfies SimChannel,
    requestedName: name,
    at,
    request: {
      before: cursor(route.query.get('before')),
      after: cursor(route.query.get('after')),
      around: route.number,
      q: route.query.get('q') || null,
    },
    withhold: fault?.kind === 'soft_throttle',
  }
  if (context.isAjax) {
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: renderMore(view),
    }
  }
  return html(renderPage(view))
}

/** Anything but a positive whole number means the newest page. */
function cursor(value: string | null): number | null {
  if (value === null || !/^\d{1,10}$/.test(value)) return null
  return Number(value) > 0 ? Number(value) : null
}

/** The page after the platform renamed parts of it. */
function drifted(page: string, { drift = 'everything' }: Fault): string {
  switch (drift) {
    case 'text':
      return page.replace(/tgme_widget_message_text|js-message_text/g, 'tgx_words')
    case 'time':
      return page.replace(/ datetime="[^"]*"/g, '')
    case 'everything':
      return page.replace(/tgme_widget_message/g, 'tgx_item').replace(/data-post=/g, 'data-item=')
  }
}

function html(body: string): Answer {
  return { status: 200, headers: HTML, body }
}

function redirect(location: string): Answer {
  return { status: 302, headers: { ...HTML, location }, body: '' }
}

function invite({ world }: AnswerContext): string {
  return landingFrame({
    title: 'Telegram: Join Group Chat',
    robots: '<meta name="robots" content="noindex, nofollow">',
    meta: '',
    body: '<div class="tgme_page_description" dir="auto">You are invited to a group chat on <strong>Telegram</strong>. Click to join.</div>',
    closing: `<!-- page generated in ${(world.seed % 90) + 1}.00ms -->`,
  })
}
