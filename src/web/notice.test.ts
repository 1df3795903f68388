import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notice } from './notice.ts'

test('a page of posts from one channel links to other channels', () => {
  const detail =
    'all 20 posts of this page are of loud_one; `exclude_channel` shows those of others'
  const warning = { code: 'one_channel', detail, suggestion: 'spam_one,loud_one' } as const
  const shown = String(notice(warning, { q: 'snow', exclude_channel: 'spam_one' }))
  assert.match(
    shown,
    /href="\/\?q=snow&amp;exclude_channel=spam_one%2Cloud_one">Show other channels/,
  )
  assert.match(shown, /are of loud_one\./)
  assert.doesNotMatch(shown, /shows those/)
})
