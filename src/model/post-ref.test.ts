import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePostRef, parseTarget } from './post-ref.ts'

test('a post reference is parsed in every form people paste', () => {
  for (const form of [
    'durov/342',
    '@durov/342',
    't.me/durov/342',
    'https://t.me/s/durov/342',
    'https://telegram.me/durov/342?single',
    ' http://www.t.me/durov/342 ',
  ]) {
    assert.deepEqual(parsePostRef(form), { username: 'durov', number: 342 }, form)
  }
})

test('a channel is parsed as a target without a number, and not as a post', () => {
  for (const form of ['durov', '@durov', 'https://t.me/durov', 't.me/s/durov']) {
    assert.deepEqual(parseTarget(form), { username: 'durov', number: null }, form)
    assert.equal(parsePostRef(form), undefined, form)
  }
})

test('anything else after a name is rejected, never dropped', () => {
  for (const form of [
    'durov/',
    'durov/342/',
    'durov/342#x',
    'durov/342?comment=5',
    'https://t.me/durov/342/5',
    'durov/67108864',
    'durov/12345678901',
    'durov/0',
    'durov/-1',
    'durov/342-title',
    'durov?x',
    'durov#x',
    'https://t.me/joinchat/342',
    'https://example.com/durov/342',
    '',
    '/342',
    'x'.repeat(300),
  ]) {
    assert.equal(parseTarget(form), undefined, form)
  }
})
