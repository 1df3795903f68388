import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The scope within which a process id is unique: this host since its boot, or this container. */
export function processPlace(): string {
  const parts = [hostname()]
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
    parts.push(readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Not Linux: there are no containers that share a host name.
  }
  return parts.join(' ')
}
