import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import createClient from 'postgres'
import { request } from 'undici'
import { engines, whyNoEngines } from './engines.ts'

const reason = whyNoEngines()
if (reason !== undefined) process.stdout.write(`# tests on engines are skipped: ${reason}\n`)

describe('the engines provided for tests', { skip: reason ?? false }, () => {
  test('PostgreSQL is a supported version, has fsync on, and connects as superuser', async () => {
    const sql = createClient(engines().databaseUrl, { max: 1 })
    try {
      const [row] = await sql<{ version: number; fsync: string; super: boolean }[]>`
        select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
          (select rolsuper from pg_roles where rolname = current_user) as super`
      assert.ok(row)
      assert.ok(row.version >= 150_000, `version ${row.version}`)
      assert.equal(row.fsync, 'on')
      assert.equal(row.super, true)
    } finally {
      await sql.end()
    }
  })

  test('every OpenSearch node answers and has the pinned version', async () => {
    const [scheme, hosts] = engines().searchUrl.split('://') as [string, string]
    for (const host of hosts.split(',')) {
      const { statusCode, body } = await request(`${scheme}://${host}/`)
      assert.equal(statusCode, 200)
      const { version } = (await body.json()) as { version: Record<string, string> }
      assert.equal(version['distribution'], 'opensearch')
      assert.equal(version['number'], '3.6.0')
    }
  })
})
