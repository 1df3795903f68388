import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrinter, type Printer } from './print.ts'
import { showChange, showVersions } from './show-change.ts'

const BEFORE = 'The ferry ran aground.\n\n12 people were injured.\n\nMore soon.'
const AFTER = 'The ferry ran aground.\n\n21 people were injured.\nNobody is missing.\n\nMore soon.'

function printed(show: (print: Printer) => void, color: boolean): string[] {
  const lines: string[] = []
  const stdout = { isTTY: color, columns: 80, write: () => true }
  const print = createPrinter({ color }, { stdout, stderr: stdout })
  show({ ...print, line: (text = '') => lines.push(text) })
  return lines
}

function shown(before: string, after: string, color: boolean): string[] {
  return printed((print) => showChange(before, after, print), color)
}

test('unchanged lines are shown once, removed and added lines with - and +', () => {
  assert.deepEqual(shown(BEFORE, AFTER, false), [
    '  The ferry ran aground.',
    '  - 12 people were injured.',
    '  + 21 people were injured.',
    '  + Nobody is missing.',
    '  More soon.',
  ])
  assert.deepEqual(shown('gone', '', false), ['  - gone'])
})

test('of the unchanged lines of a long post, only those beside a change are shown', () => {
  const lines = (sixth: string) => [
    'one',
    'two',
    'three',
    'four',
    'five',
    sixth,
    '',
    'seven',
    'eight',
  ]
  assert.deepEqual(shown(lines('6').join('\n'), lines('six').join('\n'), false), [
    '  […]',
    '  five',
    '  - 6',
    '  + six',
    '  seven',
    '  […]',
  ])
})

test('changed words are coloured on a terminal', () => {
  const lines = shown(BEFORE, AFTER, true)
  assert.ok(lines.includes('  - \u001b[31m12\u001b[0m people were injured.'), lines.join('\n'))
  assert.ok(lines.includes('  + \u001b[32m21\u001b[0m people were injured.'))
  assert.ok(lines.includes('  + \u001b[32mNobody is missing.\u001b[0m'))
})

test('each earlier version is shown with the edit that followed it', () => {
  const versions = [
    { captured_at: '09:00', text: '12 injured' },
    { captured_at: '10:00', text: '21 injured' },
    { captured_at: '11:00', text: null },
  ]
  const lines = printed((print) => showVersions({ text: 'Nobody injured', versions }, print), false)
  assert.deepEqual(lines, [
    'earlier version, captured 09:00, and what was changed',
    '  - 12 injured',
    '  + 21 injured',
    'earlier version, captured 10:00, and what was changed',
    '  21 injured',
    'earlier version, captured 11:00, and what was changed',
    '  (only its hash is kept)',
  ])
})
