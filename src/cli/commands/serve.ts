import { refuseSamePort } from '../../config.ts'
import { systemClock } from '../../model/clock.ts'
import { openSearchIndex } from '../../search/open-search-index.ts'
import type { Running } from '../../serve.ts'
import { UsageError, type CommandCall } from '../command.ts'
import { plural } from '../format.ts'
import { commandElsewhere, elsewhere } from '../command-elsewhere.ts'
import { isAbort } from '../is-abort.ts'
import { TELEGREP } from '../invocation.ts'

export function serveCommand(call: CommandCall): Promise<void> {
  const api = call.flags['no-api'] !== true
  const crawl = call.flags['no-crawl'] !== true
  if (!api && !crawl)
    throw new UsageError(
      'expected --no-api or --no-crawl, found both: nothing would be left to run',
    )
  return runService(call, { api, crawl, index: crawl })
}

export async function runService(
  call: CommandCall,
  parts: { api: boolean; crawl: boolean; index: boolean },
): Promise<void> {
  const { config, secrets, signal } = call
  if (parts.api) refuseSamePort(config)
  // The index's threads load the posts while this one loads the program, so neither waits for the other.
  const index = openSearchIndex(config.index, systemClock, signal)
  index.catch(() => {})
  const { createApp } = await import('../../app.ts')
  const { serve } = await import('../../serve.ts')
  try {
    await using app = await createApp(config, secrets, { ...colorOf(call), index, signal })
    await serve(app, { ...parts, onReady: (running) => tellReady(call, running) }, signal)
  } catch (error) {
    // Being stopped ends a service as it should, even while it starts: whoever supervises it must not see a failure.
    if (!isAbort(error, signal)) throw error
  }
}

function tellReady(call: CommandCall, running: Running): void {
  const { print, json } = call
  const { address, adminAddress, channels, imported, crawling, indexing } = running
  if (json) {
    print.json({ address, admin_address: adminAddress, crawling, indexing, channels })
    return
  }
  if (address !== null) {
    print.note(
      `Telegrep answers on ${print.noteStyle.bold(address)} (API reference: ${address}/docs)`,
    )
  } else print.note(`Telegrep ${crawling ? 'crawls and indexes' : 'indexes'}; Ctrl-C ends it.`)
  if (adminAddress !== null) print.note(`Metrics are on ${adminAddress}/metrics`)
  if (!crawling) return
  if (channels > imported) {
    print.note(`Reading ${plural(channels - imported, 'channel')}; how far, ${elsewhere(call)}:`)
    print.note(`  ${commandElsewhere(call, 'status')}`)
    return
  }
  const none =
    imported > 0 ? 'What was imported is not read from the platform' : 'No channel is indexed yet'
  print.note(`${none}. To get posts, ${elsewhere(call)}:`)
  const ways = [
    [commandElsewhere(call, 'add durov telegram'), 'names or links'],
    [commandElsewhere(call, 'add channels/start.txt'), 'a starter list'],
    [`${TELEGREP} demo --port 0`, 'a simulated platform, on a port of its own'],
  ] as const
  const width = Math.max(...ways.map(([command]) => command.length))
  for (const [command, what] of ways) print.note(`  ${command.padEnd(width)}  ${what}`)
}

/** `--no-color` also applies to log lines; otherwise the log decides by its own stream. */
export function colorOf({ flags }: CommandCall): { readonly color?: boolean } {
  return flags['no-color'] === true ? { color: false } : {}
}
