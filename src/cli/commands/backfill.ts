import { backfillProgress, startBackfill } from '../../crawl/backfill.ts'
import { parseChannelName } from '../../model/channel-name.ts'
import { systemClock } from '../../model/clock.ts'
import type { Store } from '../../store/store.ts'
import { parseInstant } from '../../text/parse-instant.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command, CommandCall } from '../command.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

const POLL_MS = 1_000

export const backfill: Command = {
  name: 'backfill',
  summary: 'read a channel’s history, to a date or to its first post',
  operands: '<channel>',
  flags: {
    until: {
      type: 'string',
      value: '<time>',
      meaning: 'stop at posts older than this: 2026-01-01, 90d',
    },
    watch: { type: 'boolean', meaning: 'stay and show how far the crawler has come' },
  },
  examples: [
    {
      line: 'telegrep backfill durov',
      does: 'down to the first post; a running crawler does it, and goes on after a restart',
    },
    {
      line: 'telegrep backfill durov --until 2026-01-01 --watch',
      does: 'this year, with progress',
    },
  ],
  async run(call) {
    const name = parseChannelName(call.operands[0] ?? '')
    if (name === undefined) throw new UsageError('expected a channel such as durov')
    await using store = await openLocalStore(call.config)
    const { print } = call
    const started = await startBackfill(store, name, { until: untilOf(call), clock: systemClock })
    if (started.outcome === 'unknown') {
      print.note(`telegrep: ${name} is not indexed here; telegrep add ${name}`)
      return EXIT_CODES.not_found.code
    }
    if (call.json) print.json({ channel: started.channel.username, outcome: started.outcome })
    else
      print.note(
        started.outcome === 'complete'
          ? `${name}: everything down to the first post is archived.`
          : `${name}: queued; a running crawler (telegrep serve) reads it from its reserve.`,
      )
    if (call.flags['watch'] === true && started.outcome === 'started')
      await watch(call, store, started.channel.id)
    return EXIT_CODES.ok.code
  },
}

async function watch(
  { print, signal }: CommandCall,
  store: Store,
  channelId: number,
): Promise<void> {
  const progress = createProgress(print, systemClock, 'reading', 'posts')
  const first = await backfillProgress(store, channelId)
  while (!signal.aborted) {
    const now = await backfillProgress(store, channelId)
    if (!now || now.before === null) break
    const walked = first?.before == null ? 0 : Math.max(0, first.before - now.before)
    progress.update(walked, walked + now.before)
    await systemClock.sleep(POLL_MS, signal).catch(() => {})
  }
  progress.end()
}

function untilOf(call: CommandCall): number | null {
  const given = call.flags['until']
  if (typeof given !== 'string') return null
  const at = parseInstant(given, systemClock.now())
  if (at === undefined)
    throw new UsageError(
      `expected --until as a date, a time or an age such as 90d; found ${JSON.stringify(given)}`,
    )
  return at
}
