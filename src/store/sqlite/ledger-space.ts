import { statSync } from 'node:fs'
import { AppError } from '../../model/errors.ts'
import type { Database } from './database.ts'

/** After this many pages the ledger's WAL is written back and starts over, so that it hardly grows beyond them. */
export const LEDGER_LOG_PAGES = 128
const ROOM_BYTES = LEDGER_LOG_PAGES * 4096

/**
 * Each request is counted in the ledger, so with a full disk all of them would be refused, although most only read. Therefore
 * its WAL is grown in advance to its full length, and its file is given free pages for some thousand callers.
 */
export async function reserveLedgerSpace(ledger: Database): Promise<void> {
  const log = statSync(`${ledger.path}-wal`, { throwIfNoEntry: false })
  if (log && log.size >= ROOM_BYTES) return
  try {
    await ledger.write(() =>
      ledger.connection.exec(
        `create table room (filler); insert into room values (zeroblob(${ROOM_BYTES})); drop table room`,
      ),
    )
    await ledger.pragma('wal_checkpoint(restart)')
  } catch (error) {
    // The disk is full already, or another process holds the ledger.
    if (!(error instanceof AppError)) throw error
  }
}
