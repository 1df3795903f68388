/** The holder of a lease: a process on a host. A store that only one host's processes open can tell which holders are dead. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const SEPARATOR = '/'

export function createOwner(): string {
  return [hostname(), process.pid, randomUUID()].join(SEPARATOR)
}

/**
 * True when the owner was a process on this host that no longer runs; its pid may since have been given to this process.
 * Containers that share a host name (on the host's network, say) cannot be told apart, each being its own process 1, and
 * neither can a container that was restarted: their pid namespaces differ, but do not tell the dead from the living. So a
 * living container may be taken for dead when another starts: its visits under way are then voided and made again.
 */
export function isDeadHere(owner: string, self: string): boolean {
  const [host, pid] = owner.split(SEPARATOR)
  if (owner === self || host !== hostname() || !/^\d+$/.test(pid ?? '')) return false
  return Number(pid) === process.pid || !isAlive(Number(pid))
}

/** EPERM means that it runs, but belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
