import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import type { ExportedPost } from './columns.ts'

/** Where an export goes. Waits for its reader, so that nothing heaps up, and knows in the end what it has written. */
export interface Output extends AsyncDisposable {
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
  /** Null: standard output. */
  readonly name: string | null
  readonly bytes: number
  readonly sha256: string
}

export function openOutput(path: string | null): Output {
  const part = path === null ? null : `${path}.part`
  const stream: Writable = part === null ? process.stdout : createWriteStream(part)
  // Told by the next write, or by `end`.
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  failed.catch(() => {})
  const hash = createHash('sha256')
  let bytes = 0
  let isEnded = false
  return {
    async write(chunk) {
      hash.update(chunk)
      bytes += chunk.length
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
    },
    async end() {
      if (part !== null) {
        stream.end()
        await Promise.race([finished(stream), failed])
        await rename(part, path!)
      }
      isEnded = true
      const name = path === null ? null : basename(path)
      return { name, bytes, sha256: hash.digest('hex') }
    },
    async [Symbol.asyncDispose]() {
      if (isEnded || part === null) return
      stream.destroy()
      await rm(part, { force: true })
    },
  }
}
