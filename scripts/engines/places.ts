import { chownSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where files are kept: downloads are shared, running data belongs to one instance. */
export interface Places {
  /** Archives as fetched, each verified. */
  readonly downloads: string
  /** Unpacked archives. */
  readonly software: string
  /** Data, logs and the record of one instance. */
  readonly instance: string
}

/** The user that engines run as; undefined means the current one. Both engines refuse to run as root. */
export type EngineUser = { readonly uid: number; readonly gid: number } | undefined

const NOBODY = 65_534

export function engineUser(): EngineUser {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
}

/** The user's cache, or for root a folder that the engines' own user can reach: root's home is closed to others. */
export function defaultCache(): string {
  if (engineUser()) return '/var/cache/telegrep-engines'
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'telegrep-engines')
}

export function openPlaces(cache: string, name: string): Places {
  const places = {
    downloads: join(cache, 'downloads'),
    software: join(cache, 'software'),
    instance: join(cache, 'instances', name),
  }
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true })
  return places
}

/** Creates a folder that the engine may write to. */
export function makeFolder(folder: string, user: EngineUser): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}
