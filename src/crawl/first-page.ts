import type { Channel, UnavailableReason } from '../model/channel.ts'
import type { PageOutcome } from '../telegram/source.ts'
import type { PageReader } from './walk.ts'

/** Former names tried, latest first. Each costs a few requests, but only at visits whose own name leads nowhere. */
const MAX_TRIED = 3
const ANOTHERS: ReadonlySet<UnavailableReason> = new Set(['is_group', 'is_user', 'is_bot'])

/**
 * Reads the newest page, under a former name if the present one leads to no channel any more: channels take names back, and give
 * one of several up. Nobody else could tell us, since all names of a channel lead to a visit under the present one.
 */
export async function readFirstPage(
  channel: Channel,
  readerOf: (username: string, requests: number) => PageReader,
): Promise<{ readonly reader: PageReader; readonly first: PageOutcome }> {
  let reader = readerOf(channel.username, 0)
  const first = await reader.read(null, 'visit')
  if (!leadsNowhere(first) || channel.platformId === null) return { reader, first }
  for (const name of channel.aliases.slice(-MAX_TRIED).toReversed()) {
    reader = readerOf(name, reader.requests)
    const outcome = await reader.read(null, 'visit')
    // The name may have another owner.
    const isOwn = outcome.kind === 'page' && outcome.page.profile.platformId === channel.platformId
    if (isOwn) return { reader, first: outcome }
  }
  return { reader, first }
}

function leadsNowhere(outcome: PageOutcome): boolean {
  if (outcome.kind === 'unavailable') return ANOTHERS.has(outcome.reason)
  return outcome.kind === 'nobody'
}
