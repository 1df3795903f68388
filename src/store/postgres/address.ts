import { readFileSync } from 'node:fs'

/** The address and the user of a database; passwords and certificates may come from files. */
export interface PostgresAddress {
  /**
   * `postgres://user:password@host:port/database`. With `?sslmode=require`, or one of the `verify-` modes, TLS is used; with
   * `prefer` or `allow`, if the server supports it; otherwise the connection is plain text.
   */
  readonly url: string
  /** Takes precedence over a password in the URL. */
  readonly passwordFile?: string | undefined
  /** Certificate authorities for the server's certificate. Requires TLS and a certificate for the host's name. */
  readonly caFile?: string | undefined
}

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly ssl: false | 'prefer' | { readonly rejectUnauthorized: boolean; readonly ca?: string }
  /** `host:port/database`, for people. */
  readonly place: string
}

const DEFAULT_PORT = 5432

/** Throws an error whose message never contains the password. */
export function readAddress({ url, passwordFile, caFile }: PostgresAddress): ConnectionOptions {
  const { hostname, port, pathname, username, password, searchParams } = parsed(url)
  const host = decoded(hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'
  const user = decoded(username) || 'telegrep'
  const database = decoded(pathname.slice(1)) || user
  const number = port === '' ? DEFAULT_PORT : Number(port)
  const secret = passwordFile === undefined ? decoded(password) : firstLine(passwordFile)
  return {
    host,
    port: number,
    database,
    user,
    password: secret,
    ssl: sslOf(searchParams.get('sslmode'), caFile),
    place: `${host.includes(':') ? `[${host}]` : host}:${number}/${database}`,
  }
}

function parsed(url: string): URL {
  if (!/^postgres(ql)?:/.test(url) || (!URL.canParse(url) && !url.includes('@')))
    throw new Error('the address of the database has to be like postgres://user@host:5432/database')
  // An unescaped #, ? or / in the password would turn whatever follows, even the host, into another part of the URL.
  const isCut = URL.canParse(url) && (new URL(url).hash !== '' || new URL(url).search.includes('@'))
  if (!URL.canParse(url) || isCut || /\/[^/]*@/.test(new URL(url).pathname)) throw new Error(ENCODE)
  return new URL(url)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(ENCODE)
  }
}

const ENCODE =
  'the address of the database could not be read: in its user and password write # as %23, % as %25, / as %2F, : as %3A, ? as %3F and @ as %40, or give the password in a file'

/** With a CA file, a server whose certificate it did not sign is never talked to. */
function sslOf(mode: string | null, caFile: string | undefined): ConnectionOptions['ssl'] {
  if (caFile !== undefined) return { rejectUnauthorized: true, ca: readFileSync(caFile, 'utf8') }
  if (mode === null || mode === 'disable') return false
  // `allow` is treated like `prefer`: they differ only in which is tried first.
  if (mode === 'prefer' || mode === 'allow') return 'prefer'
  return { rejectUnauthorized: mode.startsWith('verify-') }
}

function firstLine(file: string): string {
  return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0]!
}
