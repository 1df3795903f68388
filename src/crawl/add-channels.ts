import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Clock } from '../model/clock.ts'
import type { Store } from '../store/store.ts'

interface AddedChannel {
  /** As given where it is no name, in plain form otherwise. */
  readonly name: string
  /** `removed`: in the opt-out register. `invalid`: not the name of a channel. */
  readonly outcome: 'added' | 'known' | 'removed' | 'invalid'
}

/** Puts channels up for their first visit and says for each what it became. Repeated names are taken once. */
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
    // Whoever adds a channel that was given up or only imported wants it to be read again.
    const { status, id } = added.channel
    if (status !== 'active' && status !== 'dormant') await store.frontier.makeDue(id, at)
  }
  return results
}
