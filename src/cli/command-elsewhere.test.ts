import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { commandElsewhere, elsewhere } from './command-elsewhere.ts'

test('a command for another terminal names a data folder that only a variable of this one names', () => {
  const { config } = readConfig({ TELEGREP_DATA: '/var/lib/telegrep' })
  assert.match(
    commandElsewhere({ flags: {}, config }, 'add durov'),
    / --data \/var\/lib\/telegrep$/,
  )
  assert.match(commandElsewhere({ flags: {}, ...readConfig({}) }, 'add durov'), / add durov$/)
})

test('a command for another terminal on a database names no folder, and needs the same variables', () => {
  const variables = { TELEGREP_DATA: '/var/lib/telegrep', TELEGREP_DATABASE_URL: 'postgres://db/t' }
  const call = { flags: {}, ...readConfig(variables) }
  assert.match(commandElsewhere(call, 'status'), / status$/)
  assert.equal(elsewhere(call), 'in another terminal with the same variables')
})
