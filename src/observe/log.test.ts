import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { createLog, humanLine } from './log.ts'

test('on a terminal without colours a line is plain', () => {
  const written: string[] = []
  const { write } = process.stderr
  process.stderr.write = (chunk) => written.push(String(chunk)) > 0
  try {
    createLog('info', { terminal: true, color: false }).info({ posts: 3 }, 'visit finished')
    createLog('info', { terminal: true, color: true }).info({ posts: 3 }, 'visit finished')
  } finally {
    process.stderr.write = write
  }
  const [plain = '', coloured = ''] = written
  assert.match(plain, /^[\d:]{8} info visit finished {2}posts=3\n$/)
  assert.ok(coloured.includes('\u001b[32m'))
})

test('a log record becomes one human-readable line', () => {
  const line = humanLine({
    level: 'info',
    time: '2026-11-15T12:30:01.000Z',
    msg: 'visit finished',
    posts: 3,
    reason: 'two words',
  })
  assert.equal(
    stripVTControlCharacters(line),
    '12:30:01 info visit finished  posts=3 reason="two words"',
  )
})

test('control characters in a log record are escaped', () => {
  const line = humanLine({ level: 'warn', msg: 'not added', name: '\u001b[2J\u009b2Jx' })
  assert.ok(line.includes('name="\\u001b[2J\ufffd2Jx"'), JSON.stringify(line))
})
