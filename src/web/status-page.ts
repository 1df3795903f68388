import { failureWords } from '../operations/render/failure-words.ts'
import { page, type Page } from './layout.ts'
import { html, type Markup } from './markup.ts'
import type { Status } from './views.ts'
import { age, moment, number } from './words.ts'

type Row = readonly [name: string, value: string | Markup]

export function statusPage(
  { archive, visits, index, requests, version }: Status,
  now: number,
): Page {
  const byStatus = Object.entries(archive.channels_by_status)
  const failures = Object.entries(visits.failures)
  return page({
    title: 'Status – Telegrep',
    here: '/status',
    body: html`<h1>Status</h1>
      ${index.problem === null ? '' : html`<p class="notice bad">Searches are refused just now: ${index.problem}${index.rebuilding ? '; it is being built anew from the archive' : ''}.</p>`}
      <div class="pair">
        ${table('Coverage', [
          ['Channels', number(archive.channels)],
          ['Posts archived', number(archive.posts)],
          ['Searchable, 30 days', number(index.posts)],
          ['Oldest post', archive.oldest_post_at === null ? '–' : moment(archive.oldest_post_at)],
        ])}
        ${table('Freshness', [
          ['Newest post', archive.newest_post_at === null ? '–' : age(archive.newest_post_at, now)],
          ['Index behind by', `${index.lag_s.toFixed(1)} s`],
          ['Changes waiting', number(index.pending_changes)],
          ...(index.rebuilding ? [['Index', 'being rebuilt'] as const] : []),
          ['Channels due', number(visits.due)],
          ['Channels late', number(visits.late)],
        ])}
        ${table(
          'Channels by state',
          byStatus.map(([name, n]): Row => [
            name,
            html`<a href="/channels?status=${name}">${number(n)}</a>`,
          ]),
        )}
        ${table('Requests to the platform', [
          ['Pace now', `${+requests.rate_per_s.toFixed(2)} a second`],
          ['Last hour', number(requests.last_hour)],
          ['of them live reads', number(requests.last_hour_live)],
          ...(requests.paused_until === null
            ? []
            : [['Paused until', moment(requests.paused_until)] as const]),
        ])}
        ${
          failures.length === 0
            ? ''
            : table(
                'Channels that could not be read',
                failures.map(([what, n]): Row => [failureWords(what), number(n)]),
              )
        }
      </div>
      <p class="soft">Telegrep ${version}. <a href="/v1/status">As JSON</a></p>`,
  })
}

function table(title: string, rows: readonly Row[]): Markup {
  return html`<section class="card">
    <h2>${title}</h2>
    <table>
      <tbody>
        ${rows.map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="number">${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}
