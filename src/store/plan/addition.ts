import { nameKey } from '../../model/channel-name.ts'
import { NO_COUNTERS } from '../../model/channel.ts'
import type { Archive } from '../archive.ts'
import { newSchedule } from '../frontier.ts'
import type { Draft } from './draft.ts'
import { newChannel, newScheduleRow } from './new-rows.ts'
import type { Plan } from './rows.ts'
import { findEntry } from './register.ts'
import { storable } from './storable.ts'

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
