import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../test/open-temporary.ts'
import { DEFAULT_TIERS } from './access/tiers.ts'
import { expectSameSettings, expectSameSecret } from './same-settings.ts'
import { systemClock } from './model/clock.ts'

const SECRET = 'a secret of all processes'

test('a process is refused if its secret or its tiers differ from those of running processes', async () => {
  let now = 1_000
  const clock = { ...systemClock, now: () => now }
  await using store = await openTemporary(clock)
  const { roles } = store
  await expectSameSettings(roles, { secret: SECRET, tiers: DEFAULT_TIERS })
  await expectSameSettings(roles, { secret: SECRET, tiers: new Map(DEFAULT_TIERS) })
  await expectSameSecret(roles, SECRET)

  const other = expectSameSettings(roles, { secret: 'the secret of another', tiers: DEFAULT_TIERS })
  await assert.rejects(other, (error: Error) => {
    assert.match(error.message, /^TELEGREP_SECRET is not what the other processes/)
    return !error.message.includes('the secret of another')
  })
  const tiers = new Map([...DEFAULT_TIERS].slice(0, 2))
  await assert.rejects(
    expectSameSettings(roles, { secret: SECRET, tiers }),
    /^OperatorError: TELEGREP_TIERS is/,
  )

  now += 50_000
  await expectSameSettings(roles, { secret: SECRET, tiers: DEFAULT_TIERS })
  now += 50_000
  await assert.rejects(
    expectSameSettings(roles, { secret: SECRET, tiers }),
    /TELEGREP_TIERS/,
    'they still run',
  )
  now += 60_000
  await expectSameSettings(roles, { secret: 'the secret of another', tiers })
})
