import type { ChannelDay } from '../../../model/channel.ts'
import { lastThinnedDay } from '../../growth-rules.ts'
import type { GrowthRow, Writes } from '../../plan/rows.ts'
import type { MemoryState } from './state.ts'

export function growthOf(state: MemoryState, channelId: number): GrowthRow[] {
  const days = [...(state.growth.get(channelId)?.values() ?? [])]
  return days.toSorted((a, b) => a.day - b.day)
}

export function daysBetween(
  state: MemoryState,
  channelId: number,
  first: number,
  last: number,
): ChannelDay[] {
  return growthOf(state, channelId)
    .filter(({ day }) => day >= first && day <= last)
    .map(({ day, subscribers, views }) => ({ day, subscribers, views }))
}

/** Called before channels are forgotten. */
export function moveGrowth(state: MemoryState, { growthMoved }: Writes): void {
  for (const { from, to } of growthMoved) {
    const own = state.growth.get(to) ?? new Map<number, GrowthRow>()
    for (const row of growthOf(state, from)) {
      if (!own.has(row.day)) own.set(row.day, { ...row, channelId: to })
    }
    state.growth.set(to, own)
  }
}

export function writeGrowth(state: MemoryState, { growth }: Writes): void {
  for (const row of growth) {
    const days = state.growth.get(row.channelId) ?? new Map<number, GrowthRow>()
    const old = days.get(row.day)
    const subscribers = row.subscribers ?? old?.subscribers ?? null
    days.set(row.day, { ...row, subscribers, views: row.views ?? old?.views ?? null })
    state.growth.set(row.channelId, days)
    thin(days, lastThinnedDay(row.day))
  }
}

/** Of the days up to and including `last`, keeps only the last one of each week. */
function thin(days: Map<number, GrowthRow>, last: number): void {
  const old = [...days.keys()].filter((day) => day <= last)
  for (const day of old) {
    if (old.some((later) => later > day && weekOf(later) === weekOf(day))) days.delete(day)
  }
}

/** The number of the week of a day; weeks begin on Monday. */
function weekOf(day: number): number {
  return Math.floor((day + 3) / 7)
}
