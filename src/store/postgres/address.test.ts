import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './address.ts'

test('percent-encoded characters in an address are decoded', () => {
  const { user, password, host, port, database } = readAddress({
    url: 'postgres://me:50%25%20off%23%2F%3F%40@db.example:6432/posts?sslmode=disable',
  })
  assert.deepEqual(
    [user, password, host, port, database],
    ['me', '50% off#/?@', 'db.example', 6432, 'posts'],
  )
})

test('a password that is not encoded is rejected with a hint, and never shown', () => {
  for (const password of ['50%off', '12#34', 'secret#1', 'a?secret', '12/secret', 'a/b']) {
    const url = `postgres://me:${password}@db.example/posts`
    const isTold = ({ message }: Error) => {
      assert.match(message, /^the address of the database could not be read: .* write # as %23/)
      assert.ok(!message.includes(password) && !message.includes('secret'))
      return true
    }
    assert.throws(() => readAddress({ url }), isTold, password)
  }
})
