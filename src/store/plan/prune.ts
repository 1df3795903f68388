import type { Clock } from '../../model/clock.ts'
import type { Draft, RunPlan } from './draft.ts'
import type { Plan } from './rows.ts'
import { settleStats } from './stats.ts'

const POSTS_A_STEP = 100

/** Erases up to `limit` posts published before then, oldest hours first; resolves to how many. */
export async function prunePosts(
  run: RunPlan,
  publishedBefore: number,
  limit: number,
  clock: Clock,
): Promise<number> {
  let pruned = 0
  while (pruned < limit) {
    const step = Math.min(POSTS_A_STEP, limit - pruned)
    const some = await run((draft) => planPrune(draft, publishedBefore, step, clock.now()))
    if (some === 0) break
    pruned += some
  }
  return pruned
}

function* planPrune(draft: Draft, before: number, limit: number, at: number): Plan<number> {
  const { heads = [], hours = [] } = yield* draft.ask({ published: { before, limit } })
  const ids = [...new Set(heads.map(({ channelId }) => channelId))]
  const posts = ids.map((channelId) => ({
    channelId,
    numbers: heads.filter((head) => head.channelId === channelId).map(({ number }) => number),
  }))
  if (heads.length > 0) yield* draft.ask({ channels: { ids }, posts })
  for (const id of ids) {
    yield* draft.knowPosts(id, [])
    const schedule = draft.schedule(id)
    const above = Math.max(...posts.find(({ channelId }) => channelId === id)!.numbers) + 1
    // The walked range now ends above the pruned posts, so that a backfill fetches them again if retention is extended.
    if (schedule && schedule.walkedTo !== null && schedule.walkedTo < above)
      draft.putSchedule({ ...schedule, walkedTo: above })
  }
  for (const head of heads) draft.erasePost(head, at)
  draft.stats.emptied.push(...hours)
  yield* settleStats(draft, at, ids)
  return heads.length
}
