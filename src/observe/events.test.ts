import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../model/errors.ts'
import { createEvents } from './events.ts'
import type { Logger } from './log.ts'
import { createMetrics } from './metrics.ts'

test('a platform that cannot be read is told once, at the start at once', () => {
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

test('an index that is not there, as beside a restored backup, is no damage', () => {
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

test('the same trouble of a worker is told once a minute, with how often it came', () => {
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

test('of a store that is away streams tell a sentence once a minute, of a bug where it is', () => {
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

test('a store that is away is told in a sentence, as a warning, once a minute for each that waits for it', () => {
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

test('what callers are not told of a server that is away stands in the log, once a minute', () => {
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

test('who stands by for another process calls nobody', () => {
  const lines: unknown[] = []
  const log = { info: (fields: object) => lines.push(fields) } as unknown as Logger
  const events = createEvents(log, createMetrics(), { elapsed: () => 0 })
  events.workerStandsBy('another process feeds the index', 'indexer')
  assert.deepEqual(lines, [{ reason: 'another process feeds the index', worker: 'indexer' }])
})
