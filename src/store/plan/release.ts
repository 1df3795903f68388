import { nameKey } from '../../model/channel-name.ts'
import type { Archive } from '../archive.ts'
import type { Draft } from './draft.ts'
import type { Plan } from './plan.ts'

/** Takes a former name from its channel, unless the page that shows it is that channel's own. */
export function* planRelease(
  draft: Draft,
  name: string,
  { platformId, at }: Parameters<Archive['releaseName']>[1],
): Plan<void> {
  yield* draft.ask({ channels: { names: [nameKey(name)] } })
  const holder = draft.holderOf(name)
  if (!holder || nameKey(holder.username) === nameKey(name)) return
  if (holder.platformId === null || holder.platformId === platformId) return
  draft.loseName(holder.id, name)
  draft.markChannel(holder.id, at)
}
