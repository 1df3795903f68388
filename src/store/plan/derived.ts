import { inBatches } from '../../model/in-batches.ts'
import { refKey } from '../../model/post.ts'
import type { Derived } from '../archive.ts'
import { weightOf } from '../channel-rules.ts'
import type { Draft, RunPlan } from './draft.ts'
import type { Plan } from './rows.ts'
import { settleStats } from './stats.ts'

const POSTS_A_TRANSACTION = 500

export async function saveDerived(
  run: RunPlan,
  batch: readonly Derived[],
  at: number,
): Promise<void> {
  for (const part of inBatches(batch, POSTS_A_TRANSACTION)) {
    await run((draft) => planDerived(draft, part, at))
  }
}

/** Saves what the indexer derived from posts, and updates their channels' languages. */
function* planDerived(draft: Draft, batch: readonly Derived[], at: number): Plan<void> {
  const { stats } = draft
  const ids = [...new Set(batch.map(({ channelId }) => channelId))]
  const { heads = [] } = yield* draft.ask({ heads: batch, channels: { ids }, languages: ids })
  const known = new Map(heads.map((head) => [refKey(head), head]))
  for (const derived of batch) {
    const { channelId, language, detectedLanguage } = derived
    const old = known.get(refKey(derived))
    if (!old || old.revision !== derived.revision || old.isDeleted) continue
    // Erased by now, or soon, maybe at this moment: only a post whose channel is there is locked with it.
    if (!draft.channel(channelId)) continue
    const languageWeight = detectedLanguage === null ? 0 : weightOf(derived)
    stats.addLanguage(channelId, old.detectedLanguage, 0, -old.languageWeight)
    stats.addLanguage(channelId, detectedLanguage, 0, languageWeight)
    if (old.isCounted && old.language !== language) {
      for (const [code, posts] of [
        [old.language, -1],
        [language, 1],
      ] as const) {
        stats.addLanguage(channelId, code, posts, 0)
        stats.addDay(code, old.publishedAt, posts)
      }
    }
    draft.posts.derived.push({ ...derived, languageWeight })
    known.set(refKey(derived), { ...old, language, detectedLanguage, languageWeight })
  }
  yield* settleStats(draft, at)
}
