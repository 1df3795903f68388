import { readFileSync, readdirSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface Migration {
  readonly version: number
  readonly sql: string
}

const FOLDER = new URL('./migrations/', import.meta.url)

/** The numbered files of one database, in order: `0001-init.sql`, or `ledger-0001-init.sql` for the prefix `ledger-`. */
export function readMigrations(prefix: '' | 'ledger-'): readonly Migration[] {
  const pattern = new RegExp(`^${prefix}(\\d{4})-.*\\.sql$`)
  const found = readdirSync(FOLDER)
    .toSorted()
    .flatMap((file) => {
      const version = pattern.exec(file)?.[1]
      if (version === undefined) return []
      return [{ version: Number(version), sql: readFileSync(new URL(file, FOLDER), 'utf8') }]
    })
  for (const [i, { version }] of found.entries()) {
    if (version !== i + 1)
      throw new Error(`migration ${version} is not the ${i + 1}th: one is missing or there twice`)
  }
  return found
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
