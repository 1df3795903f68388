import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, errorOf, type ErrorItem } from '../model/errors.ts'
import { hinted } from '../model/hint.ts'
import { errorPage } from './error-page.ts'

const ASKED = { path: '/', parameters: {}, live: undefined, channel: undefined, requestId: 'r' }

test('a used-up quota shows the wait once, and code as code', async () => {
  const { detail, hint } = hinted('the policy `burst` is used up', { after_s: 7 })
  const error = new AppError('quota_exceeded', detail, { retryAfterS: 7, hint })
  const page = errorPage(error, ASKED)
  const text = String(await page({ isDemo: false }))
  assert.match(text, /The policy <code>burst<\/code> is used up/)
  assert.equal(text.match(/ 7 s/g)?.length, 1)
  assert.match(text, /<code>TELEGREP_TIERS<\/code>/)
  assert.doesNotMatch(text, /`/)
})

test('a long wait is told in minutes or hours, never too short', async () => {
  const show = async (error: AppError) => String(await errorPage(error, ASKED)({ isDemo: false }))
  const { detail, hint } = hinted('the policy `live` is used up', { after_s: 2_939 })
  const spent = await show(new AppError('quota_exceeded', detail, { retryAfterS: 2_939, hint }))
  assert.match(spent, /Try again in 49 min\./)
  const paused = new AppError('upstream_throttled', 'paused', { retryAfterS: 7_200 })
  assert.match(await show(paused), /Try again in 2 h\./)
  const throttled = new AppError('upstream_throttled', 'paused', { retryAfterS: 145 })
  assert.match(await show(throttled), /Try again in 3 min\./)
})

test('the heading is not repeated, and each of several problems is shown once', async () => {
  const show = async (error: AppError) => String(await errorPage(error, ASKED)({ isDemo: false }))
  const nowhere = await show(new AppError('not_found', 'there is nothing at this address'))
  assert.doesNotMatch(nowhere, /there is nothing/)
  const errors = ['limit', 'sort'].map((parameter) => ({
    parameter,
    code: 'invalid_parameter' as const,
    detail: `expected another ${parameter}`,
  }))
  const many = await show(
    new AppError('invalid_parameter', 'expected another limit; …', { errors }),
  )
  assert.equal(many.match(/expected another limit/g)?.length, 1)
})

test('what is shown as a link is not repeated as an address in the sentence', async () => {
  const q: ErrorItem = {
    parameter: 'q',
    code: 'invalid_query',
    detail: 'no such thing',
    suggestion: 'thing',
  }
  const wrong = new AppError('invalid_query', 'no such thing; try: thing', { errors: [q] })
  const options = { ...ASKED, live: '/channels/durov/live' }
  const show = async (error: AppError) => String(await errorPage(error, options)({ isDemo: false }))
  assert.match(await show(wrong), /<p>No such thing<\/p>/)
  const unknown = hinted('unknown parameter `page`', { meant: 'cursor' })
  const item = { parameter: 'page', code: 'unknown_parameter', suggestion: 'cursor' } as const
  const asked = await show(errorOf({ ...item, ...unknown }))
  assert.match(asked, /<p>Unknown parameter <code>page<\/code><\/p>/)
  assert.equal(asked.match(/did you mean/gi)?.length, 1)
  const input = { username: 'durov' }
  const live = { operation: 'get_live_channel', input, does: 'reads it now' } as const
  const { detail, hint } = hinted('the channel durov is not indexed here', live)
  const page = await show(new AppError('channel_not_indexed', detail, { hint }))
  assert.match(page, /<p>The channel durov is not indexed here<\/p>/)
  assert.match(page, /href="\/channels\/durov\/live"/)
})

test('a deleted post shows each of its dates once', async () => {
  const [published, seen, deleted] = [1, 2, 3].map((day) => `2026-03-0${day}T12:00:00Z`)
  const detail = `post 2 of durov was deleted on the platform; published ${published}, found deleted ${deleted}`
  const evidence = { content_sha256: 'ab', first_captured_at: published, last_captured_at: seen }
  const extra = { published_at: published, deleted_at: deleted, evidence }
  const error = new AppError('post_deleted', detail, { extra })
  const shown = String(await errorPage(error, ASKED)({ isDemo: false }))
  const text = shown.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')
  assert.match(text, / The post was deleted on the platform Its text is not kept/)
  assert.match(text, /Captured 2026-03-01 12:00 UTC to 2026-03-02 12:00 UTC , sha256 ab /)
  assert.equal(text.match(/2026-03-03/g)?.length, 1)
})

test('errors that pass offer to try again, and the search box keeps the parameters', async () => {
  const parameters = { q: 'storm', lang: 'en', cursor: 'c' }
  for (const code of ['quota_exceeded', 'overloaded', 'unavailable', 'internal'] as const) {
    const page = errorPage(new AppError(code, 'not now'), { ...ASKED, parameters })
    const text = String(await page({ isDemo: false }))
    assert.match(text, /href="\/\?q=storm&amp;lang=en&amp;cursor=c">Try again</, code)
    assert.match(text, /type="hidden" name="lang" value="en"/, code)
  }
})

test('an error refers to pages, not to addresses of the API', async () => {
  const byTitle = { operation: 'list_channels', input: {}, does: 'finds channels' } as const
  const item = hinted('"A b" is no name', byTitle)
  const error = errorOf({ parameter: 'channel', code: 'invalid_username', ...item })
  const shown = String(await errorPage(error, ASKED)({ isDemo: false }))
  assert.match(shown, /is no name; the page Channels finds them by title/)
})
