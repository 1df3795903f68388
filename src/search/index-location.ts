import { join } from 'node:path'

/** Where an index is: plain data, so that a thread can be told. */
export type IndexLocation = {
  readonly kind: 'embedded'
  readonly folder: string
  /** Threads that search; by default `SEARCH_THREADS`. */
  readonly workers?: number
}

/** What the operator says of it. */
export interface IndexPlace {
  /** Absolute; an index in files is in a folder of its own below. */
  readonly folder: string
}

export function locateIndex({ folder }: IndexPlace): IndexLocation {
  return { kind: 'embedded', folder: join(folder, 'index') }
}
