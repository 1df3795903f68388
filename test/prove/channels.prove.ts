import { holdsOfService } from '../many-channels-service.ts'
import { asked, openManyChannels } from '../many-channels.ts'
import { longestHoldMs } from '../watch-loop.ts'
import { yardstickMs } from '../processor-time.ts'

/**
 * A store of a million channels, created in bulk: nothing that callers or the service's own loops ask of it blocks the event
 * loop for longer than 20 ms of a quiet machine. First the whole service with its loops, asked for every kind of reply; then
 * the store alone. A number as argument sets the number of channels.
 */

const channels = Number(process.argv[2] ?? 1_000_000)
/** Long enough for every loop to run. */
const IDLE_MS = 20_000
const startedAt = Date.now()
await using many = await openManyChannels(channels)
console.log(`${channels} channels made in ${Math.round((Date.now() - startedAt) / 1000)} s`)

function hold(what: string, ms: number, more = ''): void {
  const bound = 20 * yardstickMs()
  console.log(`${what}: ${ms.toFixed(1)} ms at a time (bound ${bound.toFixed(0)})${more}`)
  if (ms >= bound) process.exitCode = 1
}

const { startMs, held } = await holdsOfService(many.folder, IDLE_MS)
console.log(`start and first visit: ${startMs.toFixed(1)} ms at a time`)
for (const { what, ms } of held) hold(what, ms)
for (const [what, ask] of Object.entries(asked(many.store))) {
  const before = process.threadCpuUsage()
  const ms = await longestHoldMs(ask)
  const { user, system } = process.threadCpuUsage(before)
  hold(`store: ${what}`, ms, `, ${((user + system) / 1000).toFixed(0)} ms in all`)
}
