import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf } from '../../test/watch/samples.ts'
import { chatTextOf, subjectOf, textOf } from './message.ts'

test('the subject of a message hides spoilers; its text has the whole post', async () => {
  const message = await messageOf(['It was the butler'])
  const spoiler = { type: 'spoiler' as const, offset: 11, length: 6 }
  const items = message.items.map((item) => ({
    ...item,
    post: { ...item.post, entities: [spoiler] },
  }))
  const spoiled = { ...message, items }
  assert.equal(subjectOf(spoiled), 'storms: It was the ██████')
  assert.match(textOf(spoiled), /It was the butler/)
})

test('the text of a message for a chat calls nobody and hides no address', async () => {
  const written = [
    '<!channel> <!here|here> <@U012AB> <users/all> <https://evil.example|https://bank.example>',
    '@all @channel, .@here (@online) https://medium.example/@all/1 https://a.example/x.@all',
    '[https://bank.example](https://evil.example) ![](https://evil.example/pixel)',
  ]
  for (const text of written) {
    const told = chatTextOf(await messageOf([text]))
    assert.doesNotMatch(told, /[<>]|\]\(|(?:^|[^\p{L}\p{N}])@/u)
  }
  const plain =
    'AT&T: 5 * 3 = 15, info@bank.example, [1] (see below) https://bank.example/a?b=1&c=(2)'
  assert.ok(chatTextOf(await messageOf([plain])).includes(plain))
  const shown = chatTextOf(await messageOf(['<b> @all']))
  assert.ok(shown.includes('‹b› ＠all'), shown)
})
