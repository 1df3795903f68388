import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/**
 * Keeps what is sent on somebody's word away from this host and the network it stands in. A name is judged by the addresses that
 * the connection itself is about to use, so that one that is resolved anew between a check and the connection gains nothing.
 */

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** Everything that is not an address of the public Internet: RFC 6890 and those that followed. */
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
/** Of the only block that is given to the Internet, what leads elsewhere: tunnels that hold an IPv4 address, and examples. */
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
  // IPv4 in the clothes of IPv6, `::ffff:127.0.0.1` and the like, lies outside of the block that is let through.
  const bare = address.replace(/%.*$/, '')
  return isIP(bare) === 6 && internet6.check(bare, 'ipv6') && !notPublic6.check(bare, 'ipv6')
}

/** Of an address in a URL that needs no looking up; false for names. */
export function isPrivateLiteral(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && !isPublicAddress(host)
}

export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly hints?: number; readonly family?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** For sockets: looks a name up as the system does, and refuses it when any of its addresses is not public. */
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
