import { eraseInSteps, planErasureOfRemoved } from '../plan/erasure.ts'
import { planNumbersRemoval } from '../plan/removal.ts'
import type { Retention } from '../retention.ts'
import { CHANNELS_OF_REMOVED_POSTS, REMOVED_CHANNELS } from '../removal-codec.ts'
import type { Database } from './database.ts'
import { createRun } from './write.ts'

/** Carries out erasures in steps. */

/** Resolves to how many posts were erased. */
export async function eraseAll(
  db: Database,
  channelIds: readonly number[],
  retention: Retention,
): Promise<number> {
  return (await eraseInSteps(createRun(db), channelIds, retention)).posts
}

/** Finishes erasures that were begun by this process or by one that crashed. */
export async function eraseWaiting(db: Database, retention: Retention): Promise<void> {
  const rows = await db.all<{ id: number }>('select channel_id as id from erasures order by 1')
  await eraseAll(
    db,
    rows.map(({ id }) => id),
    retention,
  )
}

/** A restored archive may hold what was removed after its backup was made: that is erased before anything is served. */
export async function eraseRemoved(db: Database, at: number): Promise<void> {
  const run = createRun(db)
  const [removed, posts] = await Promise.all([
    db.slow.all<{ id: number }>(REMOVED_CHANNELS),
    db.slow.all<RemovedPost>(REMOVED_POSTS),
  ])
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id)
    await run((draft) => planErasureOfRemoved(draft, ids, at))
  }
  for (const { name, platformId, number } of posts) {
    await run((draft) => planNumbersRemoval(draft, { name, platformId }, [number], at))
  }
}

interface RemovedPost {
  readonly name: string
  readonly platformId: number | null
  readonly number: number
}

const REMOVED_POSTS = `with entries as materialized (
    select r.name_key, r.platform_id, r.id, n.number from (${CHANNELS_OF_REMOVED_POSTS}) r
    cross join lateral (select r.number union select m::int from json_array_elements_text(r.members::json) m) n)
  select e.name_key as name, e.platform_id as "platformId", e.number from entries e
  join posts p on p.channel_id = e.id and p.number = e.number`
