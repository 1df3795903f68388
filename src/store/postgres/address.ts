import { readFileSync } from 'node:fs'

/** Where a database is and who asks; passwords and certificates may come from files. */
export interface PostgresAddress {
  /** `postgres://user:password@host:port/database`; `?sslmode=` as PostgreSQL's own programs read it. */
  readonly url: string
  /** Wins over a password in the URL. */
  readonly passwordFile?: string | undefined
  /** The certificates that the server's must be signed by; asks for TLS and for the host's own name. */
  readonly caFile?: string | undefined
}

export interface Connection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly ssl: false | { readonly rejectUnauthorized: boolean; readonly ca?: string }
  /** `host:port/database`, for people. */
  readonly place: string
}

const DEFAULT_PORT = 5432

/** Throws a sentence that never holds the password. */
export function readAddress({ url, passwordFile, caFile }: PostgresAddress): Connection {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new Error('the address of the database has to be like postgres://user@host:5432/database')
  const { hostname, port, pathname, username, password, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost'
  const user = decodeURIComponent(username) || 'telegrep'
  const database = decodeURIComponent(pathname.slice(1)) || user
  const number = port === '' ? DEFAULT_PORT : Number(port)
  const secret = passwordFile === undefined ? decodeURIComponent(password) : firstLine(passwordFile)
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

/** With a file of certificates a server that cannot show one of theirs is never talked to. */
function sslOf(mode: string | null, caFile: string | undefined): Connection['ssl'] {
  if (caFile !== undefined) return { rejectUnauthorized: true, ca: readFileSync(caFile, 'utf8') }
  if (mode === null || ['disable', 'allow', 'prefer'].includes(mode)) return false
  return { rejectUnauthorized: mode.startsWith('verify-') }
}

function firstLine(file: string): string {
  return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0]!
}
