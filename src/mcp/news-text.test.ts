import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RenderedNews } from '../operations/streams/render-news.ts'
import { newsText } from './news-text.ts'
import { REPLY_TOKENS, estimateTokens } from './tokens.ts'

const AT = '2026-11-17T08:00:00Z'

function told(kind: RenderedNews['kind'], number: number, data: object = {}): RenderedNews {
  const id = `quay_news/${number}`
  const url = `https://t.me/${id}`
  return {
    kind,
    data: { id, url, published_at: AT, snippet: `Quay ${number}`, ...data },
  } as RenderedNews
}

function linesOf(...all: RenderedNews[]): string[] {
  const text = newsText({ news: all, gap: false, more: false, sinceId: 'ab-1', warnings: [] })
  return text.split('\n\n').slice(1, -1)
}

test('several events of a post become one line with its latest state', () => {
  const line = (number: number) => `- ${AT} https://t.me/quay_news/${number}: Quay ${number}`
  assert.deepEqual(
    linesOf(
      told('post', 1),
      told('post', 2),
      told('edit', 1, { matches: true }),
      told('edit', 3, { matches: true }),
      told('edit', 1, { matches: true }),
      told('edit', 3, { matches: true }),
    ),
    [line(1), line(2), line(3).replace('- ', '- edit ')],
  )
  assert.deepEqual(linesOf(told('post', 1), told('edit', 1, { matches: false })), [
    line(1).replace('- ', '- edit, no longer found '),
  ])
  const gone = { published_at: undefined, snippet: undefined, deleted_at: AT }
  assert.deepEqual(linesOf(told('edit', 1, { matches: true }), told('deleted', 1, gone)), [
    `- deleted ${AT} https://t.me/quay_news/1`,
  ])
})

test('a forward names its source', () => {
  const forwarded_from = { name: 'Pier\nwatch', username: null, post_url: null }
  assert.deepEqual(linesOf(told('post', 1, { forwarded_from })), [
    `- ${AT} https://t.me/quay_news/1 forwarded from Pier watch: Quay 1`,
  ])
})

test('markup in a post is escaped, so that it stays text', () => {
  const [line] = linesOf(told('post', 1, { snippet: '![x](https://a.example/?q=1)\n\n# Next <b>' }))
  assert.ok(line!.endsWith(': !\\[x\\](https://a.example/?q=1) # Next \\<b>'), line)
})

test('full posts are shortened to fit the token limit of a reply', () => {
  const text = 'The tide is high. '.repeat(300)
  const full = { snippet: undefined, text }
  assert.ok(linesOf(told('post', 1, full))[0]!.length > 3_000)
  const many = Array.from({ length: 20 }, (_, i) => told('post', i + 1, full))
  assert.equal(linesOf(...many).length, 20)
  assert.ok(estimateTokens(linesOf(...many).join('\n\n')) <= REPLY_TOKENS)
})

test('that nothing is new of a channel that is not known is no answer', () => {
  const detail = 'quay_news is not indexed here; /v1/channels/quay_news/live reads it now'
  const warnings = [{ code: 'channel_not_indexed', parameter: 'channel', detail }] as const
  const text = newsText({ news: [], gap: false, more: false, sinceId: 'ab-1', warnings })
  assert.deepEqual(text.split('\n\n'), [
    'Nothing new.',
    'Note: quay_news is not indexed here; get_live_channel reads it now',
    'Next: since_id=ab-1',
  ])
})
