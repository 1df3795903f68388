import type { Clock } from '../model/clock.ts'
import type { Printer } from './print.ts'
import { formatDuration } from './format.ts'

interface Progress {
  /** `total` is null while it is unknown. */
  update(done: number, total: number | null): void
  end(): void
}

const REDRAW_MS = 100
/** A log of a job that takes hours must show that it goes on; a command that takes less leaves no line. */
const LINE_MS = 60_000
const BAR = 24

/** A bar with rate and remaining time on a terminal; elsewhere a line of the same each minute. */
export function createProgress(print: Printer, clock: Clock, what: string, unit: string): Progress {
  const since = clock.elapsed()
  let drawnSince = -Infinity
  let writtenSince = since
  return {
    update(done, total) {
      const elapsed = clock.elapsed()
      const isDrawn = elapsed - drawnSince >= REDRAW_MS || done === total
      const isWritten = !print.showsProgress && elapsed - writtenSince >= LINE_MS
      if (!isDrawn && !isWritten) return
      const seconds = Math.max(0.001, (elapsed - since) / 1000)
      const rate = done / seconds
      const state = `${numbers(done, total)} ${unit}${pace(rate, unit)}${left(done, total, rate)}`
      if (isDrawn) {
        drawnSince = elapsed
        print.progress(`${what} ${bar(done, total)} ${state}`)
      }
      if (isWritten) {
        writtenSince = elapsed
        print.note(`${what} ${state}`)
      }
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
