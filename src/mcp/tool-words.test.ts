import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolWords } from './tool-words.ts'

test('API paths in a message are replaced by the names of tools', () => {
  for (const [said, told] of [
    ['durov is not indexed here; /v1/channels/durov/live reads it now', 'get_live_channel reads'],
    [
      'search reaches back 30 days; older posts are at /v1/channels/{username}/posts',
      '; list_channel_posts has older posts',
    ],
    [
      'unknown parameter `x`; /docs#search_posts lists those that search_posts takes',
      '; its schema lists those that search_posts takes',
    ],
    [
      'it; the post itself is at /v1/channels/durov/posts/342',
      'it; get_post shows the post itself',
    ],
    ['own, and the channel is at /v1/channels/durov', 'own, and get_channel describes it'],
    ['"A b" is no name; /v1/channels?q= finds channels by title', '; list_channels finds channels'],
    ['"xx" is no code; /v1/languages lists those that are held', '; list_languages lists'],
  ] as const) {
    assert.ok(toolWords(said).includes(told), toolWords(said))
    assert.doesNotMatch(toolWords(said), /\/(?:v1|docs)\b/)
  }
})
