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

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const CORRUPT = new Set([11, 26])
/** SQLITE_IOERR_SHORT_READ: the file is shorter than its header says. */
const SHORT_READ = 10 | (2 << 8)
const REPORT = 'damage.json'

/** What an error says about damage to the file it came from; undefined if it may have another cause. */
export function damageIn(error: unknown, path: string): string | undefined {
  const { errcode, message } = error as { errcode?: unknown; message?: unknown }
  if (typeof errcode !== 'number') return undefined
  // To SQLite an empty file or another database is fine; without checksums only a missing table reveals it.
  const isOther = String(message).startsWith('no such table')
  if (!CORRUPT.has(errcode & 0xff) && errcode !== SHORT_READ && !isOther) return undefined
  return `${basename(path)}: ${String(message)}`
}

/** Damage that a process has found; it concerns the control file if `generation` is null. */
interface Report {
  readonly generation: number | null
  readonly why: string
}

/** Reports damage to all readers and to the writer, which alone can repair it. */
export function reportDamage(folder: string, report: Report): void {
  try {
    writeFileSync(join(folder, REPORT), JSON.stringify(report))
  } catch {
    // The folder is gone, or the reader may not write to it: the writer will find the damage itself.
  }
}

/** The damage reported for this generation, if any. */
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

/** Compares a generation's whole file with its checksums. Returns what is wrong, if anything. */
export function compareAll(path: string): string | undefined {
  if (!existsSync(path)) return `${basename(path)} is gone`
  using sums = openChecksums(path, 'read')
  return sums?.compare(0, Infinity).wrong
}

/**
 * The same while another process may be writing: pages and checksums change together, but not at the same instant. Blocks
 * its thread between attempts.
 */
export function compareWithRetries(path: string): string | undefined {
  const never = new Int32Array(new SharedArrayBuffer(4))
  for (let attempt = 0; ; attempt++) {
    const wrong = compareAll(path)
    if (wrong === undefined || attempt === 3) return wrong
    Atomics.wait(never, 0, 0, 200)
  }
}

/**
 * Moves the files with this prefix out of the way until the index is complete again. If the disk is nearly full they are
 * deleted instead: the archive has everything they held.
 */
export function quarantine(folder: string, prefix: string): void {
  mkdirSync(folder, { recursive: true })
  removeQuarantined(folder, prefix)
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix))
  const paths = names.map((name) => join(folder, name))
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const { bavail, bsize } = statfsSync(folder)
  for (const [i, path] of paths.entries()) {
    if (bavail * bsize < 2 * bytes) rmSync(path, { recursive: true, force: true })
    else renameSync(path, join(folder, `${QUARANTINED}${names[i]}`))
  }
}

const QUARANTINED = 'damaged-'

export function removeQuarantined(folder: string, prefix = ''): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(QUARANTINED + prefix))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}
