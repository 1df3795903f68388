import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAddress } from '../src/store/postgres/address.ts'
import { openConnection } from '../src/store/postgres/connection.ts'
import { openStore } from '../src/store/open-store.ts'
import { locateStore } from '../src/store/store-location.ts'
import { makeHome, runLine } from './cli/telegrep.ts'
import { engines, whyNoEngines } from './engines.ts'
import { openPair } from './pairs.ts'

const retention = { deleted: 'redact', versions: 'keep', days: null } as const
const TEXT = 'The river flooded'

for (const isRemote of [false, true]) {
  const where = isRemote ? 'PostgreSQL, by its own tools' : 'a folder, by hand'
  const skip = (isRemote && whyNoEngines()) || false
  test(
    `an archive put back in ${where} brings nothing removed back once reindex has run`,
    { skip },
    async (t) => {
      const home = makeHome('telegrep-put-back-')
      t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
      await using opened = new AsyncDisposableStack()
      const pair =
        isRemote && opened.use(await openPair({ store: 'postgres', index: 'opensearch' }))
      const env = { ...home.env, ...(pair && pair.env) }
      const folder = env['TELEGREP_DATA']!
      const run = async (line: string, input = '') => {
        const ran = await runLine(`telegrep ${line}`, { ...home, env, input, timeoutMs: 120_000 })
        assert.equal(ran.code, 0, `${line}: ${ran.stderr}`)
        return ran.stdout
      }
      const keep = (...ids: readonly string[]) => run('import -', ids.map(lineOf).join('\n'))
      const found = async () => {
        const { data } = JSON.parse(await run('search flooded --json --limit 50')) as {
          data: { id: string }[]
        }
        return data.map(({ id }) => id).toSorted()
      }
      const log = async () => {
        const url = env['TELEGREP_DATABASE_URL' as keyof typeof env]
        await using store = await openStore({ ...locateStore({ folder, url }), retention })
        return (await store.events.bounds()).log
      }

      await keep('alpha_news/1', 'beta_news/1')
      const before = await log()
      const putBack = pair ? await copySchema(pair.env['TELEGREP_DATABASE_URL']!) : copyFile(folder)
      await keep('alpha_news/2', 'gamma_news/1')
      await run('remove beta_news --reason asked')
      assert.deepEqual(await found(), ['alpha_news/1', 'alpha_news/2', 'gamma_news/1'])

      await putBack()
      assert.deepEqual(JSON.parse(await run('reindex --json')), { rebuilt: true })
      assert.deepEqual(await found(), ['alpha_news/1'])
      assert.match(await run('remove --list --json'), /beta_news/)
      assert.notEqual(await log(), before, 'ids of events from before are not taken for others')
      // It gets the number that another channel had, which the index knew.
      await keep('delta_news/1')
      assert.deepEqual(await found(), ['alpha_news/1', 'delta_news/1'])
    },
  )
}

function lineOf(id: string): string {
  const [channel, number] = id.split('/')
  const date = new Date(Date.now() - 3_600_000).toISOString()
  return JSON.stringify({ channel, id: Number(number), date, text: TEXT })
}

/** Copies the archive, and resolves to what puts it back; the ledger stays as it is by then. */
function copyFile(folder: string): () => Promise<void> {
  const [store, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')]
  copyFileSync(store, copy)
  return async () => copyFileSync(copy, store)
}

async function copySchema(url: string): Promise<() => Promise<void>> {
  const schema = new URL(url).searchParams.get('schema')!
  const send = async (sql: string) => {
    const connection = openConnection(readAddress({ url: engines().databaseUrl }), {
      parameters: {},
    })
    try {
      await connection.send(sql)
    } finally {
      await connection.close()
    }
  }
  const copy = `${schema}_copy`
  await send(
    `create schema ${copy}; ${forEachTable(schema, `create table ${copy}.%1$I as table %2$I.%1$I`)}`,
  )
  return () =>
    send(`begin; set local session_replication_role = replica;
      ${forEachTable(schema, 'delete from %2$I.%1$I')}
      ${forEachTable(schema, `insert into %2$I.%1$I (%3$s) overriding system value select %3$s from ${copy}.%1$I`)}
      select setval('${schema}.channel_ids', (select max(id) from ${schema}.channels)); commit;
      drop schema ${copy} cascade`)
}

/** Runs a statement for each table, formatted with its name, its schema and its columns. */
function forEachTable(schema: string, statement: string): string {
  return `do $$
    declare
      found record;
    begin
      for found in select c.relname as name, string_agg(quote_ident(a.attname), ', ') as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' group by 1 loop
        execute format($f$${statement}$f$, found.name, '${schema}', found.columns);
      end loop;
    end $$;`
}
