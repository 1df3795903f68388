import { once } from 'node:events'
import { parseChannelName } from '../../model/channel-name.ts'
import { systemClock } from '../../model/clock.ts'
import { viewChannelCard } from '../../operations/views/channel.ts'
import { NO_PICTURES } from '../../operations/views/picture.ts'
import { viewFullPost } from '../../operations/views/post.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { formatCount } from '../format.ts'
import { instantFlag } from '../instant-flag.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

const BATCH = 500

export async function exportCommand(call: CommandCall): Promise<ExitCode> {
  await using store = await openLocalStore(call.config)
  const since = instantFlag(call, 'since')
  const names = call.operands.map((operand) => {
    const name = parseChannelName(operand)
    if (name === undefined)
      throw new UsageError(`expected a channel, found ${JSON.stringify(operand)}`)
    return name
  })
  const known = await store.archive.channelsByName(names)
  const chosen = names.map((name, i) => ({ name, channel: known[i] }))
  const missing = chosen.find(({ channel }) => channel === undefined)
  if (missing) {
    call.print.note(`telegrep: ${missing.name} is not indexed here`)
    return EXIT_CODES.not_found.code
  }
  const totals = await store.archive.totals()
  const progress = createProgress(call.print, systemClock, 'exporting', 'posts')
  let done = 0
  for (const channelId of names.length === 0
    ? [undefined]
    : chosen.map(({ channel }) => channel?.id)) {
    const scan = store.archive.scan({
      batch: BATCH,
      signal: call.signal,
      ...(channelId === undefined ? {} : { channelId }),
      ...(since === null ? {} : { publishedSince: since }),
    })
    for await (const posts of scan) {
      const channels = await store.archive.channelsById([
        ...new Set(posts.map((post) => post.channelId)),
      ])
      const cards = new Map(
        channels.map((channel) => [channel.id, viewChannelCard(channel, undefined)]),
      )
      const lines = posts.flatMap((post) => {
        const card = cards.get(post.channelId)
        return card && post.deletedAt === null
          ? [JSON.stringify(viewFullPost(post, card, NO_PICTURES))]
          : []
      })
      if (lines.length > 0 && !process.stdout.write(`${lines.join('\n')}\n`))
        await once(process.stdout, 'drain')
      done += lines.length
      progress.update(done, names.length === 0 && since === null ? totals.posts : null)
    }
  }
  progress.end()
  // The result is JSON either way; with --json so is what is said beside it.
  call.print.note(call.json ? JSON.stringify({ posts: done }) : `${formatCount(done)} posts`)
  return EXIT_CODES.ok.code
}
