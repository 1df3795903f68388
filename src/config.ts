import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import type * as z from 'zod'
import { isLoopbackHost } from './access/caller.ts'
import type { PictureLimits } from './crawl/picture-bounds.ts'
import type { MediaMode } from './model/picture.ts'
import type { LogLevel } from './observe/log.ts'
import { locateIndex, type IndexLocation, type IndexPlace } from './search/index-location.ts'
import { locateStore, type StoreLocation } from './store/store-location.ts'
import type { Retention } from './store/store.ts'
import { suggest } from './text/suggest.ts'
import { VARIABLES, type Variable } from './variables.ts'
import type { SenderConfig } from './watch/senders.ts'

const PICTURES = 'media'
const MAIL_ADDRESS = /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,250}$/
const BOT_API = 'https://api.telegram.org'
/** A larger picture is left out; thumbnails and photos on pages are below 300 kB. */
const PICTURE_BYTES = 2e6
/** How much is fetched in a UTC day. */
const DAY_BYTES = 500e6

/**
 * The operator's configuration. Read once at start; nothing else reads the environment. `store` and `index` may contain a
 * password and are never shown; `describe` of the opened store gives its location without one.
 */
export interface Config {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Only this machine is served: nobody else can reach an address on the loopback. */
  readonly isPersonal: boolean
  readonly admin: { readonly host: string; readonly port: number } | null
  /** Absolute. Holds the store and the index when they are files. */
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
  /** How many proxies in front of the service are trusted. */
  readonly trustProxy: number
  readonly contact: string | null
  readonly removalUrl: string | null
  /** The address of a timestamp authority. */
  readonly timestampUrl: string | null
  /** How watches send messages. Contains secrets and is never shown. */
  readonly senders: SenderConfig
  readonly media: MediaMode
  readonly pictures: {
    /** Absolute; shared by the processes of a cluster. */
    readonly folder: string
    /** A simulated platform that is asked, with the same paths, instead of the platform's own hosts. */
    readonly url: string | null
    readonly limits: PictureLimits
  }
  readonly log: LogLevel
}

/** Kept apart from `Config`: only a few parts may see these. */
export interface Secrets {
  /** Null when none is configured: one is then created and kept in the data folder. */
  readonly secret: string | null
  /** The key for the server that the command line queries. */
  readonly key: string | null
}

/** Lists every problem of the environment at once. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be read:\n  ${problems.join('\n  ')}`)
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>
type Name = keyof typeof VARIABLES
type Read<V> = V extends { readonly schema: infer Schema extends z.ZodType }
  ? z.output<Schema> | (V extends { readonly default: string } ? never : undefined)
  : never
type Values = { [N in Name]: Read<(typeof VARIABLES)[N]> }

/**
 * Reads every variable, or throws one ConfigError that lists each problem (under the name that `nameOf` gives) and what is
 * accepted.
 */
export function readConfig(
  env: Environment,
  nameOf = (variable: string) => variable,
): { config: Config; secrets: Secrets } {
  const names = Object.keys(VARIABLES) as Name[]
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('TELEGREP_') && !(name in VARIABLES))
    .map((name) => unknownVariable(name, names))
  const values: Partial<Record<Name, unknown>> = {}
  for (const name of names) {
    const variable: Variable = VARIABLES[name]
    const given = env[name] || variable.default
    if (given === undefined) continue
    const parsed = variable.schema.safeParse(given)
    if (parsed.success) values[name] = parsed.data
    else problems.push(`${nameOf(name)} accepts ${variable.accepts}; found ${shown(name, given)}`)
  }
  problems.push(...lonely(env))
  if (problems.length > 0) throw new ConfigError(problems)
  const v = values as Values

  const folder = resolve(v.TELEGREP_DATA)
  const config: Config = {
    host: v.TELEGREP_HOST,
    port: v.TELEGREP_PORT,
    publicUrl: v.TELEGREP_PUBLIC_URL ?? addressOf(v.TELEGREP_HOST, v.TELEGREP_PORT),
    isPersonal: isLoopbackHost(
      v.TELEGREP_PUBLIC_URL ? new URL(v.TELEGREP_PUBLIC_URL).hostname : v.TELEGREP_HOST,
    ),
    admin:
      v.TELEGREP_ADMIN_PORT === null
        ? null
        : { host: v.TELEGREP_ADMIN_HOST, port: v.TELEGREP_ADMIN_PORT },
    dataFolder: folder,
    store: locateStore({
      folder,
      url: v.TELEGREP_DATABASE_URL,
      passwordFile: absolute(v.TELEGREP_DATABASE_PASSWORD_FILE),
      caFile: absolute(v.TELEGREP_DATABASE_CA_FILE),
    }),
    index: locateIndex({ folder, cluster: clusterOf(v) }),
    sourceUrl: v.TELEGREP_SOURCE_URL,
    channelsFile: absolute(v.TELEGREP_CHANNELS),
    crawl: { ratePerS: v.TELEGREP_CRAWL_RATE, concurrency: v.TELEGREP_CRAWL_CONCURRENCY },
    autoIndex: v.TELEGREP_AUTO_INDEX,
    retention: {
      deleted: v.TELEGREP_DELETED,
      versions: v.TELEGREP_VERSIONS,
      days: v.TELEGREP_ARCHIVE_DAYS,
      pictures: v.TELEGREP_MEDIA === 'keep',
    },
    tiersFile: absolute(v.TELEGREP_TIERS),
    anonymous: v.TELEGREP_ANONYMOUS,
    trustProxy: v.TELEGREP_TRUST_PROXY,
    contact: v.TELEGREP_CONTACT ?? null,
    removalUrl: v.TELEGREP_REMOVAL_URL ?? null,
    timestampUrl: v.TELEGREP_TIMESTAMP_URL ?? null,
    media: v.TELEGREP_MEDIA,
    senders: sendersOf(v),
    pictures: {
      folder: absolute(v.TELEGREP_MEDIA_FOLDER) ?? join(folder, PICTURES),
      url: null,
      limits: { pictureBytes: PICTURE_BYTES, dayBytes: DAY_BYTES, bytes: v.TELEGREP_MEDIA_BYTES },
    },
    log: v.TELEGREP_LOG,
  }
  return { config, secrets: { secret: v.TELEGREP_SECRET ?? null, key: v.TELEGREP_KEY ?? null } }
}

function sendersOf(v: Values): SenderConfig {
  const { TELEGREP_BOT_TOKEN_FILE: tokenFile, TELEGREP_SMTP_URL: smtp } = v
  const token = tokenFile === undefined ? null : firstLine(tokenFile).trim()
  return { bot: { origin: BOT_API, token }, mail: smtp === undefined ? null : mailOf(v) }
}

function mailOf(v: Values): SenderConfig['mail'] {
  const { protocol, hostname, port, username } = new URL(v.TELEGREP_SMTP_URL!)
  const { TELEGREP_SMTP_PASSWORD_FILE: passwordFile, TELEGREP_SMTP_CA_FILE: caFile } = v
  const isTls = protocol === 'smtps:'
  const publicHost = new URL(v.TELEGREP_PUBLIC_URL ?? 'http://localhost').hostname
  const user = username === '' ? null : decodeURIComponent(username)
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    isTls,
    user,
    password: passwordFile === undefined ? null : firstLine(passwordFile),
    from: user !== null && MAIL_ADDRESS.test(user) ? user : `telegrep@${publicHost}`,
    ca: caFile === undefined ? null : readFileSync(caFile, 'utf8'),
  }
}

function clusterOf(v: Values): IndexPlace['cluster'] {
  if (v.TELEGREP_SEARCH_URL === undefined) return undefined
  const { TELEGREP_SEARCH_USER: user, TELEGREP_SEARCH_PASSWORD_FILE: passwordFile } = v
  const { TELEGREP_SEARCH_CA_FILE: caFile, TELEGREP_SEARCH_REPLICAS: replicas } = v
  return {
    nodes: v.TELEGREP_SEARCH_URL,
    prefix: v.TELEGREP_SEARCH_PREFIX,
    ...(user !== undefined &&
      passwordFile !== undefined && { auth: { user, password: firstLine(passwordFile) } }),
    ...(caFile !== undefined && { ca: readFileSync(caFile, 'utf8') }),
    layout: { shards: v.TELEGREP_SEARCH_SHARDS, ...(replicas !== undefined && { replicas }) },
  }
}

function firstLine(file: string): string {
  return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? ''
}

/** The first variable of each pair means nothing without the second. */
const TOGETHER: readonly (readonly [Name, Name])[] = [
  ['TELEGREP_DATABASE_PASSWORD_FILE', 'TELEGREP_DATABASE_URL'],
  ['TELEGREP_DATABASE_CA_FILE', 'TELEGREP_DATABASE_URL'],
  ['TELEGREP_SEARCH_USER', 'TELEGREP_SEARCH_URL'],
  ['TELEGREP_SEARCH_USER', 'TELEGREP_SEARCH_PASSWORD_FILE'],
  ['TELEGREP_SEARCH_PASSWORD_FILE', 'TELEGREP_SEARCH_USER'],
  ['TELEGREP_SEARCH_CA_FILE', 'TELEGREP_SEARCH_URL'],
  ['TELEGREP_SMTP_PASSWORD_FILE', 'TELEGREP_SMTP_URL'],
  ['TELEGREP_SMTP_CA_FILE', 'TELEGREP_SMTP_URL'],
]

function lonely(env: Environment): string[] {
  return TOGETHER.filter(([name, other]) => env[name] && !env[other]).map(
    ([name, other]) => `${name} has no meaning without ${other}`,
  )
}

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** For a process that opens both listeners; one that only crawls or indexes may have its admin listener on any port. */
export function refuseSamePort({ host, port, admin }: Config): void {
  if (admin === null || port === 0 || admin.port !== port) return
  if (host !== admin.host && !WILDCARDS.has(host) && !WILDCARDS.has(admin.host)) return
  throw new ConfigError([
    `TELEGREP_ADMIN_PORT is ${port}, as TELEGREP_PORT is: each needs a port of its own`,
  ])
}

/** The same configuration, but with everything in files of this folder, whatever engines are configured. */
export function inFolder(config: Config, folder: string): Config {
  const files = { store: locateStore({ folder }), index: locateIndex({ folder }) }
  const pictures = { ...config.pictures, folder: join(folder, PICTURES) }
  return { ...config, dataFolder: folder, pictures, ...files }
}

/** The address at which people reach a listener; a wildcard is shown as localhost. */
export function addressOf(host: string, port: number): string {
  const shownHost = WILDCARDS.has(host) ? 'localhost' : host
  return `http://${isIP(shownHost) === 6 ? `[${shownHost}]` : shownHost}:${port}`
}

function unknownVariable(name: string, names: readonly string[]): string {
  const near = suggest(name, names)
  return `${name} is not a variable of Telegrep${near === undefined ? '' : `; did you mean ${near}?`}`
}

function shown(name: string, value: string): string {
  if (name === 'TELEGREP_SECRET' || name === 'TELEGREP_KEY')
    return `one of ${value.length} characters`
  return JSON.stringify(withoutPassword(value)).slice(0, 120)
}

/** Hides what may be secret: anything before an @ and after a question mark, even if the value is not a proper address. */
function withoutPassword(value: string): string {
  if (!/[/@]/.test(value)) return value
  return value.replace(/^.*@/s, '…@').replace(/\?.*$/s, '?…')
}

function absolute(path: string | undefined): string | null {
  return path === undefined ? null : resolve(path)
}
