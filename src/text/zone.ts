/** Converts between moments and local time in a time zone. */
import { createCache } from '../model/cache.ts'
import { DAY_MS } from '../model/time.ts'

/** Bounded: there are some six hundred zones, and a caller who names them all must not fill the memory with formats. */
const formats = createCache<string, Intl.DateTimeFormat>({ maxEntries: 64 })

/** The name as the zone database spells it, or an offset such as `+03:00`; undefined when there is no such zone. */
export function parseZone(text: string): string | undefined {
  if (text.length > 64) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const REGIONS = [
  'Europe',
  'Asia',
  'America',
  'Africa',
  'Australia',
  'Pacific',
  'Atlantic',
  'Indian',
] as const

/** The zone of a place that is named without its region: `Kyiv`, `new york`. */
export function zoneOfPlace(place: string): string | undefined {
  const name = place.trim().replaceAll(' ', '_')
  if (!/^[A-Za-z_-]{3,32}$/.test(name)) return undefined
  for (const region of REGIONS) {
    const zone = parseZone(`${region}/${name}`)
    if (zone === undefined) continue
    // If the database has the zone under another name, the name that was asked for is kept: both are valid, and a name
    // that nobody typed would puzzle.
    return zone.toLowerCase() === `${region}/${name}`.toLowerCase() ? zone : `${region}/${name}`
  }
  return undefined
}

/** What a clock in the zone shows at that moment, encoded as if it were UTC. */
export function wallTime(at: number, zone: string): number {
  if (zone === 'UTC') return at
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value)
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  const shown = Date.UTC(year!, month! - 1, day, hour, minute, second)
  return shown + (((at % 1000) + 1000) % 1000)
}

/**
 * The moment at which a clock in the zone shows that time. Where clocks are set back and show it twice, the first of the two;
 * where they are set forward and skip it, the moment by the offset before the change.
 */
export function momentOf(wall: number, zone: string): number {
  const [before, after] = [-DAY_MS, DAY_MS].map((away) => {
    const near = wall + away
    return wall - (wallTime(near, zone) - near)
  })
  return wallTime(before!, zone) !== wall && wallTime(after!, zone) === wall ? after! : before!
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return formats.getOrMake(
    zone,
    () =>
      new Intl.DateTimeFormat('en', {
        timeZone: zone,
        calendar: 'iso8601',
        numberingSystem: 'latn',
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
  )
}
