import { AppError } from '../model/errors.ts'
import { found } from '../model/found.ts'
import type { Format } from '../operations/operation.ts'
import { suggest } from '../text/suggest.ts'

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
 * `asked`, the parameter `format`, beats `Accept`. Throws `invalid_parameter` or `not_acceptable`; `because` says why there are no
 * more formats than these.
 */
export function negotiate(
  asked: unknown,
  accept: string | null,
  formats: readonly Format[],
  because = '',
): Format {
  if (asked !== undefined) return chosen(asked, formats, because)
  if (accept === null || accept === '' || accept === '*/*') return formats[0]!
  const best = bestOf(accept, formats)
  if (best) return best
  const offered = [...new Set(formats.map((format) => MEDIA_TYPES[format]))].join(', ')
  throw new AppError(
    'not_acceptable',
    `\`Accept\` fits none of ${offered}${because}; found ${found(accept)}`,
  )
}

function chosen(asked: unknown, formats: readonly Format[], because: string): Format {
  if (typeof asked === 'string' && formats.includes(asked as Format)) return asked as Format
  const nearest = typeof asked === 'string' ? suggest(asked, formats) : undefined
  const detail =
    typeof asked === 'string'
      ? `expected a format of ${formats.join(', ')}${because}; found ${found(asked)}`
      : `expected one value, found ${found(asked)}`
  throw new AppError('invalid_parameter', `\`format\`: ${detail}`, {
    errors: [
      {
        parameter: 'format',
        code: 'invalid_parameter',
        detail,
        ...(nearest === undefined ? {} : { suggestion: nearest }),
      },
    ],
  })
}

/** The format the client likes best; ours comes first where it has no preference. */
function bestOf(accept: string, formats: readonly Format[]): Format | undefined {
  const ranges = accept
    .slice(0, 1024)
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
    })
  let best: Format | undefined
  let bestQuality = 0
  for (const format of formats) {
    const quality = qualityOf(MEDIA_TYPES[format], ranges)
    if (quality > bestQuality) {
      best = format
      bestQuality = quality
    }
  }
  return best
}

/** Of the ranges that cover a type, the most specific counts. */
function qualityOf(
  mediaType: string,
  ranges: readonly { readonly type: string; readonly quality: number }[],
): number {
  const family = `${mediaType.split('/')[0]}/*`
  for (const wanted of [mediaType, family, '*/*']) {
    const range = ranges.find(({ type }) => type === wanted)
    if (range) return range.quality
  }
  return 0
}
