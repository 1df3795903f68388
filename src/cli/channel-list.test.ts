import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelsIn } from './channel-list.ts'

test('a list has one channel per line, with comments', () => {
  assert.deepEqual(channelsIn('durov # him\n\nt.me/telegram\nno__name\n'), [
    'durov',
    't.me/telegram',
    'no__name',
  ])
  assert.deepEqual(channelsIn('# of, many\ndurov\n'), ['durov'])
})

test('the column of a table whose heading names channels is read', () => {
  const table = 'Title,Username,Subscribers\r\n"News, daily",durov,5\r\nOther,@telegram,\r\n'
  assert.deepEqual(channelsIn(table), ['durov', '@telegram'])
  assert.deepEqual(channelsIn('\ufefftitle;URL\nНовости;https://t.me/durov\n;t.me/telegram\n'), [
    'https://t.me/durov',
    't.me/telegram',
  ])
  assert.deepEqual(channelsIn('name,link\nDaily,t.me/durov\n'), ['t.me/durov'])
  assert.deepEqual(channelsIn('username\ndurov\ntelegram\n'), ['durov', 'telegram'])
})

test('the column with the most channel names is read if no heading names channels', () => {
  assert.deepEqual(channelsIn('what\twhere\nDaily news\thttps://t.me/durov\nWeekly\t@telegram\n'), [
    'https://t.me/durov',
    '@telegram',
  ])
  assert.deepEqual(channelsIn('durov,1\ntelegram,2\n'), ['durov', 'telegram'], 'without a heading')
})

test('entries that are not channel names are returned too, so that they can be reported', () => {
  assert.deepEqual(channelsIn('username,n\ndurov,1\nnot a name,2\n"a ""quoted"" one",3\n'), [
    'durov',
    'not a name',
    'a "quoted" one',
  ])
})

test('a list may be longer than the number of arguments that a function takes', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => `Title ${i},@channel_${i}`)
  assert.equal(channelsIn(['Title,Username', ...rows].join('\n')).length, 200_000)
})
