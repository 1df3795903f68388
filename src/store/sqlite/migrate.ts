import type { DatabaseSync } from 'node:sqlite'
import { numberedMigrations, type Migration } from '../numbered-migrations.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** The migrations of one of the two files. */
export function readMigrations(prefix: '' | 'ledger-'): readonly Migration[] {
  return numberedMigrations(FOLDER, prefix)
}

/** Migrates a file to the newest schema: forward only, one transaction per step, safe when several processes start at once. */
export function migrate(connection: DatabaseSync, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0
  const found = schemaVersion(connection)
  if (found > newest) {
    throw new Error(
      `the store has schema ${found}, this version of telegrep knows up to ${newest}: use a newer one`,
    )
  }
  for (const { version, sql } of migrations) {
    if (version <= found) continue
    connection.exec('begin immediate')
    try {
      if (schemaVersion(connection) < version) {
        connection.exec(sql)
        connection.exec(`pragma user_version = ${version}`)
      }
      connection.exec('commit')
    } catch (error) {
      if (connection.isTransaction) connection.exec('rollback')
      throw error
    }
  }
}

export function schemaVersion(connection: DatabaseSync): number {
  return Number(connection.prepare('pragma user_version').get()?.['user_version'] ?? 0)
}
