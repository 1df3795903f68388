import { readFileSync, readdirSync } from 'node:fs'
import { AppError } from '../../model/errors.ts'
import type { Database, Queries } from './database.ts'

interface Migration {
  readonly version: number
  readonly sql: string
}

const FOLDER = new URL('./migrations/', import.meta.url)

export function readMigrations(): readonly Migration[] {
  const found = readdirSync(FOLDER)
    .toSorted()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      sql: readFileSync(new URL(file, FOLDER), 'utf8'),
    }))
  for (const [i, { version }] of found.entries()) {
    if (version !== i + 1)
      throw new Error(`migration ${version} is not the ${i + 1}th: one is missing or there twice`)
  }
  return found
}

/** Brings the schema to the newest version: forward only, all or nothing, by one of those who start at once. */
export async function migrate(db: Database, migrations = readMigrations()): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0
  if ((await schemaVersion(db, db)) === newest) return
  await db.longTransaction(async (tx) => {
    await tx.script(`set local statement_timeout = 0; set local lock_timeout = 0`)
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', `migrate ${db.schema}`)
    const found = await schemaVersion(tx, db)
    if (found > newest) {
      throw new AppError(
        'unavailable',
        `the database ${db.place} has schema ${found}, this version of telegrep knows up to ${newest}: use a newer one`,
      )
    }
    const ledger = `"${db.schema}_ledger"`
    if (found === 0) {
      await tx.script(`create schema if not exists "${db.schema}";
        create schema if not exists ${ledger};
        create table if not exists schema_versions (version integer primary key, applied_at timestamptz not null default now())`)
    }
    for (const { version, sql } of migrations) {
      if (version <= found) continue
      await tx.script(sql.replaceAll('{ledger}', ledger))
      await tx.run('insert into schema_versions (version) values ($1)', version)
    }
  })
}

/** 0 where there is none yet. */
export async function schemaVersion(queries: Queries, { schema }: Database): Promise<number> {
  const table = `"${schema}".schema_versions`
  const there = await queries.get<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    table,
  )
  if (!there?.there) return 0
  const row = await queries.get<{ version: number }>(
    `select coalesce(max(version), 0) as version from ${table}`,
  )
  return row!.version
}
