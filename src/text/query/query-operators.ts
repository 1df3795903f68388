import { parseChannelName, nameKey } from '../../model/channel-name.ts'
import { LANGUAGES, parseLanguage } from '../../model/language-names.ts'
import { HAS_VALUES, IS_VALUES, type QueryNode } from '../../model/query.ts'
import { INSTANT_FORMS, nearestInstant, parseInstant } from '../parse-instant.ts'
import { suggest } from '../suggest.ts'
import { hostOf as hostOfUrl, normaliseUrl } from '../urls.ts'

/** The query language as a table; `docs/query-language.md` is held equal to it. */
export const QUERY_OPERATORS = [
  { name: 'words', example: 'climate summit', meaning: 'posts with all the words, in any form' },
  { name: 'OR', example: 'kyiv OR kiev', meaning: 'either side; `|` is the same' },
  {
    name: 'NOT',
    example: 'apple -pie',
    meaning: 'posts without what follows; `NOT pie` is the same',
  },
  { name: '( )', example: '(gas | oil) price', meaning: 'a group' },
  {
    name: '" "',
    example: '"supreme court"',
    meaning: 'these words in this order, in exactly these forms',
  },
  { name: '=', example: '=meetings', meaning: 'the word in exactly this form' },
  { name: '*', example: 'crypto*', meaning: 'words with this beginning, of at least 3 letters' },
  { name: '#', example: '#news', meaning: 'posts with the hashtag' },
  { name: '@', example: '@durov', meaning: 'posts that mention the name' },
  { name: '$', example: '$TON', meaning: 'posts with the ticker' },
  { name: 'https://', example: 'https://example.com/a', meaning: 'posts that link to the address' },
  { name: 'from:', example: 'from:durov', meaning: 'posts of the channel' },
  { name: 'channel:', example: 'channel:durov', meaning: 'the same as `from:`' },
  { name: 'lang:', example: 'lang:uk', meaning: 'posts in the language, by its code or its name' },
  {
    name: 'has:',
    example: 'has:video',
    meaning: `posts with ${HAS_VALUES.join(', ')} (any attachment except a poll)`,
  },
  { name: 'is:', example: 'is:forward', meaning: `posts that are ${IS_VALUES.join(', ')}` },
  {
    name: 'domain:',
    example: 'domain:bbc.com',
    meaning: 'posts that link to the site or its subdomains',
  },
  { name: 'url:', example: 'url:example.com/a', meaning: 'the same as the address itself' },
  { name: 'after:', example: 'after:2026-05-31', meaning: 'published at that time or later' },
  { name: 'before:', example: 'before:24h', meaning: 'published before that time' },
  { name: 'min_views:', example: 'min_views:1000', meaning: 'at least this many views' },
] as const satisfies readonly { name: string; example: string; meaning: string }[]

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
type LeafNode = Extract<QueryNode, { start: number }>
/** A leaf without its place in the string. */
export type LeafValue = DistributiveOmit<LeafNode, 'start' | 'end'>

type ValueResult =
  | { readonly ok: LeafValue }
  /** What was expected, and the nearest valid value; `isSure` when the given value is merely another name for it. */
  | {
      readonly expected: string
      readonly nearest?: string | undefined
      readonly isSure?: boolean
    }

/** When and where a query is asked: the time that ages count back from, and the zone in which days begin. */
export interface ParseContext {
  readonly now: number
  readonly zone: string
}

interface Operator {
  readonly read: (value: string, asked: ParseContext) => ValueResult
  /** Its value may be several words: `after:2 days ago`. */
  readonly takesTime?: true
}

const channel: Operator = {
  read(value) {
    const name = parseChannelName(value)
    if (name !== undefined) return { ok: { kind: 'channel', value: nameKey(name) } }
    return { expected: 'a channel’s name, 4 to 32 Latin letters, digits or underscores' }
  },
}

const domain: Operator = {
  read(value) {
    const host = hostOf(value)
    if (host !== undefined) return { ok: { kind: 'domain', value: host } }
    return { expected: 'a host name such as example.com' }
  },
}

function bound(kind: 'after' | 'before'): Operator {
  return {
    takesTime: true,
    read(value, { now, zone }) {
      const at = parseInstant(value, now, zone)
      if (at !== undefined) return { ok: { kind, at, text: value } }
      // Every refusal has to suggest a query that parses.
      return { expected: INSTANT_FORMS, nearest: nearestInstant(value, now) ?? '7d' }
    },
  }
}

const lang: Operator = {
  read(value) {
    const code = parseLanguage(value)
    if (code !== undefined) return { ok: { kind: 'lang', value: code } }
    return {
      expected: 'the code or the name of a language, such as en or English',
      nearest: nearestLanguage(value),
      isSure: COUNTRIES.has(value.toLowerCase()),
    }
  },
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['from', channel],
  ['channel', channel],
  ['lang', lang],
  ['has', oneOf('has', HAS_VALUES)],
  ['is', oneOf('is', IS_VALUES)],
  ['domain', domain],
  [
    'url',
    {
      read(value) {
        const url = normaliseUrl(value)
        if (url !== undefined) return { ok: { kind: 'url', value: url } }
        return { expected: 'an address such as https://example.com/news' }
      },
    },
  ],
  ['after', bound('after')],
  ['before', bound('before')],
  [
    'min_views',
    {
      read(value) {
        const views = parseAmount(value)
        if (views !== undefined) return { ok: { kind: 'min_views', value: views } }
        return {
          expected: 'a whole number such as 1000',
          nearest: /\d{1,9}/.exec(value)?.[0] ?? '1000',
        }
      },
    },
  ],
  // Names that users know from other search engines and from our own parameters.
  ['since', bound('after')],
  ['until', bound('before')],
  ['site', domain],
  ['language', lang],
])

/** Operators of other search engines, and their names here. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['in', 'from'],
  ['user', 'from'],
  ['author', 'from'],
  ['chat', 'from'],
  ['source', 'from'],
  ['filter', 'has'],
  ['type', 'has'],
  ['host', 'domain'],
  ['link', 'url'],
  ['newer_than', 'after'],
  ['older_than', 'before'],
  ['views', 'min_views'],
])

/** Operators with which other search engines search one part of a page; here the whole post is searched. */
const PARTS: ReadonlySet<string> = new Set(['intitle', 'allintitle', 'intext', 'inurl', 'title'])
const ORDER: ReadonlySet<string> = new Set(['sort', 'sortby', 'sort_by', 'order', 'orderby'])
const ORDERS =
  /^(?:newest|oldest|relevance|views|date|time|new|old|recent|latest|popular|asc|desc)$/i
/** Parameters that look as if they had an operator, as `min_views` has. */
const LEAST: ReadonlySet<string> = new Set(['min_reactions', 'min_subscribers'])

/** Signs of the query language, and the values that may follow them. */
const HASHTAG = { sign: '#', takes: /^[\p{L}\p{M}\p{N}_]*[\p{L}_][\p{L}\p{M}\p{N}_]*$/u }
const MENTION = { sign: '@', takes: /^[A-Za-z](?:_?[A-Za-z0-9]){3,31}$/ }
const CASHTAG = { sign: '$', takes: /^[A-Za-z]{2,10}$/ }

/** Our own parameters, and operators of other search engines, for which the query language has a sign. */
const SIGNED: ReadonlyMap<string, { readonly sign: string; readonly takes: RegExp }> = new Map([
  ['hashtag', HASHTAG],
  ['hashtags', HASHTAG],
  ['tag', HASHTAG],
  ['mention', MENTION],
  ['mentions', MENTION],
  ['cashtag', CASHTAG],
  ['ticker', CASHTAG],
])

/** The operator of that name, in any case. */
export function findOperator(name: string): Operator | undefined {
  return OPERATORS.get(name.toLowerCase())
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** The parameter that `sort:newest` or `min_reactions:10` means, which is given beside the query. */
export function parameterOf(name: string, value: string): string | undefined {
  const given = plainName(name)
  if (ORDER.has(given) && ORDERS.test(value)) return 'sort'
  return LEAST.has(given) && parseAmount(value) !== undefined ? given : undefined
}

/**
 * What was probably meant by `name:value` where `name` is not an operator; undefined when it is more likely to be words.
 * It is a slip only if the operator that was meant takes the value or has a nearest one: `form:durov` is one, `note:well`
 * is not.
 */
export function correctOperator(
  name: string,
  value: string,
  asked: ParseContext,
): string | undefined {
  const given = plainName(name)
  const signed = SIGNED.get(given)
  const bare = signed && value.startsWith(signed.sign) ? value.slice(1) : value
  if (signed?.takes.test(bare)) return signed.sign + bare
  if (PARTS.has(given)) return value
  // No two-letter word is near enough to `is` to be sure.
  const near = given.length > 2 ? suggest(given, OPERATORS.keys()) : undefined
  for (const candidate of [OPERATORS.has(given) ? given : undefined, FOREIGN.get(given), near]) {
    const operator = candidate === undefined ? undefined : OPERATORS.get(candidate)
    if (!operator) continue
    const result = operator.read(value, asked)
    if ('ok' in result) return `${candidate}:${value}`
    if (result.nearest !== undefined) return `${candidate}:${result.nearest}`
  }
  return undefined
}

/** Other names for the values of `has:` and `is:`. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['image', 'photo'],
  ['picture', 'photo'],
  ['pic', 'photo'],
  ['file', 'document'],
  ['url', 'link'],
  ['music', 'audio'],
  ['forwarded', 'forward'],
  ['replie', 'reply'],
  ['edit', 'edited'],
])

function oneOf<K extends 'has' | 'is'>(kind: K, values: readonly string[]): Operator {
  return {
    read(value) {
      const given = value.toLowerCase()
      if (values.includes(given)) return { ok: { kind, value: given } as LeafValue }
      const singular = given.replace(/s$/, '')
      const same = SAME.get(singular) ?? SAME.get(given) ?? singular
      const isSure = values.includes(same)
      return {
        expected: `one of ${values.join(', ')}`,
        nearest: isSure ? same : suggest(given, values),
        isSure,
      }
    },
  }
}

/** Country codes that people mistake for the codes of the languages. */
const COUNTRIES: ReadonlyMap<string, string> = new Map(
  'ua:uk cn:zh jp:ja kr:ko cz:cs gr:el dk:da ir:fa il:he vn:vi us:en gb:en br:pt by:be kz:kk rs:sr'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

/** The code of the language of this country, else of one whose name starts with this (`eng`, `deu`) or is similar. */
export function nearestLanguage(value: string): string | undefined {
  const wanted = value.toLowerCase()
  const exact = COUNTRIES.get(wanted)
  if (exact !== undefined || wanted.length < 3) return exact
  const names = new Map([...LANGUAGES].map(([code, { name }]) => [name.toLowerCase(), code]))
  for (const [name, code] of names) if (name.startsWith(wanted)) return code
  for (const [code, { nativeName }] of LANGUAGES) {
    if (nativeName.toLowerCase().startsWith(wanted)) return code
  }
  const name = wanted.length < 4 ? undefined : suggest(wanted, names.keys())
  return name === undefined ? undefined : names.get(name)
}

/** Reads `10000`, `10k` and `1.5M`, the forms in which the platform itself shows views. */
export function parseAmount(value: string): number | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,3}))?([km])?$/i.exec(
    value.replaceAll(/(?<=\d)[_’'](?=\d)/g, ''),
  )
  if (!match || (match[2] !== undefined && match[3] === undefined)) return undefined
  const unit = match[3] === undefined ? 1 : match[3].toLowerCase() === 'k' ? 1000 : 1_000_000
  return Math.round(Number(`${match[1]}.${match[2] ?? 0}`) * unit)
}

/** The host of `example.com`, `*.example.com` or any address on it, in the form in which the links of posts are indexed. */
export function hostOf(value: string): string | undefined {
  const host = hostOfUrl(value.replace(/^(?:\*?\.)/, ''))
  return host !== undefined && /[^.]\.[^.]/.test(host) ? host : undefined
}
