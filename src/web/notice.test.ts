import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hinted } from '../model/hint.ts'
import { notice } from './notice.ts'

test('a page of posts from one channel links to other channels', () => {
  const message = hinted('all 20 posts of this page are of loud_one', {
    parameter: 'exclude_channel',
    does: 'shows those of others',
  })
  const warning = { code: 'one_channel', ...message, suggestion: 'spam_one,loud_one' } as const
  const shown = String(notice(warning, { q: 'snow', exclude_channel: 'spam_one' }))
  assert.match(
    shown,
    /href="\/\?q=snow&amp;exclude_channel=spam_one%2Cloud_one">Show other channels/,
  )
  assert.match(shown, /are of loud_one\./)
  assert.doesNotMatch(shown, /shows those/)
})

test('an order that requires all the words links to the best posts with some of them', () => {
  const detail = 'no post has all the words'
  const warning = { code: 'all_words_required', detail, suggestion: 'relevance' } as const
  const shown = String(notice(warning, { q: 'snow flood', sort: 'views', since: '7d' }))
  assert.match(shown, /href="\/\?q=snow\+flood&amp;since=7d">Show posts with some/)
})

test('a page shows a warning as a sentence, what helps as a link, and what is suggested as another', () => {
  const code = 'query_is_name'
  const input = { username: 'durov', slug: '342' }
  const channel = { operation: 'get_channel', input, does: 'describes it' } as const
  const named = {
    code,
    ...hinted('this finds mentions', channel),
    suggestion: 'from:durov',
  } as const
  assert.match(
    String(notice(named, {})),
    /^<p class="notice">\s+This finds mentions; <a href="\/channels\/durov">@durov<\/a> describes it\. <a [^>]+>Search for from:durov<\/a>\s+<\/p>$/,
  )
  const post = { operation: 'get_post', input, does: 'shows it' } as const
  assert.match(
    String(notice({ code, ...hinted('this finds links', post) }, {})),
    /links; <a href="\/channels\/durov\/posts\/342">durov\/342<\/a> shows it/,
  )
  const plain = { code, detail: 'no post has it. Others follow.', suggestion: 'x' } as const
  assert.match(String(notice(plain, {})), /No post has it\. Others follow\. <a /)
})

test('a long query is not repeated in full', () => {
  const suggestion = 'snow '.repeat(100).trim()
  const shown = String(notice({ code: 'query_repaired', detail: 'cut', suggestion }, {}))
  assert.match(shown, />Search for (?:snow ?){1,12}…<\/a>/)
  assert.match(shown, /href="\/\?q=(?:snow\+){99}snow"/)
})
