import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../model/clock.ts'
import { generationPath } from './control.ts'
import { compareAll, damageIn, reportedDamage } from './damage.ts'
import { createGuard, type Guard } from './guard.ts'
import { openChecksums } from './checksums.ts'
import {
  createTables,
  FORMAT,
  openForReading,
  openForWriting,
  closeOnError,
  readMeta,
} from './schema.ts'

/** A generation as its writer has it open. */
export interface GenerationFile {
  readonly generation: number
  readonly db: DatabaseSync
  readonly guard: Guard
}

interface Place {
  readonly folder: string
  readonly clock: Clock
}

export function openGeneration(place: Place, generation: number): GenerationFile {
  const path = generationPath(place.folder, generation)
  const db = openForWriting(path)
  return closeOnError(db, () => ({
    generation,
    db,
    guard: createGuard({ path, generation, db, clock: place.clock }),
  }))
}

export function createGeneration(
  place: Place,
  generation: number,
  values: Readonly<Record<string, number>>,
): GenerationFile {
  {
    using db = openForWriting(generationPath(place.folder, generation))
    createTables(db, { generation, token: 0, complete: 0, ...values })
  }
  return openGeneration(place, generation)
}

/** Why a generation cannot be used: it is damaged, or, if `damage` is null, missing or in another format. */
export function troubleWith(
  folder: string,
  generation: number,
): { readonly damage: string | null } | undefined {
  if (generation === 0) return { damage: null }
  const path = generationPath(folder, generation)
  const damage = reportedDamage(folder, generation) ?? compareAll(path)
  if (damage !== undefined) return { damage }
  try {
    using db = openForReading(path)
    if (readMeta(db, 'format') !== FORMAT) return { damage: null }
    // After a crash SQLite replays the log as far as it is intact, and silently drops the rest.
    const isBehind = readMeta(db, 'seq') < lastNoted(path)
    return isBehind
      ? { damage: `the log of ${basename(path)} lost what was written last` }
      : undefined
  } catch (error) {
    return { damage: damageIn(error, path) ?? null }
  }
}

function lastNoted(path: string): number {
  using sums = openChecksums(path, 'read')
  return sums?.seq ?? 0
}
