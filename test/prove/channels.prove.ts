import { asked, longestHoldMs, openManyChannels } from '../many-channels.ts'
import { yardstickMs } from '../processor-time.ts'

/**
 * A store of a million channels, made in bulk: nothing that callers or the service's own loops ask of it holds the event
 * loop for longer than 20 ms of a quiet machine. A number says how many channels instead.
 */

const channels = Number(process.argv[2] ?? 1_000_000)
const startedAt = Date.now()
await using many = await openManyChannels(channels)
console.log(`${channels} channels made in ${Math.round((Date.now() - startedAt) / 1000)} s`)
for (const [what, ask] of Object.entries(asked(many.store))) {
  const before = process.threadCpuUsage()
  const held = await longestHoldMs(ask)
  const { user, system } = process.threadCpuUsage(before)
  const bound = 20 * yardstickMs()
  const all = `${((user + system) / 1000).toFixed(0)} ms in all`
  console.log(`${what}: ${held.toFixed(1)} ms at a time (bound ${bound.toFixed(0)}), ${all}`)
  if (held >= bound) process.exitCode = 1
}
