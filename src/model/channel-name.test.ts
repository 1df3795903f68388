import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseChannelName, whyNoName } from './channel-name.ts'

test('a name is parsed from any link to its channel, to a post or to a post in a topic', () => {
  for (const link of [
    'durov',
    '@durov',
    't.me/durov',
    'https://t.me/s/durov/',
    'https://t.me/durov/12?single',
    'https://t.me/durov/12/345#x',
    'durov.t.me',
  ]) {
    assert.equal(parseChannelName(link), 'durov', link)
  }
})

test('other links give no name', () => {
  for (const link of [
    't.me/c/77/12',
    't.me/joinchat/abcdef',
    't.me/durov/12/345/6',
    't.me/durov/about',
    'example.org/durov',
  ]) {
    assert.equal(parseChannelName(link), undefined, link)
  }
})

test('the reason for rejecting a post names its channel', () => {
  assert.equal(whyNoName('durov/342'), 'that is a post; the channel is durov')
})

test('the reason for rejecting an invitation says that its channel is private', () => {
  for (const link of ['https://t.me/+AbCd', 't.me/joinchat/AbCd', 'https://t.me/c/77/12'])
    assert.match(whyNoName(link), /private channel/, link)
  assert.match(whyNoName('@joinchat'), /reserves that word/)
  assert.match(whyNoName('ab'), /expected 4 to 32 letters/)
})
