import { parseChannelName } from '../model/channel-name.ts'
import { addressWith, channelPath, type Here, type Parameters } from './address.ts'
import { filterWords } from './filter-form.ts'
import { html, type Markup } from './markup.ts'
import type { SearchMeta } from './views.ts'

/** What to do where no post was found: each filter can be let go by its name, and the channel asked itself. */
export function nothingFound(
  {
    parameters,
    meta,
    empty,
  }: {
    readonly parameters: Parameters
    readonly meta: SearchMeta
    /** Why nothing at all can be found. */
    readonly empty: Markup | null
  },
  here: Here,
): Markup {
  if (empty !== null) return html`<p class="card">${empty}</p>`
  const { q, channel, match } = parameters
  const filters = filterWords(parameters).filter(({ name }) => name !== 'match')
  const unknown = new Set((meta.coverage?.not_indexed ?? []).map((item) => item.channel))
  return html`<div class="card nothing">
    <h3>No post of the last 30 days matches</h3>
    <ul>
      ${filters.map(
        ({ name, words }) =>
          html`<li>
            <a href="${here({ [name]: undefined })}">Search without <bdi>${words}</bdi></a>
          </li>`,
      )}
      ${filters.length > 1 && q !== undefined ? html`<li><a href="${addressWith('/', { q }, {})}">Search without any filter</a></li>` : ''}
      ${match === 'exact' ? html`<li><a href="${here({ match: undefined })}">Find other word forms too</a></li>` : ''}
      ${namesIn(channel, q).map((name) => inChannel(name, q, unknown))}
      <li>Try fewer or other words; <a href="/help">all operators</a>.</li>
    </ul>
  </div>`
}

const MAX_CHANNELS = 3

/** Channels that were asked for, or may have been meant by the words. */
function namesIn(channel: string | undefined, q: string | undefined): string[] {
  const asked = (channel ?? '').split(',').flatMap((name) => parseChannelName(name) ?? [])
  if (asked.length > 0) return asked.slice(0, MAX_CHANNELS)
  const said = /^(?:@|(?:https?:\/\/)?t\.me\/(?:s\/)?)\w+$/i.test(q?.trim() ?? '')
  return said ? [parseChannelName(q!.trim())].flatMap((name) => name ?? []) : []
}

/** Its whole archive, with the same words; where it has none, what the platform shows now. */
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
