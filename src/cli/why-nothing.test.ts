import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { whyNothing } from './why-nothing.ts'

const { config } = readConfig({})
const archiveOf = (channels: number, posts: number) => ({
  channels,
  posts,
  channels_by_status: {},
  oldest_post_at: null,
  newest_post_at: null,
})
const INDEX = { channels: 0, posts: 0, newest_post_at: null, lag_s: 0, problem: null }

test('an empty first search says what is missing and which command helps', () => {
  const tell = (channels: number, posts: number, pending: number, url: string | null = null) => {
    const index = { ...INDEX, pending_changes: pending, rebuilding: false }
    const told = whyNothing(
      { archive: archiveOf(channels, posts), index },
      { flags: {}, config, url },
    )
    return told.split('\n').map((line) => line.replace(/^ +.*telegrep(?: --)? /, ''))
  }
  assert.deepEqual(tell(0, 0, 0).slice(0, 2), [
    'No post is indexed yet:',
    'add durov  names a channel',
  ])
  assert.deepEqual(tell(2, 0, 0).slice(0, 2), [
    'No post is indexed yet, 2 channels to be read first:',
    'serve   reads, where none runs yet',
  ])
  assert.deepEqual(tell(2, 1_200, 1_200), [
    'No post is indexed yet, of 1,200 in the archive:',
    'serve   makes the index, where none runs yet',
    'status  tells how far that is',
  ])
  assert.deepEqual(tell(2, 1_200, 0), [
    'No post of the last 30 days is indexed, of 1,200 in the archive:',
    'export  writes them',
  ])
  assert.deepEqual(tell(2, 1_200, 9, 'https://telegrep.example'), [
    'No post is indexed yet, of 1,200 in the archive',
  ])
})
