/** What only a store in files has: they can be measured and copied. */
export interface FileStore {
  readonly folder: string
  bytes(): Promise<number>
  /** Writes a consistent copy into an empty folder while others go on writing. Rejects when the folder is not empty. */
  backup(folder: string, progress?: Progress): Promise<void>
}

export type Progress = (done: number, total: number) => void

/** A backup, copied beside a store that no process has open; nobody can open it until this is disposed of. */
export interface Restore extends AsyncDisposable {
  /** Verifies the copy, brought to the newest schema; an empty list means sound. */
  verify(progress?: Progress): Promise<readonly string[]>
  /** Puts the copy in the store's place. The ledger stays, so that what was removed since is erased at the next opening. */
  swap(): Promise<void>
}
