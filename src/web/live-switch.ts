import { addressWith, type Parameters } from './address.ts'
import { html, type Markup } from './markup.ts'

/** Parameters of a search page that are not passed to the stream. */
const NOT_FOLLOWED = { sort: undefined, facets: undefined, limit: undefined, explain: undefined }

/** Where the script puts a switch that counts new posts of this search as they arrive. Without the script it is empty. */
export function liveSwitch(parameters: Parameters): Markup {
  const stream = addressWith('/v1/stream', parameters, { ...NOT_FOLLOWED, detail: 'ids' })
  const newest = addressWith('/', parameters, { sort: 'newest' })
  return html`<span data-live="${stream}" data-newest="${newest}"></span>`
}
