import { html } from 'hono/html'
import { ERRORS } from '../model/errors.ts'
import type { AppError } from '../model/errors.ts'
import { QUERY_OPERATORS } from '../text/query-operators.ts'
import { addressWith } from './address.ts'
import { page } from './layout.ts'
import type { Markup } from './layout.ts'
import type { Meta } from './views.ts'
import { age, moment, number, plural } from './words.ts'

/** Which operators work, each with an example that can be clicked. */
export function helpPage(): Markup {
  return page({
    title: 'Query help – Telegrep',
    here: '/help',
    body: html`<h1>How to ask</h1>
      <p>
        Type words as they come: every form of them is found, in any language. A whole question
        works too: when no post holds every word, posts that hold the rarest of them follow.
      </p>
      <table>
        <thead>
          <tr>
            <th>operator</th>
            <th>example</th>
            <th>finds</th>
          </tr>
        </thead>
        <tbody>
          ${QUERY_OPERATORS.map(
            ({ name, example, meaning }) =>
              html`<tr>
                <td><code>${name}</code></td>
                <td>
                  <a href="${addressWith('/', {}, { q: example })}"><code>${example}</code></a>
                </td>
                <td>${meaning.replaceAll('`', '')}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h2>Keys</h2>
      <p>
        <kbd>/</kbd> goes to the search box, <kbd>↓</kbd> and <kbd>↑</kbd> (or <kbd>j</kbd> and
        <kbd>k</kbd>) move through results, <kbd>Enter</kbd> opens one.
      </p>`,
  })
}

export interface Status {
  readonly meta: Meta
  readonly channelsByStatus: Readonly<Record<string, number>>
  readonly due: number
  readonly late: number
  readonly pendingChanges: number
  readonly requestsLastHour: number
  readonly pausedUntil: string | null
  readonly now: number
}

export function statusPage(status: Status): Markup {
  const { index, version } = status.meta
  const row = (name: string, value: string | Markup) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td class="number">${value}</td>
    </tr>`
  return page({
    title: 'Status – Telegrep',
    here: '/status',
    body: html`<h1>Status</h1>
      <div class="pair">
        <section class="card">
          <h2>Coverage</h2>
          <table>
            <tbody>
              ${row('Channels', number(index.channels))}
              ${row('Posts archived', number(index.posts))}
              ${row('Posts searchable (30 days)', number(index.searchable_posts))}
              ${row('Oldest post', index.oldest === null ? '–' : moment(index.oldest))}
              ${row('Newest post', index.newest === null ? '–' : age(index.newest, status.now))}
            </tbody>
          </table>
        </section>
        <section class="card">
          <h2>Freshness</h2>
          <table>
            <tbody>
              ${row('Index lag', `${index.lag_s.toFixed(1)} s`)}
              ${row('Changes waiting', number(status.pendingChanges))}
              ${row('Channels due', number(status.due))} ${row('Late', number(status.late))}
              ${row('Requests to the platform, last hour', number(status.requestsLastHour))}
              ${status.pausedUntil === null ? '' : row('Paused until', moment(status.pausedUntil))}
            </tbody>
          </table>
        </section>
        <section class="card">
          <h2>Channels by state</h2>
          <table>
            <tbody>
              ${Object.entries(status.channelsByStatus).map(([name, n]) => row(name, html`<a href="/channels?status=${name}">${number(n)}</a>`))}
            </tbody>
          </table>
        </section>
      </div>
      <p class="soft">Telegrep ${version}. <a href="/v1/meta">As JSON</a></p>`,
  })
}

export function limitsPage(meta: Meta): Markup {
  const period = (s: number) =>
    s === 60 ? 'a minute' : s === 3600 ? 'an hour' : s === 86_400 ? 'a day' : `${s} s`
  const words = { burst: 'requests', daily: 'requests', live: 'live reads' } as const
  return page({
    title: 'Limits – Telegrep',
    body: html`<h1>Limits</h1>
      <p>
        You are asking as <strong>${meta.tier}</strong>. Every reply tells what is left in its
        <code>RateLimit</code> header.
      </p>
      <table>
        <thead>
          <tr>
            <th>policy</th>
            <th class="number">limit</th>
            <th class="number">left</th>
            <th>starts again</th>
          </tr>
        </thead>
        <tbody>
          ${meta.policies.map(
            (p) =>
              html`<tr>
                <td>${p.name}</td>
                <td class="number">${number(p.limit)} ${words[p.name]} ${period(p.window_s)}</td>
                <td class="number">${number(p.remaining)}</td>
                <td>${moment(p.resets_at)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h2>Bounds</h2>
      <p>
        Search covers the last ${meta.limits.search_window_days} days; a query has at most
        ${number(meta.limits.max_query_chars)} characters; a page has at most
        ${plural(meta.limits.max_limit, 'post')}.
      </p>
      <h2>Removal</h2>
      <p>
        The owner of a channel can have it removed by putting <code>#telegrep_optout</code> into its
        description.
        ${meta.removal_policy === null ? '' : html`Or <a href="${meta.removal_policy}">ask here</a>.`}
        ${meta.contact === null ? '' : html`Contact: ${meta.contact}.`}
      </p>`,
  })
}

const ADVICE: Readonly<Record<string, string>> = {
  channel_not_indexed: 'The channel may exist on Telegram: its live view reads it now.',
  channel_not_found: 'Check the spelling of the name.',
  channel_removed: 'It was removed at its owner’s wish and is not shown here.',
  quota_exceeded: 'Wait a little, or ask the operator for a key.',
  upstream_throttled:
    'The platform asked us to slow down. Try again later; the archive still answers.',
  overloaded: 'The server is busy. Try again in a few seconds.',
  invalid_query: 'The help page lists every operator.',
}

/** What went wrong and what to do, in the same frame as every page. */
export function errorPage(
  error: AppError,
  options: { readonly q?: string; readonly live?: string; readonly requestId: string },
): Markup {
  const { title, status } = ERRORS[error.code]
  const suggestion = error.errors.find((item) => item.suggestion !== undefined)?.suggestion
  const advice = ADVICE[error.code]
  return page({
    title: `${title} – Telegrep`,
    q: options.q ?? '',
    body: html`<div class="notice bad">
        <h1>${title}</h1>
        <p>${error.message}</p>
        ${
          error.errors.length > 1
            ? html`<ul>
                ${error.errors.map((item) => html`<li>${item.parameter === undefined ? '' : html`<code>${item.parameter}</code>: `}${item.detail}</li>`)}
              </ul>`
            : ''
        }
      </div>
      ${
        suggestion === undefined
          ? ''
          : html`<p>
              Did you mean
              <a href="${addressWith('/', {}, { q: suggestion })}"><code>${suggestion}</code></a
              >?
            </p>`
      }
      ${advice === undefined ? '' : html`<p>${advice}</p>`}
      ${options.live === undefined ? '' : html`<p><a class="button" href="${options.live}">Read it live</a></p>`}
      <p>
        <a href="/">Search</a> · <a href="/channels">Channels</a> · <a href="/help">Query help</a>
      </p>
      <p class="soft">
        ${status} <code>${error.code}</code>, request <code>${options.requestId}</code>
      </p>`,
  })
}
