import { readFileSync } from 'node:fs'
import { AppError } from '../../model/errors.ts'
import { SCHEMA_VERSION, otherSchema } from '../schema-version.ts'
import { sessionPrefix, type Database, type Queries } from './database.ts'

const SCHEMA = new URL('./schema.sql', import.meta.url)

/** Makes the tables of a new store, by one of the processes that start at once; throws if it has those of another version. */
export async function ensureSchema(db: Database): Promise<void> {
  if (await isThere(db, db)) return
  await db.longTransaction(async (tx) => {
    await tx.script(`set local statement_timeout = 0; set local lock_timeout = 0`)
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', `schema of ${db.schema}`)
    if (await isThere(tx, db)) return
    await expectNew(tx, db)
    const ledger = `"${db.schema}_ledger"`
    await tx.script(
      `create schema if not exists "${db.schema}"; create schema if not exists ${ledger}`,
    )
    await tx.script(readFileSync(SCHEMA, 'utf8').replaceAll('{ledger}', ledger))
    await tx.run('insert into schema_versions (version) values ($1)', SCHEMA_VERSION)
  })
}

async function isThere(queries: Queries, db: Database): Promise<boolean> {
  const version = await schemaVersion(queries, db)
  if (version === 0 || version === SCHEMA_VERSION) return version !== 0
  throw new AppError('unavailable', otherSchema(`the database ${db.place}`, version))
}

/** Refuses to create an empty schema in place of one that was dropped, and a database whose encoding cannot hold posts. */
async function expectNew(queries: Queries, { place, schema }: Database): Promise<void> {
  const ledger = `${schema}_ledger`
  const found = await queries.get<{ encoding: string; ledger: boolean; runs: boolean }>(
    FOUND,
    `"${ledger}".keys`,
    sessionPrefix(schema),
  )
  const { encoding, ledger: isLedgerThere, runs } = found!
  if (encoding !== 'UTF8')
    throw new AppError(
      'unavailable',
      `the database ${place} has the encoding ${encoding}, which cannot hold all posts: make one with \`create database … encoding 'UTF8' template template0\``,
    )
  if (isLedgerThere)
    throw new AppError(
      'unavailable',
      `the database ${place} has no archive any more (schema ${schema}), only its keys and opt-outs (${ledger}): ` +
        `put ${schema} back from a backup of the database, and keep these; to begin anew drop ${ledger} as well`,
    )
  if (runs)
    throw new AppError(
      'unavailable',
      `the database ${place} has no archive any more (schema ${schema}), and processes still run on it: ` +
        `put it back from a backup, or stop all of them to begin anew`,
    )
}

// Processes that start at the same time have been connected for only seconds, so they do not count as running.
const FOUND = `select current_setting('server_encoding') as encoding, to_regclass($1) is not null as ledger, exists (select from pg_stat_activity
  where datname = current_database() and starts_with(application_name, $2)
    and backend_start < now() - interval '1 minute') as runs`

/** 0 when there is no schema yet. */
export async function schemaVersion(
  queries: Queries,
  { schema }: Pick<Database, 'schema'>,
): Promise<number> {
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
