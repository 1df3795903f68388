import type { Schedule } from '../store/frontier.ts'

/** Mean time between a visit and the next by tenths of the channels, slowest posters first; fewer when there are few. */
export function lagByDecile(schedules: readonly Schedule[], now: number): number[] {
  const visited = schedules
    .filter((s) => s.lastVisitAt !== null)
    .map((s) => ({
      rate: s.seen / Math.max(s.exposureDays, 0.01),
      wait: Math.max(s.nextVisitAt, now) - (s.lastVisitAt as number),
    }))
    .toSorted((a, b) => a.rate - b.rate)
  const groups = Math.min(10, visited.length)
  return Array.from({ length: groups }, (_, i) => {
    const part = visited.slice(
      Math.floor((i * visited.length) / groups),
      Math.floor(((i + 1) * visited.length) / groups),
    )
    return part.reduce((sum, { wait }) => sum + wait, 0) / part.length
  })
}
