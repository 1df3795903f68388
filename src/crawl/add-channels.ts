import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Clock } from '../model/clock.ts'
import type { Store } from '../store/store.ts'

interface AddedChannel {
  /** The plain name of the channel; the input as given when it is not a name. */
  readonly name: string
  /** `removed`: in the opt-out register. `invalid`: not the name of a channel. */
  readonly outcome: 'added' | 'known' | 'removed' | 'invalid'
  /** The present name of a known channel of which this is a former or additional name. */
  readonly username?: string
  /** It was given up or only imported, and is read from now on. */
  readonly again?: true
}

/** Queues channels for their first visit and returns the outcome for each. Repeated names are taken once. */
export async function addChannels(
  store: Store,
  inputs: readonly string[],
  clock: Clock,
): Promise<readonly AddedChannel[]> {
  const results: AddedChannel[] = []
  const seen = new Set<string>()
  for (const input of inputs) {
    const name = parseChannelName(input)
    if (name === undefined) {
      results.push({ name: input, outcome: 'invalid' })
      continue
    }
    if (seen.has(nameKey(name))) continue
    seen.add(nameKey(name))
    const at = clock.now()
    const added = await store.archive.addChannel(name, { at, status: 'queued' })
    if (added.outcome !== 'known') {
      results.push({ name, outcome: added.outcome })
      continue
    }
    const { status, id, username } = added.channel
    const isOther = nameKey(username) !== nameKey(name)
    const isRead = status === 'active' || status === 'dormant'
    results.push({
      name,
      outcome: 'known',
      ...(isOther ? { username } : {}),
      ...(isRead || status === 'queued' ? {} : { again: true }),
    })
    // Adding a channel that was given up or only imported means that it should be read again.
    if (!isRead) await store.frontier.makeDue(id, at)
  }
  return results
}
