import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { NOON, type OpenStore } from '../src/store/contract/samples.ts'
import { openDatabase, type Database } from '../src/store/postgres/database.ts'
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts'
import type { Store } from '../src/store/store.ts'
import { engines } from './engines.ts'

/** A suite's own schemas in the real PostgreSQL. Creating one takes a while, so they are emptied and reused. */
export interface TestSchemas {
  readonly open: OpenStore
  /** An unused schema, empty and without tables. */
  name(): string
  /** The schema of an open store. */
  of(store: Store): string
  /** Closes the open stores, checks what they wrote against the rules, and frees their schemas. */
  reuse(): Promise<void>
  drop(): Promise<void>
}

export function createSchemas(): TestSchemas {
  const names: string[] = []
  const free: string[] = []
  const taken = new Map<Store, string>()
  const name = () => {
    const schema = `test_${randomUUID().slice(0, 8)}`
    names.push(schema)
    return schema
  }
  const close = async (store: Store, dispose: () => PromiseLike<void>) => {
    const schema = taken.get(store)
    taken.delete(store)
    const problems = schema === undefined ? [] : await store.verify()
    await dispose()
    if (schema !== undefined) free.push(schema)
    assert.deepEqual(problems, [])
  }
  return {
    name,
    of: (store) => taken.get(store)!,
    async open(retention) {
      let now = NOON
      const known = free.pop()
      if (known !== undefined) await onDatabase(known, (db) => db.script(EMPTY))
      const schema = known ?? name()
      const opened = await openPostgresStore({
        url: engines().databaseUrl,
        schema,
        connections: 4,
        retention: { deleted: 'redact', versions: 'keep', ...retention },
        clock: { now: () => now, elapsed: () => now, sleep: async () => {} },
        databaseNow: () => now,
      })
      const dispose = opened[Symbol.asyncDispose].bind(opened)
      const store: Store = { ...opened, [Symbol.asyncDispose]: () => close(store, dispose) }
      taken.set(store, schema)
      return { store, setNow: (at) => (now = at) }
    },
    async reuse() {
      for (const store of taken.keys()) await store[Symbol.asyncDispose]()
    },
    async drop() {
      for (const store of taken.keys()) await store[Symbol.asyncDispose]()
      for (const schema of names) {
        await onDatabase(schema, (db) =>
          db.script(
            `drop schema if exists "${schema}" cascade; drop schema if exists "${schema}_ledger" cascade`,
          ),
        )
      }
    },
  }
}

/** A connection that sees the tables of a schema. */
export async function onDatabase<T>(
  schema: string,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = openDatabase({ url: engines().databaseUrl, schema, connections: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const EMPTY = `do $$
declare
  found record;
begin
  for found in select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(current_schemas(false)) and c.relkind = 'r' and c.relname <> 'schema_versions' loop
    execute format('delete from %I.%I', found.nspname, found.relname);
  end loop;
end $$;
delete from totals;
alter sequence channel_ids restart;
alter sequence copy_group_ids restart;
insert into consumers (name, seen_at) values ('', 0);`
