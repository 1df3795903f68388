import { AppError, errorOf } from '../model/errors.ts'
import { found } from '../model/found.ts'
import type { Format } from '../operations/operation.ts'
import { suggest } from '../text/suggest.ts'
import { bestOf, qualitiesOf } from './qualities.ts'

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  md: 'text/markdown',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  excel: 'text/csv',
  rss: 'application/rss+xml',
  jsonfeed: 'application/feed+json',
  zip: 'application/zip',
}

/**
 * `asked`, the parameter `format`, overrides `Accept`. Throws `invalid_parameter` or `not_acceptable`; `because` says why
 * there are no other formats.
 */
export function negotiate(
  asked: unknown,
  accept: string | null,
  formats: readonly Format[],
  because = '',
): Format {
  if (asked !== undefined) return chosen(asked, formats, because)
  if (accept === null || accept === '' || accept === '*/*') return formats[0]!
  const liked = qualitiesOf(accept)
  const best = bestOf(formats, (format) => qualityOf(MEDIA_TYPES[format], liked))
  if (best) return best
  const offered = [...new Set(formats.map((format) => MEDIA_TYPES[format]))].join(', ')
  throw notAcceptable(accept, `none of ${offered}${because}`)
}

/** For a reply that has only one format. Throws `not_acceptable`. */
export function expectAcceptable(mediaType: string, accept: string | null): void {
  if (accept === null || accept === '') return
  if (qualityOf(mediaType, qualitiesOf(accept)) === 0) {
    throw notAcceptable(accept, `not ${mediaType}`)
  }
}

function notAcceptable(accept: string, what: string): AppError {
  return new AppError('not_acceptable', `\`Accept\` fits ${what}; found ${found(accept)}`)
}

function chosen(asked: unknown, formats: readonly Format[], because: string): Format {
  if (typeof asked === 'string' && formats.includes(asked as Format)) return asked as Format
  const nearest = typeof asked === 'string' ? suggest(asked, formats) : undefined
  const detail =
    typeof asked === 'string'
      ? `expected a format of ${formats.join(', ')}${because}; found ${found(asked)}`
      : `expected one value, found ${found(asked)}`
  throw errorOf({ parameter: 'format', code: 'invalid_parameter', detail, suggestion: nearest })
}

/** Of the ranges that match a type, the most specific one counts. */
function qualityOf(mediaType: string, liked: ReadonlyMap<string, number>): number {
  const family = `${mediaType.split('/')[0]}/*`
  return liked.get(mediaType) ?? liked.get(family) ?? liked.get('*/*') ?? 0
}
