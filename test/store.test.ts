import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { run as fillDisk } from './prove/disk.prove.ts'
import { run as killWriters } from './prove/kill-store.prove.ts'
import { run as spendQuota } from './prove/quota.prove.ts'

/** The everyday size of what `npm run prove` does at length. */
describe('the embedded store', () => {
  test('loses nothing it acknowledged when its writer is killed', async () => {
    const { acknowledgements } = await killWriters({ kills: 4 })
    assert.ok(acknowledgements > 0)
  })

  test('grants exactly the limit to 64 spenders in 4 processes', async () => {
    const { granted, asked } = await spendQuota({ limit: 400 })
    assert.equal(granted, 400)
    assert.ok(asked >= 4 * granted)
  })

  test('refuses to write where files cannot grow, and keeps what it had', async () => {
    const { fileLimit } = await fillDisk({ mounts: false })
    assert.match(fileLimit, /all there$/)
  })
})
