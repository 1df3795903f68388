import { nameKey } from '../../model/channel-name.ts'
import { NO_COUNTERS } from '../../model/channel.ts'
import type { Clock } from '../../model/clock.ts'
import type { Archive } from '../archive.ts'
import { newSchedule } from '../frontier.ts'
import type { Retention } from '../retention.ts'
import { saveDerived } from './derived.ts'
import type { Draft, RunPlan } from './draft.ts'
import { planRelease } from './identity.ts'
import { newChannel, newScheduleRow } from './new-rows.ts'
import { prunePosts } from './prune.ts'
import { planReading } from './reading.ts'
import { findEntry } from './register.ts'
import type { Plan } from './rows.ts'
import { storable } from './storable.ts'

/** The writes of every adapter's archive; `erase` carries on with the erasures that a plan began. */
export function createArchiveWrites(
  run: RunPlan,
  channelsById: Archive['channelsById'],
  erase: (channelIds: readonly number[]) => Promise<unknown>,
  { retention, clock }: { readonly retention: Retention; readonly clock: Clock },
): Pick<Archive, 'addChannel' | 'releaseName' | 'record' | 'saveDerived' | 'prune'> {
  return {
    async addChannel(name, options) {
      const added = await run((draft) => planAddition(draft, name, options))
      if (added.outcome === 'removed') return added
      const [channel] = await channelsById([added.id])
      // It may have been removed between the two transactions.
      return channel ? { outcome: added.outcome, channel } : { outcome: 'removed' }
    },
    releaseName: (name, shown) => run((draft) => planRelease(draft, name, shown)),
    async record(reading) {
      const { result, erased } = await run((draft) => planReading(draft, reading, retention))
      await erase(erased)
      return result
    },
    saveDerived: (batch) => saveDerived(run, batch, clock.now()),
    prune: (publishedBefore, limit) => prunePosts(run, publishedBefore, limit, clock),
  }
}

type Added =
  { readonly outcome: 'added' | 'known'; readonly id: number } | { readonly outcome: 'removed' }

/** Makes a channel known under a name. */
export function* planAddition(
  draft: Draft,
  name: string,
  { at, status, title }: Parameters<Archive['addChannel']>[1],
): Plan<Added> {
  yield* draft.ask({ channels: { names: [nameKey(name)] } })
  if (findEntry(draft.entries, { name })) return { outcome: 'removed' }
  const holder = draft.holderOf(name)
  if (holder) return { outcome: 'known', id: holder.id }
  const { newChannelId } = yield* draft.ask({ newChannelId: true })
  const id = newChannelId!
  draft.putChannel(
    newChannel({
      id,
      username: name,
      platformId: null,
      title: storable(title ?? name),
      description: '',
      avatarUrl: null,
      verified: false,
      subscribers: null,
      counters: NO_COUNTERS,
      status,
      addedAt: at,
    }),
  )
  draft.giveName(id, name, at)
  if (status === 'queued') draft.putSchedule(newScheduleRow(id, newSchedule(at)))
  draft.markChannel(id, at)
  return { outcome: 'added', id }
}
