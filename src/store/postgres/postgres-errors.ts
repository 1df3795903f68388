import { AppError } from '../../model/errors.ts'
import { NETWORK_REASONS } from '../../model/network-reasons.ts'

/** Classifies database errors, and explains them in one sentence that names the place but never a password. */

/** Another transaction conflicted with this one, or tables were altered after a statement was prepared; a retry succeeds. */
const CONFLICTS = new Set(['40001', '40P01', '26000'])
const STALE_PLAN = '0A000'
const LOCK_TIMEOUT = '55P03'
const UNIQUE_VIOLATION = '23505'
const FULL = '53300'
const NO_RIGHT = '42501'
const NO_MEMORY = '53200'
export const READ_ONLY = '25006'
/** An earlier statement of the transaction has failed. */
const IN_FAILED_TRANSACTION = '25P02'

const REASONS: Readonly<Record<string, string>> = {
  ...NETWORK_REASONS,
  '28P01': 'the password is wrong, or none was given',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  [NO_RIGHT]: 'the user lacks a right',
  [FULL]: 'it has no connection to spare',
  '53100': 'its disk is full',
  '57P01': 'it is shutting down',
  '57P02': 'it crashed',
  '57P03': 'it is starting up or shutting down',
  '57014': 'a statement took too long',
  '40001': 'others wrote the same at the same time',
  '40P01': 'others wrote the same at the same time',
  '25P03': 'a transaction stood still for too long',
  [NO_MEMORY]: 'it has no memory to spare',
  '55P03': 'others held a row for too long',
  '42P01': 'tables of the archive are missing, or this user may not see them',
  '42883': 'tables of the archive are missing, or this user may not see them',
  '22P05': 'its encoding is not UTF8',
  [READ_ONLY]: 'it only lets read: the primary has to be asked',
  CONNECT_TIMEOUT: 'the host did not answer',
  NO_ANSWER: 'it did not answer in time',
  ALL_IN_USE: 'all connections of this process were in use for too long',
  NO_TLS: 'it does not speak TLS, which sslmode or a file of certificates asks for',
  CONNECTION_CLOSED: 'the connection was cut',
  CONNECTION_DESTROYED: 'the connection was cut',
  CONNECTION_ENDED: 'the connection was closed',
}

export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return CONFLICTS.has(code) || (code === STALE_PLAN && String(error).includes('cached plan'))
}

/** The same, or another transaction held a lock for too long or wrote the same key at the same time. */
export function isTransactionConflict(error: unknown): boolean {
  return isConflict(error) || [LOCK_TIMEOUT, UNIQUE_VIOLATION].includes(codeOf(error))
}

/** The server had no room for the connection, and has done nothing that was sent over it. */
export function isFull(error: unknown): error is Error {
  return codeOf(error) === FULL
}

/** The statement was sent after one of the same transaction that failed. */
export function isInFailedTransaction(error: unknown): boolean {
  return codeOf(error) === IN_FAILED_TRANSACTION
}

/** Errors that people can do something about become a sentence; anything else is a bug and is returned unchanged. */
export function explainError(error: unknown, place: string): unknown {
  const why = REASONS[codeOf(error)]
  if (why === undefined) return error
  const message = `the database ${place} could not be used: ${why}${whichRight(error)}${whichMemory(error)}`
  const detail = `the database could not be used: ${why}`
  return new AppError('unavailable', message, { detail, cause: error, retryAfterS: 5 })
}

/** What the database says about it: nothing else names the table. The first right needed is that to create schemas. */
function whichRight(error: unknown): string {
  if (codeOf(error) !== NO_RIGHT) return ''
  const said = (error as Error).message
  const isFirst = said.includes('for database')
  return `: ${said}${isFirst ? '; it must be allowed to create schemas there' : ''}`
}

/** Mostly the table of locks is full, and the server names the setting. */
function whichMemory(error: unknown): string {
  const { hint } = error as { hint?: unknown }
  return codeOf(error) === NO_MEMORY && typeof hint === 'string' ? `: ${hint}` : ''
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
