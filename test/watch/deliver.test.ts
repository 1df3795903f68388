import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sender } from '../../src/watch/sender.ts'
import { openStage, type Stage } from './stage.ts'

const DAY = 86_400_000
const MINUTE = 60_000

describe('a delivery', () => {
  const opened = async (sender: Sender): Promise<Stage> => {
    const stage = await openStage({}, { command: sender })
    await stage.watch('storms', 'storm')
    await stage.publish('gales', { 1: 'storm one' })
    await stage.tell()
    return stage
  }

  test('that a bug keeps from being sent is tried as any that fails, and becomes a dead letter', async () => {
    let tries = 0
    await using stage = await opened({
      async send() {
        tries++
        throw new Error('a bug')
      },
    })
    for (let at = 0; at < DAY + 3 * 3_600_000; at += 10 * MINUTE) {
      await stage.send()
      stage.pass(10 * MINUTE)
    }
    const dead = await stage.app.store.deliveries.dead(10)
    assert.deepEqual(
      dead.map(({ error }) => error),
      ['something went wrong on our side'],
    )
    assert.ok(tries > 1 && tries < 30, `${tries} tries`)
    assert.equal(stage.failed.length, tries, 'each is told')
  })
})
