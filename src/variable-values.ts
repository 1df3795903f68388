import { accessSync, constants, statSync } from 'node:fs'
import { isIP } from 'node:net'
import * as z from 'zod'

/** The kinds of values that variables have, and how each is parsed. */

interface Value<Schema extends z.ZodType> {
  readonly accepts: string
  readonly schema: Schema
}

function value<Schema extends z.ZodType>(accepts: string, schema: Schema): Value<Schema> {
  return { accepts, schema }
}

export const digits = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
export const port = digits.pipe(z.number().max(65535))
export const onOff = z.enum(['on', 'off']).transform((word) => word === 'on')
export const nodes = z.string().transform((text, check) => {
  const origins = nodesOf(text)
  if (origins) return origins
  check.addIssue({ code: 'custom', message: 'no list of nodes' })
  return z.NEVER
})

/** Accepts a word with a meaning of its own besides the schema's values. */
export function wordOr<const T, Schema extends z.ZodType>(word: string, means: T, schema: Schema) {
  return z.union([z.literal(word).transform(() => means), schema])
}

export function whole(min: number, max: number) {
  return value(`${min} to ${max}`, digits.pipe(z.number().min(min).max(max)))
}

export function oneOf<const T extends string>(words: readonly T[]) {
  return value(words.join(', ').replace(/, (\w+)$/, ' or $1'), z.enum(words))
}

const address = z.url({ protocol: /^https?$/ }).transform((given) => given.replace(/\/+$/, ''))
export const webAddress = value('an http or https address', address)
export const origin = value(
  'an http or https origin without a path',
  address
    .refine((given) => new URL(given).href === `${new URL(given).origin}/`)
    .transform((given) => new URL(given).origin),
)
export const host = value(
  'an address or host name',
  z.string().refine((given) => isIP(given) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(given)),
)
export const folder = {
  ...value('a folder that exists or can be made', z.string().min(1)),
  isPath: true,
}
export const readableFile = {
  ...value('a file that can be read', z.string().refine(canBeRead)),
  isPath: true,
}

const UNITS: Readonly<Record<string, number>> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
export const size = z
  .string()
  .regex(/^\d{1,15}(?:kB|MB|GB|TB)?$/)
  .transform((text) => parseInt(text, 10) * UNITS[text.replace(/^\d+/, '')]!)
  .pipe(z.number().min(1).max(1e15))

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

export function isMailUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, password, pathname, search } = new URL(text)
  const isBare = password === '' && search === '' && (pathname === '' || pathname === '/')
  return /^smtps?:$/.test(protocol) && hostname !== '' && isBare
}

export function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, searchParams } = new URL(text)
  if (!/^postgres(ql)?:$/.test(protocol) || hostname === '') return false
  return [...searchParams].every(([name, value]) =>
    name === 'schema'
      ? /^[a-z][a-z0-9_]{0,40}$/.test(value)
      : name === 'sslmode' && SSL_MODES.includes(value),
  )
}

/** `http://a:9200,b:9200` → one origin per node; nodes without a protocol take that of the first. */
function nodesOf(text: string): string[] | undefined {
  const protocol = /^(https?:\/\/)/.exec(text)?.[1]
  if (protocol === undefined) return undefined
  const addresses = text
    .split(',')
    .map((node) => node.trim().replace(/\/$/, ''))
    .map((node) => (/^https?:\/\//.test(node) ? node : `${protocol}${node}`))
  const isNode = (node: string) =>
    URL.canParse(node) && new URL(node).href === `${new URL(node).origin}/`
  return addresses.every(isNode) ? addresses.map((node) => new URL(node).origin) : undefined
}

function canBeRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return !statSync(file).isDirectory()
  } catch {
    return false
  }
}
