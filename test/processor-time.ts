import assert from 'node:assert/strict'

/**
 * How long work takes, as processor time of this thread, so that other programs do not count. A busy machine still makes it
 * longer, because caches and cores are shared. So no test compares it with a number of milliseconds, only with other work of
 * the same run.
 */
export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * Asserts that work is linear in the length of its input: the whole may take four times as long as the same length in
 * sixteen parts. Quadratic work takes sixteen times as long.
 */
export function assertGrowsByLength(
  work: (length: number) => unknown,
  length: number,
  what = 'it',
): void {
  let told = ''
  // A garbage collection may fall into either; quadratic work fails every time.
  for (let tries = 0; tries < 4; tries++) {
    const parts = processorMs(() => {
      for (let i = 0; i < 16; i++) work(Math.ceil(length / 16))
    })
    const whole = processorMs(() => work(length))
    // The processor's clock may tick in steps of ten milliseconds.
    if (whole < 4 * parts + 20) return
    told = `${what} takes ${parts} ms in sixteen parts and ${whole} ms as a whole`
  }
  assert.fail(told)
}

/** Processor time of a fixed piece of work, about a millisecond on a quiet machine: the yardstick where there is no other. */
export function yardstickMs(): number {
  const once = () => {
    const words = new Map<string, number>()
    for (let i = 0; i < 4_000; i++) words.set(`word ${(i * 7919) % 4_000}`, i)
    return [...words.keys()].sort().length
  }
  for (let i = 0; i < 30; i++) once()
  const TIMES = 50
  return processorMs(() => Array.from({ length: TIMES }, once)) / TIMES
}
