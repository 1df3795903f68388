import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../model/errors.ts'
import { errorPage } from './error-page.ts'

test('a used-up quota tells the wait once, and code as code', async () => {
  const message = 'the policy `burst` is used up, ask again in 7 s'
  const error = new AppError('quota_exceeded', message, { retryAfterS: 7 })
  const page = errorPage(error, { q: undefined, live: undefined, requestId: 'r' })
  const text = String(await page({ isDemo: false }))
  assert.match(text, /the policy <code>burst<\/code> is used up/)
  assert.equal(text.match(/ 7 s/g)?.length, 1)
  assert.match(text, /<code>TELEGREP_TIERS<\/code>/)
  assert.doesNotMatch(text, /`/)
})
