/**
 * The crawler against the simulated platform with every fault on: 2 000 channels and twenty kills, the request rate in real
 * time, two processes on one store, the opt-out register. A number as argument sets the number of channels.
 */
import { keepTheRate, respectOptOut, shareWork, surviveKills } from '../crawl-scenarios.ts'

const channels = Number(process.argv[2] ?? 2_000)

const trials: readonly [string, () => Promise<Record<string, unknown>>][] = [
  [
    'every fault on, killed twenty times: the archive equals the truth',
    () =>
      surviveKills({
        channels,
        days: 5,
        kills: 20,
        killEveryMs: 3_000,
        speed: 30,
        ratePerS: 4,
        limitMs: 1_200_000,
      }),
  ],
  [
    'the request rate holds across kills, in real time',
    () => keepTheRate({ ratePerS: 5, kills: 6, runMs: 90_000 }),
  ],
  ['two processes share the work', () => shareWork({ channels: 200, visits: 300 })],
  ['who is in the opt-out register is never asked for', respectOptOut],
]

for (const [promise, trial] of trials) {
  const startedAt = performance.now()
  try {
    const figures = await trial()
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    console.log(`ok     ${promise} (${seconds} s)\n       ${JSON.stringify(figures)}`)
  } catch (error) {
    console.error(`BROKEN ${promise}\n`, error)
    process.exitCode = 1
  }
}
