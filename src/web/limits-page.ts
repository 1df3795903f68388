import { page, type Page } from './layout.ts'
import { html } from './markup.ts'
import type { Meta } from './views.ts'
import { moment, number, plural } from './words.ts'

const UNITS = { burst: 'requests', daily: 'requests', live: 'live reads' } as const

export function limitsPage(meta: Meta): Page {
  return page({
    title: 'Limits – Telegrep',
    body: html`<h1>Limits</h1>
      <p>
        You are asking as <strong>${meta.tier}</strong>, on these pages as on the API. Every reply
        of the API tells what is left in its <code>RateLimit</code> header.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" class="number">Left</th>
            <th scope="col">Starts again</th>
          </tr>
        </thead>
        <tbody>
          ${meta.policies.map(
            (p) =>
              html`<tr>
                <td>
                  ${number(p.limit)} ${UNITS[p.name]} ${period(p.window_s)} <small>${p.name}</small>
                </td>
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

function period(seconds: number): string {
  const names: Readonly<Record<number, string>> = {
    60: 'a minute',
    3600: 'an hour',
    86_400: 'a day',
  }
  return names[seconds] ?? `in ${seconds} s`
}
