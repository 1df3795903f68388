import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a condition; far longer than even a busy machine needs, so that it only fails for what never happens. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const endAt = Date.now() + timeoutMs
  while (!(await isSo())) {
    assert.ok(Date.now() < endAt, 'it never came true')
    await sleep(10)
  }
}
