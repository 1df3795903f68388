import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what is under way; far longer than even a busy machine needs, so that it fails only for what never comes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endAt = Date.now() + 120_000
  while (!(await isSo())) {
    assert.ok(Date.now() < endAt, 'it never came true')
    await sleep(10)
  }
}
