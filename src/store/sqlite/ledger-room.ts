import { statSync } from 'node:fs'
import { AppError } from '../../model/errors.ts'
import type { Database } from './database.ts'

/** After so many pages the ledger's log is written back and begun anew: it grows no longer than this, or little more. */
export const LEDGER_LOG_PAGES = 128
const ROOM_BYTES = LEDGER_LOG_PAGES * 4096

/**
 * Each request is counted in the ledger, so a full disk would have all of them refused though most only read. Therefore its
 * log is made as long as it gets, and its file is left with free pages for some thousand callers, before they are needed.
 */
export async function reserveRoom(ledger: Database): Promise<void> {
  const log = statSync(`${ledger.path}-wal`, { throwIfNoEntry: false })
  if (log && log.size >= ROOM_BYTES) return
  try {
    await ledger.write(() =>
      ledger.connection.exec(
        `create table room (filler); insert into room values (zeroblob(${ROOM_BYTES})); drop table room`,
      ),
    )
    await ledger.read(() => ledger.connection.exec('pragma wal_checkpoint(restart)'))
  } catch (error) {
    // The disk is full already, or another process is at it.
    if (!(error instanceof AppError)) throw error
  }
}
