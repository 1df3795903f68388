import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../src/model/errors.ts'
import { startService, type ServiceOptions } from '../api/harness.ts'
import { fillWorld } from '../api/world.ts'
import { mountPages } from './mount-pages.ts'

describe('who may see pages, and what they cost', () => {
  async function open(options: ServiceOptions = {}) {
    const service = await startService(options)
    await fillWorld(service)
    const onFailure = (error: unknown) => assert.fail(String(error))
    const get = async (path: string, ctx = service.ctx) => {
      const pages = mountPages(new AbortController(), { ctx, onFailure })
      const reply = await pages.request(path, { headers: { accept: 'text/html' } })
      return { status: reply.status, text: await reply.text() }
    }
    const daily = async () => {
      const { access } = service.ctx
      const states = await access.policyStates(access.anonymous('127.0.0.1'))
      return states.find(({ name }) => name === 'daily')!.remaining
    }
    return { service, get, daily, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
  }

  test('where a key is needed, no page shows what is archived', async () => {
    await using closed = await open({ anonymous: false })
    await using public_ = await open()
    for (const path of [
      '/',
      '/?q=champion',
      '/channels',
      '/channels/ChessNews',
      '/channels/ChessNews/posts/10',
      '/changes',
      '/status',
    ]) {
      assert.equal((await public_.get(path)).status, 200, path)
      const { status, text } = await closed.get(path)
      assert.equal(status, 401, path)
      assert.match(text, /these pages ask without a key/i, path)
      assert.doesNotMatch(text, /Chess news|archived/, path)
    }
    for (const path of ['/help', '/follow']) assert.equal((await closed.get(path)).status, 200)
  })

  test('a mistake in the filters of a channel costs nothing of the day', async () => {
    await using world = await open()
    const { daily } = world
    const before = await daily()
    assert.equal((await world.get('/channels/ChessNews?since=soon')).status, 400)
    assert.equal(await daily(), before)
    assert.equal((await world.get('/channels/ChessNews?since=7d')).status, 200)
    assert.equal(await daily(), before - 1)
  })

  test('a page that cannot be shown costs nothing of the day, whichever of its queries failed', async () => {
    await using world = await open()
    const { get, daily, service } = world
    const stats = () => Promise.reject(new AppError('unavailable', 'the store is away'))
    const archive = Object.assign(Object.create(service.ctx.store.archive), { stats })
    const store = Object.assign(Object.create(service.ctx.store), { archive })
    const before = await daily()
    const failing = { ...service.ctx, store }
    assert.equal((await get('/channels/ChessNews', failing)).status, 503)
    assert.equal(await daily(), before)
  })
})
