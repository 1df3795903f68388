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

test('an order that requires all the words links to the best posts with some of them', () => {
  const detail = 'no post has all the words, and sort=views requires them all'
  const warning = { code: 'all_words_required', detail, suggestion: 'relevance' } as const
  const shown = String(notice(warning, { q: 'snow flood', sort: 'views', since: '7d' }))
  assert.match(shown, /href="\/\?q=snow\+flood&amp;since=7d">Show posts with some/)
})

test('a page shows a warning as a sentence, and what is suggested as another', () => {
  const shown = (detail: string) =>
    String(notice({ code: 'query_is_name', detail, suggestion: 'from:durov' }, {}))
  assert.match(
    shown('this finds mentions; the channel is at /v1/channels/durov'),
    /^<p class="notice">\s+This finds .* is at <a [^>]+>@durov<\/a>\. <a [^>]+>Search for from:durov<\/a>\s+<\/p>$/,
  )
  assert.match(shown('no post has it. Others follow.'), /No post has it\. Others follow\. <a /)
})

test('a long query is not repeated in full', () => {
  const suggestion = 'snow '.repeat(100).trim()
  const shown = String(notice({ code: 'query_repaired', detail: 'cut', suggestion }, {}))
  assert.match(shown, />Search for (?:snow ?){1,12}…<\/a>/)
  assert.match(shown, /href="\/\?q=(?:snow\+){99}snow"/)
})

test('addresses of a channel and of a post become links to their pages', () => {
  const shown = (detail: string) => String(notice({ code: 'query_is_name', detail }, {}))
  assert.match(
    shown('the post itself is at /v1/channels/durov/posts/342'),
    /is at <a href="\/channels\/durov\/posts\/342">durov\/342<\/a>/,
  )
  assert.match(
    shown('and the channel is at /v1/channels/durov'),
    /is at <a href="\/channels\/durov">@durov<\/a>/,
  )
})
