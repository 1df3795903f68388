import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ANONYMOUS, DEFAULT_TIERS, LOCAL_TIER, type Tiers } from '../../access/tiers.ts'
import { createApp } from '../../app.ts'
import { inFolder, refuseSamePort, type Config } from '../../config.ts'
import { systemClock } from '../../model/clock.ts'
import { HOUR_MS } from '../../model/time.ts'
import { serve } from '../../serve.ts'
import type { Simulator } from '../../simulator/server.ts'
import { UsageError, type CommandCall } from '../command.ts'
import { TELEGREP } from '../invocation.ts'
import { colorOf } from './serve.ts'

const DEFAULT_CHANNELS = 60
const RATE_PER_S = 200
const CONCURRENCY = 8
/** The platform's last six hours pass in as many minutes, so that posts, edits and deletions arrive while somebody watches. */
const BEHIND_MS = 6 * HOUR_MS
const SPEED = 61
/** Whoever tries the demo sends requests faster than strangers may on a server. */
const TIERS: Tiers = new Map([
  ...DEFAULT_TIERS,
  ...[ANONYMOUS, LOCAL_TIER].map(
    (name) => [name, { name, policies: DEFAULT_TIERS.get('pro')!.policies }] as const,
  ),
])

export async function demo(call: CommandCall): Promise<void> {
  const { print } = call
  const channels = Number(call.flags['channels'] ?? DEFAULT_CHANNELS)
  if (!Number.isInteger(channels) || channels < 3 || channels > 5000)
    throw new UsageError('expected --channels from 3 to 5000')
  refuseSamePort(call.config)
  if (call.flags['data'] !== undefined)
    throw new UsageError('expected no --data: the demo makes a folder of its own and deletes it')
  // Never in a folder with data: the crawler would take what is simulated for the word of the platform, and edit or delete
  // posts of real channels.
  const folder = await mkdtemp(join(tmpdir(), 'telegrep-demo-'))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))

  const { startSimulator } = await import('../../simulator/server.ts')
  const { createLateClock } = await import('../../simulator/clocks.ts')
  await using simulator = await startSimulator({
    world: { seed: 'demo', channels, startAt: systemClock.now(), days: 40 },
    clock: createLateClock({ behindMs: BEHIND_MS, speed: SPEED }),
  })
  const placed = inFolder(call.config, folder)
  const config: Config = {
    ...placed,
    sourceUrl: simulator.url,
    media: 'keep',
    pictures: { ...placed.pictures, url: simulator.url },
    retention: { ...placed.retention, pictures: true },
    crawl: { ratePerS: RATE_PER_S, concurrency: CONCURRENCY },
    log: call.config.log === 'info' ? 'warn' : call.config.log,
  }
  await using app = await createApp(config, call.secrets, { ...colorOf(call), tiers: TIERS })
  const { prepareDemo } = await import('../prepare-demo.ts')
  print.progress('Making the simulated platform …')
  const names = await prepareDemo(app, simulator, call.signal)
  print.progress(undefined)
  await serve(
    app,
    {
      api: true,
      crawl: true,
      index: true,
      isDemo: true,
      onReady: ({ address }) => tell(call, address ?? '', { simulator, names, config }),
    },
    call.signal,
  )
}

interface Prepared {
  readonly simulator: Simulator
  readonly names: readonly string[]
  readonly config: Config
}

function tell({ print, json }: CommandCall, address: string, prepared: Prepared): void {
  const { names, config } = prepared
  const { url: platform, world } = prepared.simulator
  const channels = world.channels.length
  if (json) {
    print.json({ address, platform, channels: names })
    return
  }
  const name = names[0] ?? 'durov'
  print.line(`Telegrep          ${print.style.bold(address)}`)
  print.line(
    `The platform      ${platform}, ${channels} simulated channels, ${names.length} readable`,
  )
  print.line()
  print.line(
    'Posts are being read now. A story to follow in a browser, and what its author changed:',
  )
  print.line(`  ${address}/?q=ferry+heron`)
  print.line('or, in another terminal:')
  print.line(`  curl '${address}/v1/search?q=snow&limit=3'`)
  print.line(`  curl '${address}/v1/channels/${name}/live?format=md'`)
  print.line(`  curl -N '${address}/v1/stream?lang=en'`)
  print.line(`  ${TELEGREP} search snow --url ${address}`)
  print.line("or an operator's commands:")
  print.line(
    `  ${TELEGREP} status --data ${config.dataFolder} --source-url ${platform} --crawl-rate ${RATE_PER_S}`,
  )
  print.line()
  print.line('Ctrl-C ends both.')
}
