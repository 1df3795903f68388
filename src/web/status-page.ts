import { page } from './layout.ts'
import type { Page } from './layout.ts'
import { html } from './markup.ts'
import type { Markup } from './markup.ts'
import type { Meta } from './views.ts'
import { age, moment, number } from './words.ts'

export interface Status {
  readonly meta: Meta
  readonly channelsByStatus: Readonly<Record<string, number>>
  readonly due: number
  readonly late: number
  /** Channels whose last visit failed, by what it met. */
  readonly failures: Readonly<Record<string, number>>
  readonly pendingChanges: number
  readonly budget: {
    /** Requests a second now; null where nobody crawls. */
    readonly ratePerS: number | null
    readonly lastHour: number
    readonly lastHourLive: number
    readonly pausedUntil: string | null
  }
  readonly now: number
}

type Row = readonly [name: string, value: string | Markup]

export function statusPage(status: Status): Page {
  const { index, version } = status.meta
  const { budget, now } = status
  const byStatus = Object.entries(status.channelsByStatus).filter(([, n]) => n > 0)
  const failures = Object.entries(status.failures)
  return page({
    title: 'Status – Telegrep',
    here: '/status',
    body: html`<h1>Status</h1>
      <div class="pair">
        ${table('Coverage', [
          ['Channels', number(index.channels)],
          ['Posts archived', number(index.posts)],
          ['Searchable, 30 days', number(index.searchable_posts)],
          ['Oldest post', index.oldest === null ? '–' : moment(index.oldest)],
        ])}
        ${table('Freshness', [
          ['Newest post', index.newest === null ? '–' : age(index.newest, now)],
          ['Index behind by', `${index.lag_s.toFixed(1)} s`],
          ['Changes waiting', number(status.pendingChanges)],
          ['Channels due', number(status.due)],
          ['Channels late', number(status.late)],
        ])}
        ${table(
          'Channels by state',
          byStatus.map(([name, n]): Row => [
            name,
            html`<a href="/channels?status=${name}">${number(n)}</a>`,
          ]),
        )}
        ${table('Requests to the platform', [
          ...(budget.ratePerS === null
            ? []
            : [['Pace now', `${+budget.ratePerS.toFixed(2)} a second`] as const]),
          ['Last hour', number(budget.lastHour)],
          ['of them live reads', number(budget.lastHourLive)],
          ...(budget.pausedUntil === null
            ? []
            : [['Paused until', moment(budget.pausedUntil)] as const]),
        ])}
        ${
          failures.length === 0
            ? ''
            : table(
                'Channels that could not be read',
                failures.map(([what, n]): Row => [
                  FAILURES[what] ?? what.replaceAll('_', ' '),
                  number(n),
                ]),
              )
        }
      </div>
      <p class="soft">Telegrep ${version}. <a href="/v1/meta">As JSON</a></p>`,
  })
}

/** What a last visit met, where its name alone does not say it. */
const FAILURES: Readonly<Record<string, string>> = {
  empty: 'showed no posts',
  nobody: 'nobody has the name',
  throttled: 'the platform asked to slow down',
  truncated: 'the page was cut off',
  layout_unknown: 'the page could not be understood',
  crashed: 'failed on our side',
  unreachable_network: 'the platform could not be reached',
  unreachable_timeout: 'the platform did not answer in time',
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
