import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { commandElsewhere } from './command-elsewhere.ts'

test('a command for another terminal names a data folder that only a variable of this one names', () => {
  const { config } = readConfig({ TELEGREP_DATA: '/var/lib/telegrep' })
  assert.match(
    commandElsewhere({ flags: {}, config }, 'add durov'),
    / --data \/var\/lib\/telegrep$/,
  )
  assert.match(commandElsewhere({ flags: {}, ...readConfig({}) }, 'add durov'), / add durov$/)
})
