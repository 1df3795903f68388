import { backfillProgress, startBackfill } from '../../crawl/backfill.ts'
import { lockShared } from '../../store-lock.ts'
import type { Channel } from '../../model/channel.ts'
import { parseChannelName } from '../../model/channel-name.ts'
import { systemClock } from '../../model/clock.ts'
import { keptSince, type Store } from '../../store/store.ts'
import { NotFoundError, UsageError, type CommandCall } from '../command.ts'
import { formatInstant, plural } from '../format.ts'
import { instantFlag } from '../flag-values.ts'
import { nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

const POLL_MS = 1_000

export async function backfill(call: CommandCall): Promise<void> {
  const [given = ''] = call.operands
  const name = parseChannelName(given)
  if (name === undefined)
    throw new UsageError(`expected a channel such as durov; found ${JSON.stringify(given)}`)
  const until = instantFlag(call, 'until')
  if (until !== null && until > systemClock.now())
    throw new UsageError(`expected --until in the past; found ${formatInstant(until)}`)
  await using store = await openLocalStore(call)
  await using _ = await lockShared(store)
  const { print } = call
  const started = await startBackfill(store, name, { until, clock: systemClock })
  if (started.outcome === 'unknown')
    throw new NotFoundError(`${name} is not indexed here; ${nextCommand(call, `add ${name}`)}`)
  if (call.json) print.json({ channel: started.channel.username, outcome: started.outcome })
  else
    print.note(
      started.outcome === 'complete'
        ? `${name}: everything down to the first post is archived.`
        : `${name}: queued; a running crawler reads it from its reserve.`,
    )
  const since = keptSince(store.retention, systemClock.now())
  if (started.outcome === 'started' && (until ?? -Infinity) < since)
    print.note(
      `It ends at ${formatInstant(since)}: TELEGREP_ARCHIVE_DAYS lets the archive keep no older posts.`,
    )
  if (call.flags['watch'] === true && started.outcome === 'started')
    await watch(call, store, started.channel)
}

async function watch(
  { json, print, signal }: CommandCall,
  store: Store,
  { id, username }: Channel,
): Promise<void> {
  const progress = createProgress(print, systemClock, 'reading', 'posts')
  const first = await backfillProgress(store, id)
  let now = first
  while (now && now.before !== null) {
    const walked = first?.before == null ? 0 : Math.max(0, first.before - now.before)
    progress.update(walked, walked + now.before)
    await systemClock.sleep(POLL_MS, signal)
    now = await backfillProgress(store, id)
  }
  progress.end()
  if (json)
    print.json({ channel: username, outcome: now ? 'done' : 'removed', posts: now?.posts ?? 0 })
  else if (now) print.note(`${username}: done, ${plural(now.posts, 'post')} archived.`)
  else print.note(`${username}: removed from the archive meanwhile.`)
}
