import { Hono } from 'hono'
import { ERRORS, type ErrorCode } from '../../model/errors.ts'
import { getOrMake } from '../../model/get-or-make.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'
import { COMMON_ERRORS } from '../../operations/operation.ts'
import { html, prose } from '../../web/markup.ts'
import { ERROR_ADVICE } from '../error-advice.ts'
import { prepare, type Prepared } from '../compress.ts'
import type { Env } from '../exchange.ts'
import { page, send } from './page.ts'

/** A page for each error, at the address that its `type` names. */
export function errorPages(): Hono<Env> {
  const app = new Hono<Env>({ strict: false })
  const list = prepare(listPage)
  app.get('/', (c) => send(c, list))
  const pages = new Map<string, Prepared>()
  app.get('/:code', (c) => {
    const code = c.req.param('code')
    if (!Object.hasOwn(ERRORS, code)) return c.notFound()
    const shown = () => prepare(() => errorPage(code as ErrorCode))
    return send(c, getOrMake(pages, code, shown))
  })
  return app
}

function listPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title }]) =>
      html`<tr>
        <td>
          <a href="/errors/${code}"><code>${code}</code></a>
        </td>
        <td>${status}</td>
        <td>${title}</td>
      </tr>`,
  )
  return page(
    'Errors',
    html`<h1>Errors</h1>
      <p>Every error is a problem document (RFC 9457) with one of these codes.</p>
      <table>
        <thead>
          <tr>
            <th>Code</th>
            <th>Status</th>
            <th>Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>`,
    '/errors.md',
  )
}

function errorPage(code: ErrorCode): string {
  const { status, title } = ERRORS[code]
  const operations = CATALOGUE.filter(({ errors }) => errors.includes(code))
  const isCommon = (COMMON_ERRORS as readonly string[]).includes(code)
  const where =
    operations.length > 0
      ? html`<p>
          Operations:
          ${operations.map(({ name }) => html`<a href="/docs#${name}"><code>${name}</code></a> `)}
        </p>`
      : html`<p>${isCommon ? 'Any operation can answer so.' : 'Not tied to an operation.'}</p>`
  return page(
    code,
    html`<h1><code>${code}</code></h1>
      <p><strong>${status}</strong> ${title}.</p>
      <p>${prose(ERROR_ADVICE[code])}</p>
      ${where}
      <p><a href="/errors">All errors</a></p>`,
  )
}
