import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere, makeFolder, sync } from './file-system.ts'

/**
 * The bytes of kept pictures: one file each, `ab/<hash>`, in a folder that processes may share. A file is either complete or
 * absent, and it never changes.
 */
export interface PictureFiles {
  readonly folder: string
  /** Resolves to the hash once the file is durable. Writing the same bytes again is harmless. */
  write(bytes: Uint8Array): Promise<string>
  /** Undefined when there is no such file. */
  read(sha256: string): Promise<Uint8Array | undefined>
  /** The bytes of a file, piece by piece; fails when there is no such file. */
  pieces(sha256: string): AsyncIterable<Uint8Array>
  remove(sha256: string): Promise<void>
  has(sha256: string): Promise<boolean>
  /** The files in a subfolder, `00` to `ff`: complete ones by hash, and the names of those a crash left half written. */
  part(
    part: string,
  ): Promise<{ readonly hashes: readonly string[]; readonly torn: readonly string[] }>
  /** How long ago a file in a subfolder was written; undefined when there is no such file. */
  ageMs(part: string, name: string, now: number): Promise<number | undefined>
  removeTorn(part: string, name: string): Promise<void>
}

const HASH = /^[0-9a-f]{64}$/
const PIECE_BYTES = 192 * 1024
const TORN = /^[0-9a-f-]{36}\.part$/

export function openPictureFiles(folder: string): PictureFiles {
  const partOf = (sha256: string) => join(folder, sha256.slice(0, 2))
  const pathOf = (sha256: string) => {
    if (!HASH.test(sha256)) throw new Error('expected a hash')
    return join(partOf(sha256), sha256)
  }
  return {
    folder,
    async write(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const part = partOf(sha256)
      makeFolder(part)
      const torn = join(part, `${randomUUID()}.part`)
      try {
        await writeFile(torn, bytes, { flag: 'wx', mode: 0o600, flush: true })
        await rename(torn, pathOf(sha256))
      } catch (error) {
        await rm(torn, { force: true })
        throw error
      }
      await sync(part)
      return sha256
    },
    read: (sha256) => ifThere(readFile(pathOf(sha256))),
    pieces: (sha256) => createReadStream(pathOf(sha256), { highWaterMark: PIECE_BYTES }),
    async remove(sha256) {
      await rm(pathOf(sha256), { force: true })
    },
    async has(sha256) {
      return (await ifThere(stat(pathOf(sha256)))) !== undefined
    },
    async part(part) {
      const names = (await ifThere(readdir(join(folder, part)))) ?? []
      return {
        hashes: names.filter((name) => HASH.test(name) && name.startsWith(part)),
        torn: names.filter((name) => TORN.test(name)),
      }
    },
    async ageMs(part, name, now) {
      const found = await ifThere(stat(join(folder, part, name)))
      return found && now - found.mtimeMs
    },
    async removeTorn(part, name) {
      if (TORN.test(name)) await rm(join(folder, part, name), { force: true })
    },
  }
}
