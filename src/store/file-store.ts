/** What only a store in files can do: be measured and be copied. */
export interface FileStore {
  readonly folder: string
  bytes(): Promise<number>
  /** Writes a consistent copy into an empty folder while others go on writing. Rejects when the folder is not empty. */
  backup(folder: string, progress?: Progress): Promise<void>
}

export type Progress = (done: number, total: number) => void

/** A backup copied next to a store that no process has open. No process can open that store until this is disposed of. */
export interface Restore extends AsyncDisposable {
  /** Verifies the copy; an empty list means sound. */
  verify(progress?: Progress): Promise<readonly string[]>
  /**
   * Puts the copy in the store's place. The ledger stays, so that whatever was removed since the backup was made is erased
   * when the store is next opened.
   */
  swap(): Promise<void>
}
