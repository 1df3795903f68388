import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/**
 * Keeps requests to addresses that others choose away from this host and its network. A name is judged by the addresses that
 * the connection itself uses, so that DNS rebinding between a check and the connection gains nothing.
 */

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** All blocks that are not part of the public Internet: RFC 6890 and its successors. */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Exceptions in 2000::/3, the only block assigned to the Internet: tunnels that embed an IPv4 address, documentation. */
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const notPublic4 = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_4) notPublic4.addSubnet(net, prefix, 'ipv4')
const notPublic6 = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_6) notPublic6.addSubnet(net, prefix, 'ipv6')
const internet6 = new BlockList()
internet6.addSubnet('2000::', 3, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4')
  // IPv4-mapped addresses such as `::ffff:127.0.0.1` lie outside the block that is allowed.
  const bare = address.replace(/%.*$/, '')
  return isIP(bare) === 6 && internet6.check(bare, 'ipv6') && !notPublic6.check(bare, 'ipv6')
}

/** Whether the host of a URL is a literal address that is not public; false for names. */
export function isPrivateLiteral(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly hints?: number; readonly family?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A lookup function for sockets: resolves a name as the system does, and refuses it if any of its addresses is not public. */
export function publicLookup(resolve: Resolve = systemLookup as Resolve): LookupFunction {
  return (hostname, { all, hints, family }, done) => {
    const asked = typeof family === 'number' ? { family } : {}
    resolve(
      hostname,
      { all: true, ...(hints === undefined ? {} : { hints }), ...asked },
      (error, found) => {
        if (error) return done(error, [])
        const [first] = found
        if (!first || found.some(({ address }) => !isPublicAddress(address)))
          return done(new PrivateAddressError('the address is private'), [])
        if (all) return done(null, found)
        return done(null, first.address, first.family)
      },
    )
  }
}
