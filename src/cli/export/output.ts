import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import { OperatorError } from '../../operator-error.ts'
import type { ExportedPost } from './columns.ts'

/** Where an export goes. Waits for its reader, so that nothing heaps up, and knows in the end what it has written. */
export interface Output extends AsyncDisposable {
  /** Not a pipe or a device, which have no room beside them for a manifest. */
  readonly isFile: boolean
  write(bytes: Uint8Array): Promise<void>
  /** Puts the file in its place; what was not ended leaves no file. */
  end(): Promise<Written>
}

/** Writes posts in one form, batch by batch. */
export interface PostWriter {
  write(posts: readonly ExportedPost[]): Promise<void>
  /** What comes last; the output itself stays open. */
  end(): Promise<void>
}

export interface Written {
  /** Null: no file, but standard output, a pipe or a device. */
  readonly name: string | null
  readonly bytes: number
  readonly sha256: string
}

/** Opened before anything is read: whoever named a place that cannot be written need not wait to learn of it. */
export async function openOutput(given: string | null): Promise<Output> {
  const path = given === null ? null : await fileBehind(given)
  // Two that write the same file at once must not write into one another's.
  const part = path === null ? null : `${path}.${randomBytes(4).toString('hex')}.part`
  const stream: Writable =
    given === null ? process.stdout : (await openPlace(part ?? given)).createWriteStream()
  // Told by the next write, or by `end`.
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

/** What is to be replaced: a link stays, and what it leads to is. Null: a pipe or a device, which is written to as it is. */
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
