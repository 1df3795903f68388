import { resolve } from 'node:path'
import { isIP } from 'node:net'
import * as z from 'zod'
import { LOG_LEVELS } from './observe/log.ts'
import type { LogLevel } from './observe/log.ts'
import { locateIndex, type IndexLocation } from './search/index-location.ts'
import { locateStore, type StoreLocation } from './store/store-location.ts'
import type { Retention } from './store/store.ts'
import { suggest } from './text/suggest.ts'

/** What the operator decided. Made once at start; nothing else reads the environment. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly admin: { readonly host: string; readonly port: number } | null
  /** Absolute; where what is kept in files is. */
  readonly dataFolder: string
  readonly store: StoreLocation
  readonly index: IndexLocation
  readonly sourceUrl: string
  /** Absolute. */
  readonly channelsFile: string | null
  readonly crawl: { readonly ratePerS: number; readonly concurrency: number }
  readonly autoIndex: 'off' | 'live' | 'discover'
  readonly retention: Retention
  /** Absolute. */
  readonly tiersFile: string | null
  readonly anonymous: boolean
  /** How many hops in front of us are believed. */
  readonly trustProxy: number
  readonly contact: string | null
  readonly removalUrl: string | null
  readonly media: 'link' | 'show'
  readonly log: LogLevel
}

/** Kept apart from Config so that a configuration can be printed. */
export interface Secrets {
  /** Null: made once and kept in the data folder. */
  readonly secret: string | null
  /** Of a server that the command line asks. */
  readonly key: string | null
}

interface Variable {
  /** What the documentation shows. */
  readonly default: string
  readonly accepts: string
  readonly meaning: string
  readonly schema: z.ZodType
}

const digits = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
const port = digits.pipe(z.number().max(65535))
const host = z.string().refine((h) => isIP(h) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(h))
const webAddress = z
  .url({ protocol: /^https?$/ })
  .transform((address) => address.replace(/\/+$/, ''))
const origin = webAddress
  .refine((address) => new URL(address).href === `${new URL(address).origin}/`)
  .transform((address) => new URL(address).origin)
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')

/** The one table of variables; `docs/configuration.md` is held equal to it. */
export const VARIABLES = {
  TELEGREP_HOST: {
    default: '127.0.0.1',
    accepts: 'an address or host name',
    meaning: 'address to listen on',
    schema: host.default('127.0.0.1'),
  },
  TELEGREP_PORT: {
    default: '8080',
    accepts: 'a port, 0 to 65535 (0: any free one)',
    meaning: 'port to listen on',
    schema: port.default(8080),
  },
  TELEGREP_PUBLIC_URL: {
    default: 'from host and port',
    accepts: 'an http or https origin without a path',
    meaning: 'base of absolute links',
    schema: origin.optional(),
  },
  TELEGREP_ADMIN_HOST: {
    default: '127.0.0.1',
    accepts: 'an address or host name',
    meaning: 'address of the admin listener',
    schema: host.default('127.0.0.1'),
  },
  TELEGREP_ADMIN_PORT: {
    default: 'off',
    accepts: 'a port, or off',
    meaning: 'port of the admin listener, which serves `/metrics`',
    schema: z.union([z.literal('off').transform(() => null), port]).default(null),
  },
  TELEGREP_DATA: {
    default: './data',
    accepts: 'a folder that exists or can be made',
    meaning: 'store and index',
    schema: z.string().min(1).default('./data'),
  },
  TELEGREP_SECRET: {
    default: 'made once in `TELEGREP_DATA`, mode 0600',
    accepts: 'at least 16 characters',
    meaning: 'signs cursors, peppers keys',
    schema: z.string().min(16).optional(),
  },
  TELEGREP_SOURCE_URL: {
    default: 'https://t.me',
    accepts: 'an http or https origin without a path',
    meaning: 'where channels are read from',
    schema: origin.default('https://t.me'),
  },
  TELEGREP_DATABASE_URL: {
    default: 'unset: SQLite in `TELEGREP_DATA`',
    accepts: 'nothing yet: this release has the embedded store only',
    meaning: 'reserved for a server database',
    schema: z.never().optional(),
  },
  TELEGREP_SEARCH_URL: {
    default: 'unset: embedded index in `TELEGREP_DATA`',
    accepts: 'nothing yet: this release has the embedded index only',
    meaning: 'reserved for a search cluster',
    schema: z.never().optional(),
  },
  TELEGREP_CHANNELS: {
    default: 'unset',
    accepts: 'a file of channel names, one a line',
    meaning: 'channels to index from the start',
    schema: z.string().min(1).optional(),
  },
  TELEGREP_CRAWL_RATE: {
    default: '1',
    accepts: 'requests per second, 0.1 to 1000',
    meaning:
      'at most rate + 3 requests in any second and rate × 60 in any minute, over all processes and restarts',
    schema: z
      .string()
      .regex(/^\d{1,4}(\.\d{1,6})?$/)
      .transform(Number)
      .pipe(z.number().min(0.1).max(1000))
      .default(1),
  },
  TELEGREP_CRAWL_CONCURRENCY: {
    default: '4',
    accepts: '1 to 64',
    meaning: 'channels read at the same time',
    schema: digits.pipe(z.number().min(1).max(64)).default(4),
  },
  TELEGREP_AUTO_INDEX: {
    default: 'off',
    accepts: 'off, live or discover',
    meaning:
      '`live`: index channels read by `/live`; `discover`: also those found in forwards and mentions',
    schema: z.enum(['off', 'live', 'discover']).default('off'),
  },
  TELEGREP_DELETED: {
    default: 'redact',
    accepts: 'redact or keep',
    meaning: '`keep`: the text of deleted posts stays',
    schema: z.enum(['redact', 'keep']).default('redact'),
  },
  TELEGREP_VERSIONS: {
    default: 'keep',
    accepts: 'keep or hash',
    meaning: '`hash`: earlier versions as dates and hashes only',
    schema: z.enum(['keep', 'hash']).default('keep'),
  },
  TELEGREP_ARCHIVE_DAYS: {
    default: 'unlimited',
    accepts: 'days, at least 31, or unlimited',
    meaning: 'older posts are dropped from the archive, and not taken in',
    schema: z
      .union([z.literal('unlimited').transform(() => null), digits.pipe(z.number().min(31))])
      .default(null),
  },
  TELEGREP_TIERS: {
    default: 'built-in',
    accepts: 'a JSON file',
    meaning: 'tiers and their policies',
    schema: z.string().min(1).optional(),
  },
  TELEGREP_ANONYMOUS: {
    default: 'on',
    accepts: 'on or off',
    meaning: '`off`: a key is required',
    schema: onOff.default(true),
  },
  TELEGREP_TRUST_PROXY: {
    default: 'off',
    accepts: 'off, or 1 to 16 hops',
    meaning: 'hops whose `X-Forwarded-For` is believed',
    schema: z
      .union([z.literal('off').transform(() => 0), digits.pipe(z.number().min(1).max(16))])
      .default(0),
  },
  TELEGREP_CONTACT: {
    default: 'unset',
    accepts: 'an address, mail or web, up to 200 characters',
    meaning:
      'told in `/meta`, in `/.well-known/security.txt` and to the platform in the User-Agent',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .optional(),
  },
  TELEGREP_REMOVAL_URL: {
    default: 'unset',
    accepts: 'an http or https address',
    meaning: 'where removal can be asked for; told in `/meta`',
    schema: webAddress.optional(),
  },
  TELEGREP_MEDIA: {
    default: 'link',
    accepts: 'link or show',
    meaning:
      '`show`: the web page loads media from the platform’s CDN; otherwise placeholders link to the post',
    schema: z.enum(['link', 'show']).default('link'),
  },
  TELEGREP_LOG: {
    default: 'info',
    accepts: LOG_LEVELS.join(', '),
    meaning: 'JSON lines, or a human form on a terminal',
    schema: z.enum(LOG_LEVELS).default('info'),
  },
  TELEGREP_KEY: {
    default: 'unset',
    accepts: 'an API key',
    meaning: 'sent by query commands with `--url`, in place of `--key`',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,256}$/)
      .optional(),
  },
} satisfies Record<string, Variable>

/** All that is wrong with the environment, at once. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be read:\n  ${problems.join('\n  ')}`)
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>
type Name = keyof typeof VARIABLES
type Values = { [N in Name]: z.output<(typeof VARIABLES)[N]['schema']> }

/** Reads every variable, or throws one ConfigError that names each problem and what is accepted. */
export function readConfig(env: Environment): { config: Config; secrets: Secrets } {
  const names = Object.keys(VARIABLES) as Name[]
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('TELEGREP_') && !(name in VARIABLES))
    .map((name) => unknownVariable(name, names))
  const values: Partial<Record<Name, unknown>> = {}
  for (const name of names) {
    const given = env[name] === '' ? undefined : env[name]
    const parsed = VARIABLES[name].schema.safeParse(given)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${name} accepts ${VARIABLES[name].accepts}; found ${shown(name, given)}`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const v = values as Values

  const folder = resolve(v.TELEGREP_DATA)
  const config: Config = {
    host: v.TELEGREP_HOST,
    port: v.TELEGREP_PORT,
    publicUrl: v.TELEGREP_PUBLIC_URL ?? addressOf(v.TELEGREP_HOST, v.TELEGREP_PORT),
    admin:
      v.TELEGREP_ADMIN_PORT === null
        ? null
        : { host: v.TELEGREP_ADMIN_HOST, port: v.TELEGREP_ADMIN_PORT },
    dataFolder: folder,
    store: locateStore({ folder }),
    index: locateIndex({ folder }),
    sourceUrl: v.TELEGREP_SOURCE_URL,
    channelsFile: absolute(v.TELEGREP_CHANNELS),
    crawl: { ratePerS: v.TELEGREP_CRAWL_RATE, concurrency: v.TELEGREP_CRAWL_CONCURRENCY },
    autoIndex: v.TELEGREP_AUTO_INDEX,
    retention: {
      deleted: v.TELEGREP_DELETED,
      versions: v.TELEGREP_VERSIONS,
      days: v.TELEGREP_ARCHIVE_DAYS,
    },
    tiersFile: absolute(v.TELEGREP_TIERS),
    anonymous: v.TELEGREP_ANONYMOUS,
    trustProxy: v.TELEGREP_TRUST_PROXY,
    contact: v.TELEGREP_CONTACT ?? null,
    removalUrl: v.TELEGREP_REMOVAL_URL ?? null,
    media: v.TELEGREP_MEDIA,
    log: v.TELEGREP_LOG,
  }
  return { config, secrets: { secret: v.TELEGREP_SECRET ?? null, key: v.TELEGREP_KEY ?? null } }
}

/** The same with everything in files of this folder, whatever engines are configured. */
export function inFolder(config: Config, folder: string): Config {
  const files = { store: locateStore({ folder }), index: locateIndex({ folder }) }
  return { ...config, dataFolder: folder, ...files }
}

/** The address people reach a listener by: a wildcard is shown as the loopback. */
export function addressOf(host: string, port: number): string {
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${isIP(shownHost) === 6 ? `[${shownHost}]` : shownHost}:${port}`
}

function unknownVariable(name: string, names: readonly string[]): string {
  const near = suggest(name, names)
  return `${name} is not a variable of Telegrep${near === undefined ? '' : `; did you mean ${near}?`}`
}

function shown(name: string, value: string | undefined): string {
  if (name === 'TELEGREP_SECRET' || name === 'TELEGREP_KEY')
    return `one of ${value?.length ?? 0} characters`
  return JSON.stringify(value ?? '').slice(0, 120)
}

function absolute(path: string | undefined): string | null {
  return path === undefined ? null : resolve(path)
}
