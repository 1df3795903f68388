import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Clock } from '../model/clock.ts'
import type { Store } from '../store/store.ts'

interface AddedChannel {
  /** The plain name of the channel; the input as given when it is not a name. */
  readonly name: string
  /** `removed`: in the opt-out register. `invalid`: not the name of a channel. */
  readonly outcome: 'added' | 'known' | 'removed' | 'invalid'
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
    results.push({ name, outcome: added.outcome })
    if (added.outcome !== 'known') continue
    // Adding a channel that was given up or only imported means that it should be read again.
    const { status, id } = added.channel
    if (status !== 'active' && status !== 'dormant') await store.frontier.makeDue(id, at)
  }
  return results
}
