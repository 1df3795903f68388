import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** A random whole number from 0 up to, but not including, `n`. */
export type Below = (n: number) => number

const KINDS = ['cut', 'empty', 'flip', 'overwrite', 'delete', 'swap'] as const

/** Damages one of the files in one way or another; returns how. */
export function harm(
  folder: string,
  names: readonly string[],
  below: Below,
  isRunning: boolean,
): string {
  // The shared memory of a running process is not a file of the index, and truncating it ends that process.
  const files = names.filter(
    (name) => existsSync(join(folder, name)) && !(isRunning && name.endsWith('-shm')),
  )
  const name = files[below(files.length)]!
  const path = join(folder, name)
  const { size } = statSync(path)
  const kind = KINDS[below(KINDS.length)]!
  const at = below(Math.max(1, size))
  switch (kind) {
    case 'cut':
      truncateSync(path, at)
      return `${name} cut at ${at} of ${size}`
    case 'empty':
      truncateSync(path, 0)
      return `${name} emptied`
    case 'delete':
      rmSync(path)
      return `${name} deleted`
    case 'swap': {
      const other = files[below(files.length)]!
      copyFileSync(join(folder, other), path + '.draft')
      rmSync(path)
      copyFileSync(path + '.draft', path)
      rmSync(path + '.draft')
      return `${name} replaced by ${other}`
    }
    case 'flip':
    case 'overwrite': {
      const count = kind === 'flip' ? 1 + below(8) : 300
      const bytes = Buffer.alloc(Math.min(count, size - at))
      const fd = openSync(path, 'r+')
      readSync(fd, bytes, 0, bytes.length, at)
      for (let i = 0; i < bytes.length; i++) bytes[i]! ^= 1 + below(255)
      writeSync(fd, bytes, 0, bytes.length, at)
      closeSync(fd)
      return `${name} ${bytes.length} bytes flipped at ${at} of ${size}`
    }
  }
}
