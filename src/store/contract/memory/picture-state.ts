import type { PictureFile, PictureRef } from '../../pictures.ts'

export interface KeptPictureRow extends PictureRef {
  name: string
  sha256: string | null
  tries: number
  /** Null when no fetch is planned. */
  dueAt: number | null
  isRefused: boolean
}

export interface PictureState {
  rows: Map<string, KeptPictureRow>
  readonly files: Map<string, PictureFile>
  /** Hashes of files that some picture no longer uses. */
  readonly unused: Set<string>
  readonly days: Map<number, number>
}

export function createPictureState(): PictureState {
  return { rows: new Map(), files: new Map(), unused: new Set(), days: new Map() }
}
