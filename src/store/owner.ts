/** Who holds a lease: a process of a host. A store that only processes of one host open can tell which leases are of the dead. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { isAlive } from '../model/process-alive.ts'

const SEPARATOR = '/'

export function createOwner(): string {
  return [hostname(), process.pid, randomUUID()].join(SEPARATOR)
}

/**
 * True when the owner was a process of this host that runs no more; its number may have been given to ourselves.
 * Containers that share a host name (the host's network, say) look alike, each its own process 1, and so does one that
 * was restarted: their pid namespaces would tell one from another, but not the dead from the living. So a
 * living one may be taken for dead when another starts: its visits under way are then void and made again.
 */
export function isDeadHere(owner: string, self: string): boolean {
  const [host, pid] = owner.split(SEPARATOR)
  if (owner === self || host !== hostname() || !/^\d+$/.test(pid ?? '')) return false
  return Number(pid) === process.pid || !isAlive(Number(pid))
}
