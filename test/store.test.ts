import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

/**
 * The everyday size of what `npm run prove` does at length. Imported inside each test, because the scripts use top-level
 * await.
 */
describe('the embedded store', () => {
  test('loses no acknowledged write when its writer is killed', async () => {
    const { run } = await import('./prove/kill-store.prove.ts')
    const { acknowledgements } = await run({ kills: 4 })
    assert.ok(acknowledgements > 0)
  })

  test('grants exactly the limit to 64 concurrent spenders in 4 processes', async () => {
    const { run } = await import('./prove/quota.prove.ts')
    const { granted, asked } = await run({ limit: 400 })
    assert.equal(granted, 400)
    assert.ok(asked >= 4 * granted)
  })

  test('rejects writes when its files cannot grow, and keeps its data', async () => {
    const { run } = await import('./prove/disk.prove.ts')
    const { fileLimit } = await run({ mounts: false })
    assert.match(fileLimit, /all there$/)
  })
})
