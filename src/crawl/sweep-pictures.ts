import type { Clock } from '../model/clock.ts'
import { inBatches } from '../model/in-batches.ts'
import { MINUTE_MS } from '../model/time.ts'
import { acquireRole } from '../store/acquire-role.ts'
import type { PictureFiles } from '../store/picture-files.ts'
import { PICTURE_KEEPER, type Pictures } from '../store/pictures.ts'
import type { Store } from '../store/store.ts'

/** Files are erased after the rows that named them; files that a crash left without a row are found by scanning the folder. */

const BATCH = 200
const LEASE_MS = 60_000
/** A file is written before its row, so a younger file may still get one. */
const SETTLED_MS = 10 * MINUTE_MS

/** Erases the files that no picture uses any more; resolves to how many. One that is used again meanwhile becomes wanted. */
export async function eraseUnused(
  pictures: Pictures,
  files: PictureFiles,
  clock: Clock,
): Promise<number> {
  let erased = 0
  for (;;) {
    const hashes = await pictures.unused(BATCH)
    for (const sha256 of hashes) await files.remove(sha256)
    if (hashes.length > 0) await pictures.forget(hashes, clock.now())
    erased += hashes.length
    if (hashes.length < BATCH) return erased
  }
}

/** The same for a process that is not fetching. False when the process that fetches has to do it, within some seconds. */
export async function tryEraseUnused(
  { pictures, roles }: Pick<Store, 'pictures' | 'roles'>,
  files: PictureFiles,
  clock: Clock,
): Promise<boolean> {
  await using held = await acquireRole(roles, PICTURE_KEEPER, { ttlMs: LEASE_MS })
  if (held) await eraseUnused(pictures, files, clock)
  return held !== undefined
}

/** Erases files that no row names in one of the 256 subfolders, and half-written ones. */
export async function sweepPart(
  pictures: Pictures,
  files: PictureFiles,
  options: { readonly part: number; readonly now: number; readonly settledMs?: number },
): Promise<number> {
  const { now, settledMs = SETTLED_MS } = options
  const part = options.part.toString(16).padStart(2, '0')
  const { hashes, torn } = await files.part(part)
  const isOld = async (name: string) => ((await files.ageMs(part, name, now)) ?? 0) >= settledMs
  let erased = 0
  for (const some of inBatches(hashes, BATCH)) {
    const held = await pictures.used(some)
    for (const sha256 of some) {
      if (held.has(sha256) || !(await isOld(sha256))) continue
      await files.remove(sha256)
      erased++
    }
  }
  for (const name of torn) {
    if (!(await isOld(name))) continue
    await files.removeTorn(part, name)
    erased++
  }
  return erased
}
