import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { Tier } from './tiers.ts'

/** Who asks, as far as quotas and `/meta` are concerned. */
export interface Caller {
  /** What usage is counted by: `key:<id>`, or `net:<hash>` of an address. Never the address itself. */
  readonly id: string
  readonly tier: Tier
  readonly key: KeyCard | null
}

/** What may be shown of a key. */
interface KeyCard {
  readonly prefix: string
  readonly name: string | null
  readonly createdAt: number
}

/** A household has a whole IPv6 /64, so that is what is counted. Addresses are only kept as hashes. */
export function addressId(address: string, pepper: string): string {
  return `net:${createHmac('sha256', pepper).update('address').update(network(address)).digest('base64url').slice(0, 22)}`
}

/** IPv4 as it is, IPv6 as its /64, IPv4 mapped into IPv6 as IPv4; anything else is one common network. */
export function network(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return 'unknown'
  const groups = expand(bare)
  const isMapped = groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff
  if (isMapped) {
    const [high, low] = [groups[6]!, groups[7]!]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((g) => g.toString(16))
    .join(':')}::/64`
}

function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const plain = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address
  const [head, tail] = plain.split('::') as [string, string | undefined]
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((g) => parseInt(g, 16)))
  const before = parse(head)
  const after = tail === undefined ? [] : parse(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** The address of callers on this machine itself, without a proxy in between. */
export const LOCAL = 'local'

/** Whether a socket's address is this machine's own. */
export function isLoopback(address: string): boolean {
  const bare = address.replace(/^::ffff:/, '')
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/** Whether a host, as an address names it, is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return bare === 'localhost' || bare.endsWith('.localhost') || isLoopback(bare)
}

/**
 * The address that a request came from: the socket's or, with `hops` trusted proxies in front, the one that the outermost of
 * them saw. What the caller itself wrote into the header stands further left and is never used.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string {
  const socket = socketAddress ?? ''
  if (hops === 0 || forwardedFor === undefined) return socket
  const chain = forwardedFor.split(',').map((part) => part.trim())
  const named = chain[Math.max(0, chain.length - hops)] ?? socket
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(named)?.[1] ?? named.replace(/^([\d.]+):\d+$/, '$1')
  return isIPv4(bare) || isIPv6(bare) ? bare : socket
}
