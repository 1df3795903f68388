import type { Clock } from '../model/clock.ts'
import { inParts } from '../model/in-parts.ts'
import { MINUTE_MS } from '../model/time.ts'
import { holdRole } from '../store/hold-role.ts'
import type { PictureFiles } from '../store/picture-files.ts'
import { PICTURE_KEEPER, type Pictures } from '../store/pictures.ts'
import type { Store } from '../store/store.ts'

/** Files go after the rows that named them; what a crash left without a row is found by looking. */

const BATCH = 200
const LEASE_MS = 60_000
/** A file is written before its row; a younger one may still get it. */
const SETTLED_MS = 10 * MINUTE_MS

/** Erases the files of pictures that are gone; resolves to how many. An import may bring one back in that moment: it is wanted again. */
export async function eraseLoose(
  pictures: Pictures,
  files: PictureFiles,
  clock: Clock,
): Promise<number> {
  let erased = 0
  for (;;) {
    const hashes = await pictures.loose(BATCH)
    for (const sha256 of hashes) await files.remove(sha256)
    if (hashes.length > 0) await pictures.forget(hashes, clock.now())
    erased += hashes.length
    if (hashes.length < BATCH) return erased
  }
}

/** The same by whoever is not fetching: false where another process has to do it, which takes it some seconds. */
export async function eraseLooseNow(
  { pictures, roles }: Pick<Store, 'pictures' | 'roles'>,
  files: PictureFiles,
  clock: Clock,
): Promise<boolean> {
  await using held = await holdRole(roles, PICTURE_KEEPER, { ttlMs: LEASE_MS })
  if (held) await eraseLoose(pictures, files, clock)
  return held !== undefined
}

/** Erases what nobody knows of in one of the folder's 256 parts, and what is half written. */
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
  for (const some of inParts(hashes, BATCH)) {
    const held = await pictures.held(some)
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
