import type { Clock } from '../model/clock.ts'
import type { Printer } from './print.ts'
import { formatDuration } from './format.ts'

interface Progress {
  /** `total` is null while it is unknown. */
  update(done: number, total: number | null): void
  end(): void
}

const REDRAW_MS = 100
const BAR = 24

/** A bar with rate and remaining time on a terminal; nothing in a pipe. */
export function createProgress(print: Printer, clock: Clock, what: string, unit: string): Progress {
  const since = clock.elapsed()
  let drawnSince = -Infinity
  return {
    update(done, total) {
      const elapsed = clock.elapsed()
      if (elapsed - drawnSince < REDRAW_MS && done !== total) return
      drawnSince = elapsed
      const seconds = Math.max(0.001, (elapsed - since) / 1000)
      const rate = done / seconds
      print.progress(
        `${what} ${bar(done, total)} ${numbers(done, total)} ${unit}${pace(rate, unit)}${left(done, total, rate)}`,
      )
    },
    end: () => print.progress(undefined),
  }
}

/** Empty while the total is unknown. */
export function bar(done: number, total: number | null): string {
  if (total === null || total === 0) return ''
  const filled = Math.round((Math.min(done, total) / total) * BAR)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`
}

function numbers(done: number, total: number | null): string {
  return total === null
    ? done.toLocaleString('en')
    : `${done.toLocaleString('en')}/${total.toLocaleString('en')}`
}

function pace(rate: number, unit: string): string {
  return `  ${Math.round(rate).toLocaleString('en')} ${unit}/s`
}

function left(done: number, total: number | null, rate: number): string {
  if (total === null || rate === 0 || done >= total) return ''
  return `  ${formatDuration(((total - done) / rate) * 1000)} left`
}
