import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { nextCommand } from './invocation.ts'

test('a suggested command names the data folder or the server of the call', () => {
  const { config } = readConfig({ TELEGREP_DATA: '/srv/my data' })
  assert.match(nextCommand({ flags: {}, config }, 'status'), / status$/)
  assert.match(
    nextCommand({ flags: { data: 'my data' }, config }, 'status'),
    / status --data '\/srv\/my data'$/,
  )
  assert.match(
    nextCommand({ flags: { url: 'http://localhost:8080' }, config }, 'live durov'),
    / live durov --url http:\/\/localhost:8080$/,
  )
})
