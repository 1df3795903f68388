import { readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { SCHEMA_VERSION, otherSchema } from '../schema-version.ts'

/** Each of the two files has a schema of its own. */
export function readSchema(name: 'store' | 'ledger'): string {
  return readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')
}

const FIRST_TABLE = /^create table (\w+)/m

/** Makes the tables of a new file, once when several processes start at the same time; throws if it has those of another version. */
export function ensureSchema(connection: DatabaseSync, schema: string): void {
  if (isThere(connection)) {
    // Fails where one of the two files is in the place of the other: only their tables differ.
    connection.prepare(`select 1 from ${FIRST_TABLE.exec(schema)![1]}`)
    return
  }
  connection.exec('begin immediate')
  try {
    if (!isThere(connection)) connection.exec(`${schema}; pragma user_version = ${SCHEMA_VERSION}`)
    connection.exec('commit')
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback')
    throw error
  }
}

function isThere(connection: DatabaseSync): boolean {
  const version = schemaVersion(connection)
  if (version === 0 || version === SCHEMA_VERSION) return version !== 0
  throw new Error(otherSchema('the store', version))
}

export function schemaVersion(connection: DatabaseSync): number {
  return Number(connection.prepare('pragma user_version').get()?.['user_version'] ?? 0)
}
