import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { listenBeforeTls } from '../../../test/postgres-tls.ts'
import { AppError } from '../../model/errors.ts'
import { readMigrations } from './migrate.ts'
import { openPostgresStore, type PostgresOptions } from './postgres-store.ts'

const TLS = new URL('../../../test/fixtures/tls/', import.meta.url)

describe('opening postgres', { skip: whyNoEngines() }, () => {
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
  /** The one sentence that an operator reads. */
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

  test('a wrong password, database, port or host is told in a sentence that names the place', async () => {
    const url = changed((to) => (to.password = 'tellnobody'))
    const wrong = await refusal({ url })
    // Where the server trusts its own host it asks for no password.
    assert.equal(wrong, `the database ${place} could not be used: the password is wrong`)
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

  test('a host that accepts and says nothing is given up', async () => {
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port: silent } = server.address() as { port: number }
    const why = await refusal({ url: changed((to) => (to.port = String(silent))) })
    assert.match(why, /the host did not answer$/)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  test('an address that is none is refused without telling it', async () => {
    await assert.rejects(open({ url: 'postgres//user:tellnobody@host' }), (error: Error) => {
      assert.match(error.message, /^the address of the database has to be like postgres:\/\//)
      return !error.message.includes('tellnobody')
    })
  })

  test('a schema that is newer than the program is refused', async () => {
    const newer = schemas.name()
    await (await open({ schema: newer }))[Symbol.asyncDispose]()
    await onDatabase(newer, (db) => db.run('insert into schema_versions values (99)'))
    assert.equal(
      await refusal({ schema: newer }),
      `the database ${place} has schema 99, this version of telegrep knows up to ${readMigrations().length}: use a newer one`,
    )
  })

  test('the password may come from a file', async () => {
    const passwordFile = join(folder, 'password')
    const url = changed((to) => (to.password = 'tellnobody'))
    writeFileSync(passwordFile, `${new URL(engines().databaseUrl).password}\n`)
    await using store = await open({ url, passwordFile })
    await store.ping()
    assert.equal((await store.describe()).location, place)
  })

  test('with certificates in a file only a server that shows one of theirs is talked to', async () => {
    await using proxy = await listenBeforeTls(engines().databaseUrl, TLS)
    const url = changed((to) => {
      to.hostname = 'localhost'
      to.port = String(proxy.port)
    })
    const file = (name: string) => new URL(name, TLS).pathname
    {
      await using store = await open({ url, caFile: file('ca.pem') })
      await store.ping()
    }
    assert.ok(proxy.encrypted() > 0)
    assert.match(
      await refusal({ url, caFile: file('other-ca.pem') }),
      /its certificate is not signed by the one given$/,
    )
    const direct = changed((to) => (to.hostname = 'localhost'))
    await assert.rejects(open({ url: direct, caFile: file('ca.pem') }), 'never without TLS')
  })
})
