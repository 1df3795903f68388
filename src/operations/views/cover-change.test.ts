import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePost } from '../../store/contract/make-post.ts'
import { classifyEdit } from '../../text/edits/classify-edit.ts'
import { createMatcher } from '../../text/matcher.ts'
import { coverChange } from './cover-change.ts'

/** What is named of an edit, as a list shows it. */
function namedOf(before: string, after: string, hidden: string) {
  const entities = [
    { type: 'spoiler' as const, offset: after.indexOf(hidden), length: hidden.length },
  ]
  const { named } = classifyEdit({ text: before }, { text: after, entities }, 'zh')
  const post = makePost({ number: 1, publishedAt: 0, text: after, entities })
  const change = { before, after, language: 'zh', named }
  const covered = coverChange(change as never, post as never, createMatcher(null, 'stem'))
  return covered.named.map((each) => [each.before, each.after])
}

test('a negation of a script without spaces is masked under a spoiler that has spaces', () => {
  assert.deepEqual(
    namedOf('结果：他昨天 去 北京', '结果：他昨天 没有 去 北京', '他昨天 没有 去 北京'),
    [['██', '████']],
  )
  assert.deepEqual(namedOf('他昨天 去 北京。再见', '他昨天 没有 去 北京。再见', '再见'), [
    ['天去', '天没有去'],
  ])
})
