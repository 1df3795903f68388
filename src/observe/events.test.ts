import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../model/errors.ts'
import { createEvents } from './events.ts'
import type { Logger } from './log.ts'
import { createMetrics } from './metrics.ts'

test('an unreadable platform is logged once, and at the start immediately', () => {
  const lines: string[] = []
  const write = (level: string) => (_fields: object, words: string) =>
    lines.push(`${level} ${words}`)
  const log = { info: write('info'), warn: write('warn') } as unknown as Logger
  const { platformHeard } = createEvents(log, createMetrics(), { elapsed: () => 0 })
  const source = 'https://t.me'
  const fail = () => platformHeard({ source, problem: 'ENOTFOUND' })
  const answer = () => platformHeard({ source, problem: null })

  fail()
  assert.deepEqual(lines, ['warn the platform cannot be read'])
  for (let i = 0; i < 5; i += 1) fail()
  assert.equal(lines.length, 1)
  answer()
  answer()
  assert.deepEqual(lines.slice(1), ['info the platform can be read again'])
  fail()
  fail()
  answer()
  assert.equal(lines.length, 2, 'a visit that fails on its own is not the platform’s doing')
  for (let i = 0; i < 3; i += 1) fail()
  assert.deepEqual(lines.slice(2), ['warn the platform cannot be read'])
})

test('a missing index, as beside a restored backup, is logged as a warning and not as damage', () => {
  const lines: string[] = []
  const log = {
    warn: (words: string) => lines.push(`warn ${words}`),
    error: ({ why }: { why: string }, words: string) => lines.push(`error ${words}: ${why}`),
  } as unknown as Logger
  const { indexDamaged } = createEvents(log, createMetrics(), { elapsed: () => 0 })
  indexDamaged({ why: null })
  indexDamaged({ why: 'cut short' })
  assert.deepEqual(lines, [
    'warn there is no index, as beside a restored backup: it is built from the archive',
    'error the index was damaged or lost: it is built anew: cut short',
  ])
})

test('the same failure of a worker is logged once a minute with its count', () => {
  const lines: unknown[] = []
  const log = {
    error: ({ err, worker, again }: { err: Error; worker: string; again?: number }) =>
      lines.push([worker, err.message, again]),
  } as unknown as Logger
  let elapsed = 0
  const { workerFailed } = createEvents(log, createMetrics(), { elapsed: () => elapsed })
  const fail = (why: string, worker = 'deliveries') => workerFailed(new Error(why), worker)

  for (; elapsed < 59_900; elapsed += 300) fail('the database is away')
  fail('the database is away', 'watches')
  fail('the disk is full')
  elapsed = 60_000
  fail('the database is away')
  assert.deepEqual(lines, [
    ['deliveries', 'the database is away', undefined],
    ['watches', 'the database is away', undefined],
    ['deliveries', 'the disk is full', undefined],
    ['deliveries', 'the database is away', 199],
  ])
})

test('streams log an unavailable store once a minute as one sentence, and a bug as an error', () => {
  const lines: unknown[] = []
  const log = {
    warn: (fields: object, text: string) => lines.push([text, fields]),
    error: ({ err }: { err: Error }, text: string) => lines.push([text, err.message]),
  } as unknown as Logger
  let elapsed = 0
  const { streamsFailed } = createEvents(log, createMetrics(), { elapsed: () => elapsed })
  for (; elapsed <= 60_000; elapsed += 1_000)
    streamsFailed(new AppError('unavailable', 'the database is away'))
  for (let i = 0; i < 3; i++) streamsFailed(new TypeError('a bug'))
  assert.deepEqual(lines, [
    ['streams wait', { reason: 'the database is away' }],
    ['streams wait', { reason: 'the database is away', again: 59 }],
    ['streams could not be told', 'a bug'],
  ])
})

test('an unavailable store is logged as a warning, once a minute for each worker that needs it', () => {
  const lines: unknown[] = []
  const log = { warn: (fields: object) => lines.push(fields) } as unknown as Logger
  const events = createEvents(log, createMetrics(), { elapsed: () => 0 })
  const reason = 'the database could not be used: nothing listens there'
  const error = new AppError('unavailable', reason)
  for (let times = 0; times < 5; times++) {
    events.workerFailed(error, 'pictures')
    events.crashed({ channel: 'durov', error })
    events.crashed({ channel: '', error })
  }
  assert.deepEqual(lines, [
    { reason, worker: 'pictures' },
    { reason, worker: 'crawler' },
  ])
})

test('the full reason why a server is unavailable is logged once a minute', () => {
  const lines: unknown[] = []
  const log = { warn: (fields: object) => lines.push(fields) } as unknown as Logger
  let elapsed = 0
  const events = createEvents(log, createMetrics(), { elapsed: () => elapsed })
  const reason = 'the database db:5432/telegrep could not be used: nothing listens there'
  const error = new AppError('unavailable', reason, { detail: 'the database could not be used' })
  for (const at of [0, 1_000, 2_000, 61_000]) {
    elapsed = at
    events.requestRefused(error)
  }
  assert.deepEqual(lines, [{ reason }, { reason, again: 2 }])
})

test('the first work after a worker waited or stood by is logged once', () => {
  const lines: unknown[] = []
  const note = (fields: object, text: string) => lines.push([text, fields])
  const log = { info: note, warn() {}, debug() {} } as unknown as Logger
  const events = createEvents(log, createMetrics(), { elapsed: () => 0 })
  const work = () => events.indexed({ posts: 1, removed: 0, tookMs: 1 })
  work()
  events.workerWaits('the database is away', 'indexer')
  events.workerWaits('the database is away', 'watches')
  work()
  work()
  assert.deepEqual(lines, [['worker works', { worker: 'indexer' }]])
  events.workerFailed(new AppError('unavailable', 'it is away again'), 'indexer')
  work()
  assert.equal(lines.length, 2)
  events.workerFailed(new AppError('unavailable', 'it is away again'), 'indexer')
  work()
  assert.equal(lines.length, 2, 'no more often than that it waits')
})

test('a delivery that fails is no work done', () => {
  const lines: unknown[] = []
  const note = (fields: object) => lines.push(fields)
  const log = { info: note, warn() {}, debug() {} } as unknown as Logger
  const events = createEvents(log, createMetrics(), { elapsed: () => 0 })
  events.workerWaits('the database is away', 'deliveries')
  events.delivered({ sink: 'webhook', outcome: 'failed' })
  assert.deepEqual(lines, [])
  events.delivered({ sink: 'webhook', outcome: 'sent' })
  assert.deepEqual(lines, [{ worker: 'deliveries' }])
})

test('standing by for another process is logged as information', () => {
  const lines: unknown[] = []
  const log = { info: (fields: object) => lines.push(fields) } as unknown as Logger
  const events = createEvents(log, createMetrics(), { elapsed: () => 0 })
  events.workerStandsBy('another process feeds the index', 'indexer')
  assert.deepEqual(lines, [{ reason: 'another process feeds the index', worker: 'indexer' }])
})
