import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { openChecksums } from './checksums.ts'

/** SQLite's words for a file that is corrupt or no database. */
const CORRUPT = new Set([11, 26])
/** What it found was shorter than the file says of itself. */
const SHORT_READ = 10 | (2 << 8)
const REPORT = 'damage.json'

/** What an error tells of damage to the file it came from; undefined where it may have another cause. */
export function damageIn(error: unknown, path: string): string | undefined {
  const { errcode, message } = error as { errcode?: unknown; message?: unknown }
  if (typeof errcode !== 'number') return undefined
  // An empty file is a database to SQLite, and so is another one in its place; without sums nothing else would tell.
  const isOther = String(message).startsWith('no such table')
  if (!CORRUPT.has(errcode & 0xff) && errcode !== SHORT_READ && !isOther) return undefined
  return `${basename(path)}: ${String(message)}`
}

/** Damage that somebody has met; of the control file where no generation is named. */
interface Report {
  readonly generation: number | null
  readonly why: string
}

/** Leaves word of damage for the writer, who alone can mend it, and for all who read. */
export function reportDamage(folder: string, report: Report): void {
  try {
    writeFileSync(join(folder, REPORT), JSON.stringify(report))
  } catch {
    // The folder is gone or must not be written to by who reads: the writer will see for itself.
  }
}

/** What was reported of this generation. */
export function reportedDamage(folder: string, generation: number): string | undefined {
  try {
    const report = JSON.parse(readFileSync(join(folder, REPORT), 'utf8')) as Partial<Report>
    const isOfIt = report.generation === null || report.generation === generation
    return isOfIt ? String(report.why) : undefined
  } catch {
    return undefined
  }
}

export function forgetReport(folder: string): void {
  rmSync(join(folder, REPORT), { force: true })
}

/** Compares a generation's whole file with its sums; what is wrong. */
export function compareAll(path: string): string | undefined {
  if (!existsSync(path)) return `${basename(path)} is gone`
  const sums = openChecksums(path, 'read')
  try {
    return sums?.compare(0, Infinity).wrong
  } finally {
    sums?.close()
  }
}

/** The same while another may be writing: pages and sums change together, but not at one moment. Waits in its thread. */
export function comparePatiently(path: string): string | undefined {
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (let attempt = 0; ; attempt++) {
    const wrong = compareAll(path)
    if (wrong === undefined || attempt === 3) return wrong
    Atomics.wait(never, 0, 0, 200)
  }
}

/**
 * Takes the files whose names begin so out of the way until the index is whole again. The archive has all that they
 * held, so where the disk is nearly full they are deleted.
 */
export function setAside(folder: string, prefix: string): void {
  mkdirSync(folder, { recursive: true })
  removeAside(folder, prefix)
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  const paths = names.map((name) => join(folder, name))
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const { bavail, bsize } = statfsSync(folder)
  for (const [i, path] of paths.entries()) {
    if (bavail * bsize < 2 * bytes) rmSync(path, { recursive: true, force: true })
    else renameSync(path, join(folder, `${ASIDE}${names[i]}`))
  }
}

const ASIDE = 'damaged-'

export function removeAside(folder: string, prefix = ''): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(ASIDE + prefix))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}
