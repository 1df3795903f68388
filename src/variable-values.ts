import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import * as z from 'zod'

/** What kinds of values variables have, and how each is read. */

export const digits = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
export const port = digits.pipe(z.number().max(65535))
export const host = z.string().refine((h) => isIP(h) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(h))
export const webAddress = z
  .url({ protocol: /^https?$/ })
  .transform((address) => address.replace(/\/+$/, ''))
export const origin = webAddress
  .refine((address) => new URL(address).href === `${new URL(address).origin}/`)
  .transform((address) => new URL(address).origin)
export const readableFile = z.string().refine(canBeRead)
export const nodes = z.string().transform((text, check) => {
  const origins = nodesOf(text)
  if (origins) return origins
  check.addIssue({ code: 'custom', message: 'no list of nodes' })
  return z.NEVER
})
export const SIZES = 'a number of bytes, also with kB, MB, GB or TB'
const UNITS: Readonly<Record<string, number>> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
export const size = z
  .string()
  .regex(/^\d{1,15}(?:kB|MB|GB|TB)?$/)
  .transform((text) => parseInt(text, 10) * UNITS[text.replace(/^\d+/, '')]!)
  .pipe(z.number().min(1).max(1e15))
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')

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

/** `http://a:9200,b:9200` → an origin each; those that name no protocol have the one before. */
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
    return true
  } catch {
    return false
  }
}
