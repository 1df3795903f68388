import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenBefore } from '../../../test/cut-proxy.ts'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { verifyStore } from './verify.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { AppError } from '../../model/errors.ts'
import { addChannel, samplePost, sampleReading } from '../contract/samples.ts'
import { readAddress } from './address.ts'
import { openConnection } from './connection.ts'
import { openPostgresStore } from './postgres-store.ts'

describe('PostgreSQL that fails', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())

  async function openBehindProxy() {
    const url = new URL(engines().databaseUrl)
    const proxy = await listenBefore(url.hostname, Number(url.port))
    url.port = String(proxy.port)
    const schema = schemas.name()
    const retention = { deleted: 'redact', versions: 'keep' } as const
    const store = await openPostgresStore({ url: url.href, schema, retention, connections: 3 })
    return { proxy, store, schema }
  }
  /** The error a caller gets: 503 with a time to retry. */
  const isUnavailable = (error: unknown) => {
    assert.ok(error instanceof AppError, String(error))
    assert.deepEqual([error.code, error.retryAfterS], ['unavailable', 5])
    return true
  }

  test('callers fail at once when connections are cut, and succeed again when they are back', async () => {
    const { proxy, store } = await openBehindProxy()
    await addChannel(store, 'cut_off')
    proxy.cut()
    await assert.rejects(store.archive.channel('cut_off'), isUnavailable)
    await assert.rejects(store.ping(), isUnavailable)
    proxy.mend()
    assert.equal((await store.archive.channel('cut_off'))?.username, 'cut_off')
    await store[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  test('everyone who waits for a connection is told why the server refused it', async () => {
    const role = schemas.name()
    const run = (sql: string) => onDatabase(schemas.name(), (db) => db.slow.script(sql))
    await run(`create role ${role} login password 'x' connection limit 0`)
    const url = Object.assign(new URL(engines().databaseUrl), { username: role, password: 'x' })
    const link = openConnection(readAddress({ url: url.href }), { parameters: {} })
    try {
      const tooMany = { code: '53300' }
      const asked = [1, 2, 3].map((n) => link.send(`select ${n}`, []))
      for (const each of asked) each.catch(() => {})
      for (const each of asked) await assert.rejects(each, tooMany)
      await assert.rejects(link.send('select 4', []), tooMany)
    } finally {
      link.destroy()
      await run(`drop role ${role}`)
    }
  })

  test('a table of locks that is full is reported with what the server advises', async () => {
    const message = 'out of shared memory'
    const hint = 'You might need to increase "max_locks_per_transaction".'
    const fail = `do $$ begin raise '${message}' using errcode = '53200', hint = '${hint}'; end $$`
    await onDatabase(schemas.name(), async (db) => {
      await assert.rejects(db.script(fail), /no memory to spare: .* increase "max_locks_per_tr/)
    })
  })

  test('acknowledged writes survive and none is half written, however often connections are cut', async () => {
    const { proxy, store, schema } = await openBehindProxy()
    const { id } = await addChannel(store, 'halves')
    const acknowledged: number[] = []
    let refused = 0
    /** Acknowledged since the last cut: from then on the connection used last is not one of those cut. */
    let calm = 0
    let slowestMs = 0
    const isDone = new AbortController()
    const cutting = (async () => {
      for (let i = 0; i < 8; i++) {
        await sleep(60 + i * 7)
        proxy.cut()
        proxy.mend()
      }
      isDone.abort()
    })()
    for (let n = 1; calm < 2; n += 2) {
      assert.ok(n < 2000)
      const since = performance.now()
      try {
        const posts = [samplePost(n), samplePost(n + 1)]
        await store.archive.record(sampleReading(id, { at: Date.now(), posts }))
        acknowledged.push(n, n + 1)
        if (isDone.signal.aborted) calm++
      } catch (error) {
        refused++
        isUnavailable(error)
      }
      slowestMs = Math.max(slowestMs, performance.now() - since)
    }
    await cutting
    assert.ok(refused > 0, 'some were cut')
    assert.ok(slowestMs < 10_000, `one waited for ${slowestMs} ms`)
    const numbers = await store.archive.numbersBetween(id, 1, 5000)
    assert.deepEqual(
      acknowledged.filter((number) => !numbers.includes(number)),
      [],
    )
    for (const number of numbers)
      assert.ok(numbers.includes(number % 2 === 1 ? number + 1 : number - 1))
    assert.deepEqual(await onDatabase(schema, (db) => verifyStore(db, Date.now())), [])
    await store[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  test('groups whose posts expire go with them, even if that is interrupted', async () => {
    const { url, schema } = { url: engines().databaseUrl, schema: schemas.name() }
    let isCut = true
    await using store = await openPostgresStore({
      url,
      schema,
      retention: { deleted: 'redact', versions: 'keep' },
      onStatement(sql) {
        if (!isCut || !sql.startsWith('delete from copy_groups')) return
        isCut = false
        throw new Error('cut')
      },
    })
    const post = { channelId: 1, number: 1, publishedAt: 1_000, keys: [7], bands: [8], sketch: [1] }
    await store.groups.join([post])
    await assert.rejects(store.groups.expire(5_000), /cut/)
    await store.groups.expire(5_000)
    const left = await onDatabase(schema, (db) =>
      db.all('select id from copy_groups union all select group_id from copy_keys'),
    )
    assert.deepEqual(left, [])
  })

  test('a transaction reports its original error, and is retried if that may help', async () => {
    await onDatabase('public', async (db) => {
      let tries = 0
      const failing = (sql: string) =>
        db.transaction(async (tx) => {
          tries++
          const unheard = tx.run(sql)
          unheard.catch(() => {})
          await tx.get('select 1')
        })
      await assert.rejects(failing('select 1 / 0'), { code: '22012' })
      assert.equal(tries, 1)
      const busy = `do $$ begin raise exception 'busy' using errcode = '55P03'; end $$`
      await assert.rejects(failing(busy), /others held a row for too long/)
      assert.ok(tries > 2)
    })
  })

  test('a host that no longer answers is given up after ten seconds, and closing does not wait for it', async (t) => {
    const sockets: Socket[] = []
    const note = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
    subscribe('net.client.socket', note)
    t.after(() => unsubscribe('net.client.socket', note))
    const { proxy, store } = await openBehindProxy()
    await store.ping()
    proxy.hang()
    const since = performance.now()
    await assert.rejects(store.ping(), isUnavailable)
    await store[Symbol.asyncDispose]()
    assert.ok(performance.now() - since < 30_000, 'TCP itself would take minutes')
    // A socket left open would keep the process from ending.
    const left = sockets.filter((socket) => socket.remotePort === proxy.port).length
    assert.equal(left, 0)
    await proxy[Symbol.asyncDispose]()
  })
})
