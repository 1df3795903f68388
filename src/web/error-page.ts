import { span } from '../model/duration.ts'
import { ERRORS, type AppError, type ErrorCode, type ErrorItem } from '../model/errors.ts'
import { apiWords, reworded, type Hint } from '../model/hint.ts'
import { addressWith, type Parameters } from './address.ts'
import { filterForm } from './filter-form.ts'
import { page, type Page } from './layout.ts'
import { html, prose, type Markup } from './markup.ts'
import { OPML_PATH } from './opml.ts'
import { capitalised, moment } from './words.ts'

const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_parameter: 'Correct the value, or start again from the search box.',
  missing_parameter: 'Type some words, or choose a filter.',
  invalid_query: 'The query help lists every operator.',
  invalid_username:
    'A name has 4 to 32 Latin letters, digits or underscores, such as durov; a link to the channel works too.',
  key_required: 'These pages ask without a key, which the operator does not allow; use the API.',
  uri_too_long: 'Ask for fewer words or with fewer filters.',
  not_found: 'Check the address, or start from one of these pages.',
  channel_not_indexed: 'The channel may exist on Telegram: its live view reads it now.',
  channel_not_found: 'Check the spelling of the name.',
  channel_removed: 'It is not shown here and is never read again.',
  channel_unavailable: 'Telegram shows no preview of it; only its members can read it.',
  post_not_found: 'It may be older than the archive, or never have been: see the channel.',
  post_deleted: 'Its text is not kept; what is known of it stands below.',
  quota_exceeded:
    'Wait a little, or ask the operator for a key; the limits page shows what is left. On a service of your own, `TELEGREP_TIERS` sets other limits.',
  upstream_failed: 'The archive still answers.',
  upstream_timeout: 'The archive still answers.',
  upstream_throttled: 'The archive still answers.',
  internal: 'Try again; if it stays, tell the operator the request’s number below.',
}

/** What went wrong and what to do about it, in the common frame of all pages. */
export function errorPage(
  error: AppError,
  options: {
    /** The path that was requested. */
    readonly path: string
    readonly parameters: Parameters
    /** The live view of the requested channel. */
    readonly live: string | undefined
    /** The channel's page, if it may have more to show. */
    readonly channel: string | undefined
    readonly requestId: string
  },
): Page {
  const { title, status } = ERRORS[error.code]
  const { path, parameters } = options
  const suggested = error.errors.find((item) => item.suggestion !== undefined)
  const advice = ADVICE[error.code]
  const { retryAfterS } = error
  return page({
    title: `${title} – Telegrep`,
    search: isSearch(path) && !isWrong(error) ? parameters : wordsAlone(parameters),
    body: html`<div class="notice bad">
        <h1>${title}</h1>
        ${error.errors.length > 1 ? problems(error) : said(sentenceOf(error), title)}
      </div>
      ${suggested?.suggestion === undefined ? '' : meant(suggested, suggested.suggestion, options)}
      ${advice === undefined ? '' : html`<p>${prose(advice)}</p>`}
      ${retryAfterS === undefined ? '' : html`<p>Try again in ${wait(retryAfterS)}.</p>`}
      ${retryAfterS === undefined && status >= 502 ? html`<p>Try again in a minute.</p>` : ''}
      ${again(error, options)}
      ${options.live === undefined ? '' : html`<p><a class="button" href="${options.live}" rel="nofollow">Read it live</a></p>`}
      ${error.code === 'post_deleted' ? remains(error.extra) : ''}
      <p>
        ${options.channel === undefined ? '' : html`<a href="${options.channel}">The channel</a> · `}
        <a href="/">Search</a> · <a href="/channels">Channels</a> · <a href="/help">Query help</a> ·
        <a href="/limits">Limits</a>
      </p>
      <p class="soft">
        ${status} <code>${error.code}</code>, request <code>${options.requestId}</code>
      </p>`,
  })
}

/** The message without what follows below: the suggested query, the live view, the wait, the dates of a deleted post. */
function sentenceOf(error: AppError): string {
  const { code, errors, detail, hint } = error
  if (code === 'invalid_query') return errors[0]?.detail ?? detail
  if (code === 'post_deleted') return ERRORS[code].title
  return reworded({ detail, hint }, (told) => (isShownBelow(told) ? null : inPageWords(told)))
}

function isShownBelow(hint: Hint): boolean {
  return 'meant' in hint || 'after_s' in hint || isOf(hint, 'get_live_channel')
}

function inPageWords(hint: Hint): string {
  return isOf(hint, 'list_channels') ? 'the page Channels finds them by title' : apiWords(hint)
}

function isOf(hint: Hint, operation: string): boolean {
  return 'operation' in hint && hint.operation === operation
}

/** Rounded up: who comes back earlier is refused again. */
function wait(seconds: number): string {
  return span(seconds, Math.ceil)
}

/** Left out when the heading already says the same. */
function said(message: string, title: string): Markup | '' {
  return message.toLowerCase() === title.toLowerCase()
    ? ''
    : html`<p>${prose(capitalised(message))}</p>`
}

function problems({ errors }: AppError): Markup {
  return html`<ul>
    ${errors.map((item) => html`<li>${item.parameter === undefined ? '' : html`<code>${item.parameter}</code>: `}${prose(reworded(item, inPageWords))}</li>`)}
  </ul>`
}

/** A link to the request as it was probably meant; for a list, only the wrong value is replaced. */
function meant({ parameter = '', code }: ErrorItem, suggestion: string, asked: Asked): Markup {
  const { path, parameters } = asked
  const value = parameters[parameter]
  const text = html`<code dir="auto">${suggestion}</code>`
  const changes =
    code === 'unknown_parameter'
      ? { [parameter]: undefined, [suggestion]: value }
      : { [parameter]: suggestion }
  const isWhole = value !== undefined && (parameter === 'q' || !value.includes(','))
  return html`<p>
    Did you mean
    ${isWhole ? html`<a href="${addressWith(path, parameters, changes)}">${text}</a>` : text}?
  </p>`
}

interface Asked {
  readonly path: string
  readonly parameters: Parameters
}

function isSearch(path: string): boolean {
  return path === '/'
}

/** True when something besides the words is wrong, so that sending it again would repeat the mistake. */
function isWrong({ code, status }: AppError): boolean {
  return status === 414 || (status === 400 && code !== 'invalid_query')
}

function wordsAlone({ q }: Parameters): Parameters {
  return q === undefined ? {} : { q }
}

/** How to continue: the same request again if waiting helps, otherwise without what is wrong or with it corrected. */
function again({ code, status, errors }: AppError, { path, parameters }: Asked): Markup | '' {
  const to = (href: string, words: string) =>
    html`<p><a class="button quiet" href="${href}">${words}</a></p>`
  const { cursor } = parameters
  if (status === 429 || status >= 500)
    return to(addressWith(path, parameters, { cursor }), 'Try again')
  if (path === OPML_PATH) return to(addressWith('/follow', parameters, {}), 'Correct the list')
  if (code.includes('cursor')) return to(addressWith(path, parameters, {}), 'The first page')
  const wrong = errors.flatMap(({ parameter }) => parameter ?? [])
  if (code === 'unknown_parameter') {
    const without = Object.fromEntries(wrong.map((name) => [name, undefined]))
    return to(addressWith(path, parameters, without), 'Go on without it')
  }
  if (!isSearch(path) || (code !== 'invalid_parameter' && code !== 'invalid_username')) return ''
  return html`<div class="tools">
    <details open>
      <summary>Filters</summary>
      ${filterForm(parameters, wrong)}
    </details>
  </div>`
}

/** Dates and hash of a deleted post. */
function remains(extra: Readonly<Record<string, unknown>>): Markup {
  const {
    published_at: published,
    deleted_at: deleted,
    evidence,
  } = extra as {
    published_at?: string
    deleted_at?: string
    evidence?: { content_sha256: string; first_captured_at: string; last_captured_at: string }
  }
  return html`<ul>
    ${published === undefined ? '' : html`<li>Published ${moment(published)}</li>`}
    ${evidence === undefined ? '' : html`<li>Captured ${moment(evidence.first_captured_at)} to ${moment(evidence.last_captured_at)}, sha256 <code>${evidence.content_sha256}</code></li>`}
    ${deleted === undefined ? '' : html`<li>Found deleted ${moment(deleted)}</li>`}
  </ul>`
}
