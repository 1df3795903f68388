import assert from 'node:assert/strict'
import { test } from 'node:test'
import { channelsIn } from './channel-list.ts'

test('a list has one channel a line, with comments', () => {
  assert.deepEqual(channelsIn('durov # him\n\nt.me/telegram\nno__name\n'), [
    'durov',
    't.me/telegram',
    'no__name',
  ])
  assert.deepEqual(channelsIn('# of, many\ndurov\n'), ['durov'])
})

test('of a table the column is taken that is named after channels', () => {
  const table = 'Title,Username,Subscribers\r\n"News, daily",durov,5\r\nOther,@telegram,\r\n'
  assert.deepEqual(channelsIn(table), ['durov', '@telegram'])
  assert.deepEqual(channelsIn('\ufefftitle;URL\nНовости;https://t.me/durov\n;t.me/telegram\n'), [
    'https://t.me/durov',
    't.me/telegram',
  ])
  assert.deepEqual(channelsIn('name,link\nDaily,t.me/durov\n'), ['t.me/durov'])
  assert.deepEqual(channelsIn('username\ndurov\ntelegram\n'), ['durov', 'telegram'])
})

test('or, where none is named so, the one that holds the most of them', () => {
  assert.deepEqual(channelsIn('what\twhere\nDaily news\thttps://t.me/durov\nWeekly\t@telegram\n'), [
    'https://t.me/durov',
    '@telegram',
  ])
  assert.deepEqual(channelsIn('durov,1\ntelegram,2\n'), ['durov', 'telegram'], 'without a heading')
})

test('what is no channel there is given too, so that it is told', () => {
  assert.deepEqual(channelsIn('username,n\ndurov,1\nnot a name,2\n"a ""quoted"" one",3\n'), [
    'durov',
    'not a name',
    'a "quoted" one',
  ])
})
