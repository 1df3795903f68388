import { parseChannelName } from '../model/channel-name.ts'
import { DAY_MS, MINUTE_MS } from '../model/time.ts'
import { addressWith, channelPath, type LinkTo, type Parameters } from './address.ts'
import { filterWords } from './filter-form.ts'
import { html, type Markup } from './markup.ts'
import type { SearchMeta } from './views.ts'

/** What to do when no post was found: remove a filter, or look in the channel itself. */
export function nothingFound(
  {
    parameters,
    meta,
    empty,
  }: {
    readonly parameters: Parameters
    readonly meta: SearchMeta
    /** Why nothing can be found at all, if that is so. */
    readonly empty: Markup | null
  },
  linkTo: LinkTo,
): Markup {
  if (empty !== null) return html`<p class="card">${empty}</p>`
  const { q, channel, match } = parameters
  const filters = filterWords(parameters).filter(({ name }) => name !== 'match')
  const unknown = new Set((meta.coverage?.not_indexed ?? []).map((item) => item.channel))
  return html`<div class="card nothing">
    <h3>No post ${isWhole(meta.window) ? 'of the last 30 days ' : ''}matches</h3>
    <ul>
      ${filters.map(
        ({ name, words }) =>
          html`<li>
            <a href="${linkTo({ [name]: undefined })}">Search without “<bdi>${words}</bdi>”</a>
          </li>`,
      )}
      ${filters.length > 1 && q !== undefined ? html`<li><a href="${addressWith('/', { q }, {})}">Search without any filter</a></li>` : ''}
      ${match === 'exact' ? html`<li><a href="${linkTo({ match: undefined })}">Find other word forms too</a></li>` : ''}
      ${namesIn(channel, q).map((name) => inChannel(name, q, unknown))}
      <li>Try fewer or other words; <a href="/help">all operators</a>.</li>
    </ul>
  </div>`
}

const WHOLE_MS = 30 * DAY_MS - MINUTE_MS

/** Whether all that can be searched was searched, whichever parameter or operator might have narrowed the window. */
function isWhole({ since, until }: SearchMeta['window']): boolean {
  return Date.parse(until) - Date.parse(since) >= WHOLE_MS
}

const MAX_CHANNELS = 3

/** The channels that the filter names, or that the words may mean. */
function namesIn(channel: string | undefined, q: string | undefined): string[] {
  const asked = (channel ?? '').split(',').flatMap((name) => parseChannelName(name) ?? [])
  if (asked.length > 0) return asked.slice(0, MAX_CHANNELS)
  const said = /^(?:@|(?:https?:\/\/)?t\.me\/(?:s\/)?)\w+$/i.test(q?.trim() ?? '')
  return said ? [parseChannelName(q!.trim())].flatMap((name) => name ?? []) : []
}

/** Links to the channel's whole archive with the same words or, if it is not indexed, to its live view. */
function inChannel(name: string, q: string | undefined, unknown: ReadonlySet<string>): Markup {
  const path = channelPath(name)
  const live = html`<a href="${path}/live" rel="nofollow">read @${name} live</a>`
  if (unknown.has(name)) return html`<li>@${name} is not indexed here; ${live}</li>`
  const words = q === undefined || parseChannelName(q.trim()) === name ? undefined : q
  return html`<li>
    <a href="${addressWith(path, {}, { q: words })}">Look through all of @${name}’s archive</a>, or
    ${live}
  </li>`
}
