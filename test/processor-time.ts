import assert from 'node:assert/strict'

/**
 * How long work takes, as time of this thread on the processor: what other programs do meanwhile does not count. A busy
 * machine still makes that time longer (caches and cores are shared), so no test holds it against a number of
 * milliseconds: it is held against other work of the same run.
 */
export function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * Asserts that work takes time by the length of its input alone: the whole may take four times as long as the same
 * length in sixteen parts. Where time grows by the square it takes sixteen times as long.
 */
export function assertGrowsByLength(
  work: (length: number) => unknown,
  length: number,
  what = 'it',
): void {
  let told = ''
  // A collection of garbage may fall into either; what grows by the square fails every time.
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

/** Processor time of a fixed piece of work, about a millisecond on a quiet machine: the measure for what has no other. */
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
