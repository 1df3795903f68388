import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../test/until.ts'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { maintain } from './maintain.ts'
import { systemClock, type Clock } from './model/clock.ts'
import { AppError } from './model/errors.ts'
import { addChannel, samplePost, sampleReading } from './store/contract/samples.ts'
import { whyNotReady } from './ready.ts'
import { EVENTS_PRUNED_MS } from './store/events.ts'
import { KEEPER } from './store/roles.ts'
import { StoreGoneError } from './store/store.ts'

/** Stops maintenance instead of letting it sleep until the next round. */
function clockOfOneRound(stop: () => AbortController): Clock {
  return {
    ...systemClock,
    async sleep(ms, signal) {
      if (ms === 5_000) stop().abort()
      else await systemClock.sleep(ms, signal)
    },
  }
}

test('gauges of the whole service are reported by the keeper only', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-keeper-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  await using app = await createApp(config, secrets)
  const other = await app.store.roles.acquire(KEEPER, 'another/1/process', 60_000)
  assert.ok(other)

  const stop = new AbortController()
  const running = maintain(app, stop.signal)
  const gauges = async () => app.metrics.text().match(/^telegrep_index_lag.*$/gm)
  await until(async () => (await gauges()) === null)
  stop.abort()
  await running

  await app.store.roles.release(other)
  const again = new AbortController()
  const keeping = maintain(app, again.signal)
  await until(async () => (await gauges())?.[0] === 'telegrep_index_lag_seconds 0')
  again.abort()
  await keeping
})

test('gauges are forgotten while the store cannot be reached', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-unkept-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  await using app = await createApp(config, secrets)
  const figures = () =>
    app.metrics.text().match(/^telegrep_(index_lag|searchable).*$/gm)?.length ?? 0
  const rounds: number[] = []
  const stop = new AbortController()
  const sleep = async () => {
    if (rounds.push(figures()) === 3) stop.abort()
  }
  const expectSameSettings = async () => {
    if (rounds.length === 1) throw new AppError('unavailable', 'the database is away')
  }
  await maintain({ ...app, clock: { ...app.clock, sleep }, expectSameSettings }, stop.signal)
  assert.deepEqual(rounds, [2, 0, 2])
})

test('events are pruned after two days, even while a gauge cannot be computed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-events-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  const start = Date.now() - EVENTS_PRUNED_MS
  const at = (now: number) => ({ ...systemClock, now: () => now })
  {
    await using app = await createApp(config, secrets, { clock: at(start - 1) })
    const { id } = await addChannel(app.store, 'forgotten', start)
    const posts = [1, 2].map((number) => samplePost(number, { publishedAt: start }))
    await app.store.archive.record(sampleReading(id, { at: start, posts }))
    const told = { channelId: id, revision: 1, publishedAt: start, firstCapturedAt: start }
    const document = () => new Uint8Array([1])
    await app.store.events.append([{ ...told, number: 1, document }])
    await using later = await createApp(config, secrets, { clock: at(start + 60_000) })
    await later.store.events.append([{ ...told, number: 2, document }])
  }
  await using app = await createApp(config, secrets)
  const stop = new AbortController()
  const pictures = () => Promise.reject(new Error('too many to count'))
  const overview = { ...app.context.overview, pictures }
  app.clockCheck.hear('platform', Date.now())
  const running = maintain({ ...app, context: { ...app.context, overview } }, stop.signal)
  await until(async () => (await app.store.events.bounds()).forgotten === 1)
  assert.deepEqual(
    (await app.store.events.after(0, 9)).map(({ seq }) => seq),
    [2],
  )
  stop.abort()
  await running
})

test('posts and events are pruned in as many steps as one round needs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-prunes-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({
    TELEGREP_DATA: folder,
    TELEGREP_LOG: 'silent',
    TELEGREP_ARCHIVE_DAYS: '31',
  })
  const start = Date.now() - 40 * 86_400_000
  const numbers = Array.from({ length: 1_200 }, (_, i) => i + 1)
  {
    const then = { ...systemClock, now: () => start }
    await using app = await createApp(config, secrets, { clock: then })
    const { id } = await addChannel(app.store, 'forgotten', start)
    const posts = numbers.map((number) => samplePost(number, { publishedAt: start }))
    await app.store.archive.record(sampleReading(id, { at: start, posts }))
    const told = { channelId: id, revision: 1, publishedAt: start, firstCapturedAt: start }
    const document = () => new Uint8Array([1])
    // Events of other posts: pruning a post also removes its own.
    const events = numbers.map((number) => ({ ...told, number: 10_000 + number, document }))
    await app.store.events.append(events)
  }
  const stop = new AbortController()
  const clock = clockOfOneRound(() => stop)
  await using app = await createApp(config, secrets, { clock })
  app.clockCheck.hear('platform', Date.now())
  await maintain(app, stop.signal)
  assert.deepEqual(await app.store.events.after(0, 9), [])
  assert.equal((await app.store.archive.channel('forgotten'))?.posts, 0)
})

test('nothing expires while the time is unknown or wrong, which is logged and measured', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-tidy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  let stop = new AbortController()
  const clock = clockOfOneRound(() => stop)
  await using app = await createApp(config, secrets, { clock })
  const done: string[] = []
  const store = {
    ...app.store,
    removals: { ...app.store.removals, resume: async () => void done.push('removals') },
    ledger: { ...app.store.ledger, sweep: async () => void done.push('quotas') },
    events: { ...app.store.events, prune: async () => done.push('events') },
  }
  const events = { ...app.events, clockWrong: (why: unknown) => void done.push(`clock: ${why}`) }
  const maintainOnce = async () => {
    stop = new AbortController()
    done.length = 0
    await maintain({ ...app, store, events }, stop.signal)
    return done.join('; ')
  }
  assert.equal(await maintainOnce(), 'removals')
  app.clockCheck.hear('platform', Date.now() - 90 * 86_400_000)
  assert.match(await maintainOnce(), /^clock: our clock is 90 days ahead .*; removals$/)
  assert.match(app.metrics.text(), /telegrep_clock_ahead_seconds\{other="platform"\} 777[56]\d{3}/)
  app.clockCheck.hear('platform', Date.now())
  assert.equal(await maintainOnce(), 'removals; quotas; events')
})

test('a store whose files are moved away ends maintenance with a StoreGoneError', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-gone-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const { config, secrets } = readConfig({ TELEGREP_DATA: data, TELEGREP_LOG: 'silent' })
  const rounds = new AbortController()
  await using app = await createApp(config, secrets, { clock: clockOfOneRound(() => rounds) })
  await maintain(app, rounds.signal)
  assert.equal(await whyNotReady(app, true), null)

  renameSync(data, join(folder, 'elsewhere'))
  assert.notEqual(await whyNotReady(app, true), null)
  await assert.rejects(maintain(app, new AbortController().signal), StoreGoneError)
  assert.equal(existsSync(data), false, 'nobody makes another in its place')
})
