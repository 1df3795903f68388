import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventParser } from './event-stream.ts'

const LINES = ['id: a-1', 'event: post', 'data: {"text":', 'data: "words"}', '', ': alive', '']

for (const [name, end] of [
  ['CRLF', '\r\n'],
  ['LF', '\n'],
  ['CR', '\r'],
] as const) {
  test(`a stream with lines that end in ${name} has the same events wherever it is cut`, () => {
    const text = [...LINES, ...LINES, ': alive'].map((line) => `${line}${end}`).join('')
    const event = { event: 'post', data: { text: 'words' }, id: 'a-1' }
    for (let cut = 0; cut <= text.length; cut++) {
      const parser = createEventParser()
      const events = [text.slice(0, cut), text.slice(cut)].flatMap((chunk) => parser.feed(chunk))
      assert.deepEqual(events, [event, event], `cut at ${cut}`)
    }
  })
}
