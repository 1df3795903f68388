import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { listenBeforeTls } from '../../../test/postgres-tls.ts'
import { until } from '../../../test/until.ts'
import { AppError } from '../../model/errors.ts'
import { SCHEMA_VERSION } from '../schema-version.ts'
import { addChannel } from '../contract/samples.ts'
import { openPostgresStore, type PostgresOptions } from './postgres-store.ts'

const TLS = new URL('../../../test/fixtures/tls/', import.meta.url)

describe('opening PostgreSQL', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-postgres-'))
  after(async () => {
    await schemas.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const schema = schemas.name()
  const open = (fields: Partial<PostgresOptions> = {}) =>
    openPostgresStore({
      url: engines().databaseUrl,
      schema,
      connections: 1,
      retention: { deleted: 'redact', versions: 'keep' },
      ...fields,
    })
  const changed = (change: (url: URL) => void) => {
    const url = new URL(engines().databaseUrl)
    change(url)
    return url.href
  }
  /** The error message that an operator reads. */
  const refusal = async (fields: Partial<PostgresOptions>) => {
    const error = await open(fields).then(
      () => assert.fail('it opened'),
      (why: unknown) => why as AppError,
    )
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.status, 503)
    assert.ok(!error.message.includes('tellnobody'), 'the password is never told')
    return error.message
  }
  const { hostname, port, pathname } = new URL(engines().databaseUrl)
  const place = `${hostname}:${port}${pathname}`

  test('reports a wrong password, database, port or host in a sentence that names the place', async () => {
    const url = changed((to) => (to.password = 'tellnobody'))
    const wrong = await refusal({ url })
    // This takes a server that asks for a password; one that trusts its own host does not.
    assert.equal(
      wrong,
      `the database ${place} could not be used: the password is wrong, or none was given`,
    )
    const nowhere = changed((to) => (to.pathname = '/nowhere'))
    assert.equal(
      await refusal({ url: nowhere }),
      `the database ${hostname}:${port}/nowhere could not be used: there is no such database`,
    )
    const silent = changed((to) => (to.port = '1'))
    assert.equal(
      await refusal({ url: silent }),
      `the database ${hostname}:1${pathname} could not be used: nothing listens there`,
    )
    const unknown = changed((to) => (to.hostname = 'no-such-host.invalid'))
    assert.match(
      await refusal({ url: unknown }),
      /^the database no-such-host\.invalid:\d+\/\w+ could not be used: (there is no host of that name|the host’s name could not be looked up)$/,
    )
  })

  test('refuses a database whose encoding cannot hold every letter', async () => {
    const name = `${schema}_latin`
    const make = `create database ${name} encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`
    await onDatabase(schema, (db) => db.slow.script(make))
    try {
      const url = changed((to) => (to.pathname = `/${name}`))
      assert.match(await refusal({ url }), /has the encoding LATIN1, which cannot hold all posts/)
    } finally {
      await onDatabase(schema, (db) => db.slow.script(`drop database ${name}`))
    }
  })

  test('overrides the settings of its role, but reports one that may only read', async () => {
    const role = schemas.name()
    const own = schemas.name()
    const run = (sql: string) => onDatabase(schema, (db) => db.slow.script(sql))
    const settings = {
      array_nulls: 'off',
      default_transaction_isolation: 'serializable',
      idle_session_timeout: '100ms',
      search_path: 'pg_catalog',
      statement_timeout: '1ms',
    }
    const grant = `grant create on database "${pathname.slice(1)}" to ${role}`
    await run(`create role ${role} login password 'tellnobody'; ${grant}`)
    for (const [name, value] of Object.entries(settings))
      await run(`alter role ${role} set ${name} = '${value}'`)
    const url = changed((to) => Object.assign(to, { username: role, password: 'tellnobody' }))
    try {
      await using store = await open({ url, schema: own, connections: 10 })
      const spend = { caller: 'a', policy: 'p', limit: 20, windowMs: 60_000, amount: 1 }
      const charges = Array.from({ length: 40 }, () =>
        store.ledger.charge({ ...spend, starts: 'first' }),
      )
      const granted = (await Promise.all(charges)).map((charge) => charge.granted)
      assert.equal(
        granted.reduce((sum, one) => sum + one),
        20,
      )
      await addChannel(store, 'durov')
      await sleep(300)
      const count = `select count(*)::int as open from pg_stat_activity where usename = '${role}'`
      const { open: sessions } = await onDatabase(schema, (db) =>
        db.get<{ open: number }>(count),
      ).then((row) => row!)
      assert.ok(sessions > 0, 'none was cut for lying idle')
      await run(`alter role ${role} set default_transaction_read_only = on`)
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
      await until(() =>
        store.ping().then(
          () => false,
          (error: Error) => /it only lets read/.test(error.message),
        ),
      )
    } finally {
      const drop = [own, `${own}_ledger`].map((name) => `drop schema if exists ${name} cascade`)
      await run(`${drop.join(';')}; drop owned by ${role}; drop role ${role}`)
    }
  })

  test('gives up a host that accepts connections but says nothing', async () => {
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port: silent } = server.address() as { port: number }
    const why = await refusal({ url: changed((to) => (to.port = String(silent))) })
    assert.match(why, /the host did not answer$/)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  test('rejects an invalid address without showing it', async () => {
    await assert.rejects(open({ url: 'postgres//user:tellnobody@host' }), (error: Error) => {
      assert.match(error.message, /^the address of the database has to be like postgres:\/\//)
      return !error.message.includes('tellnobody')
    })
  })

  test('refuses the schema of another version, and leaves it as it is', async () => {
    const other = schemas.name()
    await (await open({ schema: other }))[Symbol.asyncDispose]()
    for (const version of [SCHEMA_VERSION - 1, SCHEMA_VERSION + 1]) {
      await onDatabase(other, (db) => db.run('update schema_versions set version = $1', version))
      assert.equal(
        await refusal({ schema: other }),
        `the database ${place} has schema ${version}, this version of telegrep works with schema ${SCHEMA_VERSION}: ` +
          'use the version that made it, or `telegrep export` with that one and `telegrep import` into a new store with this one',
      )
      const left = await onDatabase(other, (db) => db.all('select version from schema_versions'))
      assert.deepEqual(left, [{ version }])
    }
  })

  test('can read the password from a file', async () => {
    const passwordFile = join(folder, 'password')
    const url = changed((to) => (to.password = 'tellnobody'))
    writeFileSync(passwordFile, `${new URL(engines().databaseUrl).password}\n`)
    await using store = await open({ url, passwordFile })
    await store.ping()
    assert.equal((await store.describe()).location, `${place}?schema=${schema}`)
  })

  test('with a file of certificates trusts only servers that they sign', async () => {
    await using proxy = await listenBeforeTls(engines().databaseUrl, TLS)
    const url = changed((to) => {
      to.hostname = 'localhost'
      to.port = String(proxy.port)
    })
    const file = (name: string) => fileURLToPath(new URL(name, TLS))
    {
      await using store = await open({ url, caFile: file('ca.pem') })
      await store.ping()
    }
    assert.ok(proxy.encrypted() > 0)
    assert.match(
      await refusal({ url, caFile: file('other-ca.pem') }),
      /its certificate is not signed by an authority trusted here$/,
    )
  })

  test('rejects a server that does not speak TLS where TLS is required', async () => {
    const why =
      /could not be used: it does not speak TLS, which sslmode or a file of certificates asks for$/
    const caFile = fileURLToPath(new URL('ca.pem', TLS))
    assert.match(await refusal({ caFile }), why)
    for (const mode of ['require', 'verify-full'])
      assert.match(
        await refusal({ url: changed((to) => to.searchParams.set('sslmode', mode)) }),
        why,
      )
  })

  test('uses preferred or allowed TLS only with a server that speaks it', async () => {
    await using proxy = await listenBeforeTls(engines().databaseUrl, TLS)
    for (const mode of ['prefer', 'allow']) {
      for (const port of [proxy.port, Number(new URL(engines().databaseUrl).port)]) {
        const before = proxy.encrypted()
        const url = changed((to) => {
          to.port = String(port)
          to.searchParams.set('sslmode', mode)
        })
        await using store = await open({ url })
        await store.ping()
        assert.equal(proxy.encrypted() > before, port === proxy.port)
      }
    }
  })
})
