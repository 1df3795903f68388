import { z } from 'zod'
import { looksLikeTitle, parseChannelName, whyNoName } from '../model/channel-name.ts'
import { found } from '../model/found.ts'
import { hinted } from '../model/hint.ts'
import { parseLanguage } from '../model/language-names.ts'
import { parsePostRef } from '../model/post-ref.ts'
import { INSTANT_FORMS, nearestInstant, parseInstant } from '../text/parse-instant.ts'
import { hostOf, nearestLanguage, parseAmount } from '../text/query/query-operators.ts'
import { foldTag } from '../text/scan-entity.ts'
import { suggest } from '../text/suggest.ts'
import { normaliseUrl } from '../text/urls.ts'
import { parseZone, zoneOfPlace } from '../text/zone.ts'
import { BY_TITLE, HELD_LANGUAGES } from './hints.ts'
import type { Refusal } from './input-error.ts'

/**
 * Parsers of single parameters. Each takes the strings of a URL as well as JSON values, and parsing its own output again
 * gives the same value. Each carries the JSON Schema that OpenAPI and MCP show.
 */
type Parameter<Out, In> = z.ZodType<Out, In>

/** What JSON Schema shows of a parameter besides its description. */
type Shown = Readonly<Record<string, unknown>>

class Refused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

function refuse(refusal: Refusal): never {
  throw new Refused(refusal)
}

function parameter<Out, In>(
  read: (value: unknown) => Out,
  shown: Shown,
  description: string,
): Parameter<Out, In> {
  const schema = z
    .unknown()
    .transform((value, ctx) => {
      try {
        if (value === undefined) refuse(missing(shown))
        return read(value)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        ctx.issues.push({
          code: 'custom',
          input: value,
          message: error.message,
          params: { refusal: error.refusal },
        })
        return z.NEVER
      }
    })
    .meta({ ...shown, description })
  SHOWN.set(schema, shown)
  return schema as unknown as Parameter<Out, In>
}

/** The parameter is named where the refusal becomes an error. */
function missing({ examples }: Shown): Refusal {
  const example = Array.isArray(examples) ? `, such as ${String(examples[0])}` : ''
  return { code: 'missing_parameter', detail: `is required${example}` }
}

/** zod omits `default` and `examples` when it shows a transformed input, so they are kept here. */
const SHOWN = new WeakMap<object, Shown>()

export function shownOf(schema: object): Shown {
  return SHOWN.get(schema) ?? {}
}

/** One value, parsed from a string. */
function one<T>(read: (given: string) => T, shown: Shown, description: string): Parameter<T, T> {
  return parameter((value) => read(single(value)), shown, description)
}

/** A single value as a string. A repeated parameter is refused, because it is unclear which value was meant. */
function single(value: unknown): string {
  if (Array.isArray(value) && value.length > 1) {
    refuse({ detail: 'given more than once, only one value is accepted' })
  }
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return refuse({ detail: `expected one value, found ${found(value)}` })
}

function items(value: unknown, max: number): string[] {
  const parts = Array.isArray(value) ? value : [value]
  const read: string[] = []
  for (const part of parts) {
    for (const piece of single(part).split(',')) {
      const item = piece.trim()
      if (item !== '') read.push(item)
      // Repeated values count too, as they do in the schema that is shown.
      if (read.length > max) refuse({ detail: `at most ${max} values are accepted` })
    }
  }
  if (read.length === 0) refuse({ detail: 'expected at least one value' })
  return read
}

/** A text of at most `max` characters. Its consumer counts exactly; here only what is certainly longer is refused. */
export function text(description: string, max: number) {
  return one(
    (given) => {
      if (given.length > 2 * max) {
        refuse({ detail: `expected at most ${max} characters, found ${[...given].length}` })
      }
      if (given.trim() === '') refuse({ detail: 'expected at least one character' })
      if (!given.isWellFormed()) refuse({ detail: 'expected well-formed Unicode' })
      return given
    },
    { type: 'string', minLength: 1, maxLength: max },
    description,
  )
}

export function integer(
  description: string,
  options: { readonly min: number; readonly max: number; readonly fallback?: number },
) {
  const { min, max, fallback } = options
  return one(
    (given) => {
      const number = /^-?\d{1,15}$/.test(given) ? Number(given) : NaN
      if (!(number >= min && number <= max)) {
        refuse({ detail: `expected an integer from ${min} to ${max}, found ${found(given)}` })
      }
      return number
    },
    {
      type: 'integer',
      minimum: min,
      maximum: max,
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    description,
  )
}

/** A boolean that is false by default. */
export function flag(description: string) {
  return yesOrNo(description, { default: false })
}

/** True, false, or both when it is left out. */
export function either(description: string) {
  return yesOrNo(description, {})
}

function yesOrNo(description: string, fallback: { readonly default?: boolean }) {
  return one(
    (given) => {
      if (/^(?:true|1)$/i.test(given)) return true
      if (/^(?:false|0)$/i.test(given)) return false
      return refuse({ detail: `expected true or false, found ${found(given)}` })
    },
    { type: 'boolean', ...fallback },
    description,
  )
}

function oneOf<T extends string>(given: string, values: readonly T[]): T {
  const wanted = given.toLowerCase() as T
  if (values.includes(wanted)) return wanted
  return refuse({
    detail: `expected one of ${values.join(', ')}; found ${found(given)}`,
    suggestion: suggest(given, values),
  })
}

export function choice<const T extends string>(
  description: string,
  values: readonly T[],
  fallback?: T,
) {
  return one(
    (given) => oneOf(given, values),
    { type: 'string', enum: values, ...(fallback === undefined ? {} : { default: fallback }) },
    description,
  )
}

/** Whether posts of a kind are included, excluded, or the only ones wanted. */
export function inclusion(description: string) {
  return choice(description, ['include', 'exclude', 'only'], 'include').optional()
}

export function choices<const T extends string>(description: string, values: readonly T[]) {
  const shown = { type: 'string', enum: values }
  return list<T>((item) => oneOf(item, values), shown, description, values.length)
}

const MAX_VALUES = 50

/** Lists are comma-separated or repeated. */
function list<T extends string>(
  read: (item: string) => T,
  shown: Shown,
  description: string,
  max = MAX_VALUES,
) {
  return parameter<readonly T[], T | readonly T[]>(
    (value) => {
      const all: T[] = []
      for (const item of items(value, max)) {
        const one = read(item)
        if (!all.includes(one)) all.push(one)
      }
      return all
    },
    { type: 'array', items: shown, minItems: 1, maxItems: max },
    description,
  )
}

function readChannel(given: string): string {
  const name = parseChannelName(given)
  if (name !== undefined) return name
  const detail = `${found(given)} is not the name of a channel: ${whyNoName(given)}`
  const code = 'invalid_username'
  return refuse(looksLikeTitle(given) ? { code, ...hinted(detail, BY_TITLE) } : { code, detail })
}

const CHANNEL_SHOWN = { type: 'string', examples: ['durov'] }

export const username = one(
  readChannel,
  CHANNEL_SHOWN,
  'The channel: `durov`, `@durov` or `t.me/durov`.',
)

export function channels(description: string) {
  return list(readChannel, CHANNEL_SHOWN, description)
}

export function languages(description: string) {
  return list(
    (item) => {
      const code = parseLanguage(item)
      if (code !== undefined) return code
      return refuse({
        ...hinted(`${found(item)} is not the code or the name of a language`, HELD_LANGUAGES),
        suggestion: item.length > 64 ? undefined : nearestLanguage(item),
      })
    },
    { type: 'string', examples: ['en'] },
    description,
  )
}

/** A time as the caller wrote it, checked to be readable. Ages such as `24h` are resolved when the operation runs. */
export function instant(description: string) {
  return one(
    (given) => {
      if (given.length > 64 || parseInstant(given, 0) === undefined) {
        refuse({
          detail: `expected ${INSTANT_FORMS}, found ${found(given)}`,
          suggestion: nearestInstant(given),
        })
      }
      return given
    },
    { type: 'string', examples: ['24h', 'yesterday', '2026-05-31', '2026-05-31T12:00:00Z'] },
    description,
  )
}

export function resolve(given: string | undefined, now: number, zone?: string): number | null {
  return given === undefined ? null : parseInstant(given, now, zone)!
}

/** The time zone in which days begin. */
export const tz = one(
  (given) => {
    const zone = parseZone(given)
    if (zone !== undefined) return zone
    return refuse({
      detail: `expected a zone such as Europe/Kyiv or +03:00, found ${found(given)}`,
      suggestion: zoneOfPlace(given) ?? suggest(given, Intl.supportedValuesOf('timeZone')),
    })
  },
  { type: 'string', default: 'UTC', examples: ['Europe/Kyiv'] },
  'Time zone in which days such as `yesterday` begin.',
).optional()

export function hashtags(description: string) {
  return list(
    (item) => {
      const tag = foldTag(item.replace(/^[#＃]/u, ''))
      return tag === ''
        ? refuse({ detail: `expected a hashtag such as news, found ${found(item)}` })
        : tag
    },
    { type: 'string', examples: ['news'] },
    description,
  )
}

export function domains(description: string) {
  return list(
    (item) =>
      hostOf(item) ??
      refuse({ detail: `expected a host name such as example.com, found ${found(item)}` }),
    { type: 'string', examples: ['example.com'] },
    description,
  )
}

/** An address may contain commas, so only a comma before a scheme separates two addresses. */
const BETWEEN_URLS = /,\s*(?=https?:\/\/)/i

export function urls(description: string) {
  return parameter<readonly string[], string | readonly string[]>(
    (value) => {
      const given = (Array.isArray(value) ? value : [value]).flatMap((item) =>
        single(item).split(BETWEEN_URLS),
      )
      if (given.length > MAX_VALUES) {
        refuse({ detail: `at most ${MAX_VALUES} values are accepted` })
      }
      return given.map(
        (item) =>
          normaliseUrl(item) ??
          refuse({
            detail: `expected an address such as https://example.com/news, found ${found(item)}`,
          }),
      )
    },
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_VALUES },
    description,
  )
}

/**
 * A post's number; what follows a hyphen is decoration. A number too high for any post is accepted; the archive will not
 * find it.
 */
export function slug(description: string) {
  return one(
    (given) => {
      const digits = /^(\d{1,10})(?:-.{0,200})?$/u.exec(given)?.[1]
      const number = digits === undefined ? 0 : Number(digits)
      if (number < 1) {
        const meant = parsePostRef(given)
        refuse({
          detail: `expected a post's number such as 342, found ${found(given)}`,
          suggestion: meant && String(meant.number),
        })
      }
      return String(number)
    },
    { type: 'string', examples: ['342'] },
    description,
  )
}

export const MAX_LIMIT = 100
export const DEFAULT_LIMIT = 20

export const limit = integer('How many to return.', {
  min: 1,
  max: MAX_LIMIT,
  fallback: DEFAULT_LIMIT,
}).optional()

const MAX_AMOUNT = 10_000_000_000

/** A whole number of views, subscribers or reactions. `1.5k` is 1500, as on the platform and in queries. */
export function count(description: string) {
  return one(
    (given) => {
      const number = parseAmount(given)
      if (number !== undefined && number <= MAX_AMOUNT) return number
      return refuse({
        detail: `expected an integer from 0 to ${MAX_AMOUNT}, found ${found(given)}`,
      })
    },
    { type: 'integer', minimum: 0, maximum: MAX_AMOUNT },
    description,
  )
}

export const cursor = one(
  (given) => {
    if (!/^[A-Za-z0-9_-]{1,2048}$/.test(given)) {
      refuse({ code: 'invalid_cursor', detail: 'the cursor was not made by this service' })
    }
    return given
  },
  { type: 'string' },
  '`next_cursor` of the previous page. Bound to its query; `limit`, `format` and `detail` may change.',
).optional()
