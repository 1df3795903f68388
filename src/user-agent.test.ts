import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERSION } from './version.ts'
import { userAgent } from './user-agent.ts'

test('the user agent names the program, a contact and the address for removals', () => {
  const named = `telegrep/${VERSION}`
  const contact = 'ops@example.org'
  const removalUrl = 'https://example.org/entfernen/für-alle'
  assert.equal(userAgent({ contact: null, removalUrl: null }), named)
  assert.equal(userAgent({ contact, removalUrl: null }), `${named} (+ops@example.org)`)
  const told = userAgent({ contact, removalUrl })
  assert.equal(
    told,
    `${named} (+ops@example.org; removal: https://example.org/entfernen/f%C3%BCr-alle)`,
  )
  assert.equal(new Headers({ 'User-Agent': told }).get('user-agent'), told)
})
