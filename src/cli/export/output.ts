import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { OperatorError } from '../../operator-error.ts'
import type { ExportedPost } from './columns.ts'

/** Where an export is written. Waits for its reader, so that nothing accumulates, and in the end knows what was written. */
export interface Output extends AsyncDisposable {
  /** False for a pipe or a device, which cannot have a manifest beside it. */
  readonly isFile: boolean
  write(bytes: Uint8Array): Promise<void>
  /** Moves the file into place; an export that does not end leaves no file. */
  end(): Promise<Written>
}

/** Writes posts in one format, batch by batch. */
export interface PostWriter {
  write(posts: readonly ExportedPost[]): Promise<void>
  /** Writes the end of the format; the output itself stays open. */
  end(): Promise<void>
}

export interface Written {
  /** Null for standard output, a pipe or a device. */
  readonly name: string | null
  readonly bytes: number
  readonly sha256: string
}

/** Opened before anything is read, so that a place that cannot be written is reported at once. */
export async function openOutput(given: string | null): Promise<Output> {
  const path = given === null ? null : await fileBehind(given)
  // A random name, so that two exports to the same file do not write into each other's.
  const part = path === null ? null : `${path}.${randomBytes(4).toString('hex')}.part`
  const stream: Writable =
    given === null ? process.stdout : (await openPlace(part ?? given)).createWriteStream()
  // Reported by the next write, or by `end`.
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => {})
  const hash = createHash('sha256')
  let bytes = 0
  let isEnded = false
  return {
    isFile: part !== null,
    async write(chunk) {
      hash.update(chunk)
      bytes += chunk.length
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
    },
    async end() {
      if (given !== null) {
        stream.end()
        await Promise.race([finished(stream), failed])
      }
      if (part !== null) await rename(part, path!)
      isEnded = true
      const name = part === null ? null : basename(given!)
      return { name, bytes, sha256: hash.digest('hex') }
    },
    async [Symbol.asyncDispose]() {
      if (isEnded || given === null) return
      stream.destroy()
      if (part !== null) await rm(part, { force: true })
    },
  }
}

/**
 * The file to replace; a symbolic link stays, and its target is replaced. Null for a pipe or a device, which is written
 * directly.
 */
async function fileBehind(given: string): Promise<string | null> {
  const found = await stat(given).catch(() => undefined)
  if (found === undefined) return given
  if (found.isDirectory()) throw new OperatorError(`${given} is a folder, expected a file`)
  return found.isFile() ? realpath(given) : null
}

async function openPlace(path: string) {
  return open(path, 'w').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new OperatorError(`there is no folder ${dirname(path)} to write to`, { cause: error })
  })
}
