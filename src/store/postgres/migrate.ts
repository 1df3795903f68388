import { AppError } from '../../model/errors.ts'
import { numberedMigrations, type Migration } from '../numbered-migrations.ts'
import { ArchiveLostError } from '../store.ts'
import { sessionPrefix, type Database, type Queries } from './database.ts'

interface SuitedMigration extends Migration {
  /** The oldest schema version whose programs still work after this migration; null when only newer programs do. */
  readonly suits: number | null
}

/** Matches `-- suits 7` on a line of its own. */
const SUITS = /^-- suits (\d+)$/m

const FOLDER = new URL('./migrations/', import.meta.url)

export function readMigrations(): readonly SuitedMigration[] {
  return numberedMigrations(FOLDER).map((migration) => {
    const suits = SUITS.exec(migration.sql)?.[1]
    return { ...migration, suits: suits ? Number(suits) : null }
  })
}

/**
 * Migrates the schema to the newest version: forward only, in one transaction, by one of the processes that start at once. A
 * schema newer than this program is accepted if all later migrations suit it: so a rolling upgrade can be taken back.
 */
export async function migrate(db: Database, migrations = readMigrations()): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0
  const present = await schemaVersion(db, db)
  if (present === newest || (present > newest && (await isSuited(db, newest)))) return
  await db.longTransaction(async (tx) => {
    await tx.script(`set local statement_timeout = 0; set local lock_timeout = 0`)
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', `migrate ${db.schema}`)
    const found = await schemaVersion(tx, db)
    if (found > newest) {
      if (await isSuited(tx, newest)) return
      throw new AppError(
        'unavailable',
        `the database ${db.place} has schema ${found}, this version of telegrep knows up to ${newest}: use a newer one`,
      )
    }
    const ledger = `"${db.schema}_ledger"`
    if (found === 0) {
      await expectNew(tx, db)
      await tx.script(`create schema if not exists "${db.schema}";
        create schema if not exists ${ledger};
        create table if not exists schema_versions (version integer primary key, applied_at timestamptz not null default now())`)
    }
    await tx.script('alter table schema_versions add column if not exists suits integer')
    for (const { version, sql, suits } of migrations) {
      if (version <= found) continue
      await tx.script(sql.replaceAll('{ledger}', ledger))
      await tx.run('insert into schema_versions (version, suits) values ($1, $2)', version, suits)
    }
  })
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
    throw new ArchiveLostError(
      `the database ${place} has no archive any more (schema ${schema}), only its keys and opt-outs (${ledger}): ` +
        `\`telegrep restore\` puts a backup in its place and keeps these; to begin anew drop ${ledger} as well`,
    )
  if (runs)
    throw new ArchiveLostError(
      `the database ${place} has no archive any more (schema ${schema}), and processes still run on it: ` +
        `put it back from a backup, or stop all of them to begin anew`,
    )
}

// Processes that start at the same time have been connected for only seconds, so they do not count as running.
const FOUND = `select current_setting('server_encoding') as encoding, to_regclass($1) is not null as ledger, exists (select from pg_stat_activity
  where datname = current_database() and starts_with(application_name, $2)
    and backend_start < now() - interval '1 minute') as runs`

/** Whether a program that knows this version can work on the schema after all later migrations. */
async function isSuited(queries: Queries, known: number): Promise<boolean> {
  const row = await queries.get<{ suited: boolean }>(
    'select bool_and(coalesce(suits, version) <= $1) as suited from schema_versions where version > $1',
    known,
  )
  return row!.suited
}

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
