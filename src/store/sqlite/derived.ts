import { setImmediate as breathe } from 'node:timers/promises'
import type { Derived } from '../archive.ts'
import { weightOf } from '../channel-rules.ts'
import { storedTerms } from '../terms.ts'
import type { Database } from './database.ts'
import { FLAG, keyOf } from './post-codec.ts'
import { StatsDelta, UNCOUNTED } from './stats-delta.ts'

interface DerivedRow {
  readonly published_at: number
  readonly flags: number
  readonly revision: number
  readonly language: string | null
  readonly detected_language: string | null
  readonly language_weight: number
}

const POSTS_A_TRANSACTION = 500

/** Writes what the indexer learnt of posts, and moves their channels' languages with it. */
export async function saveDerived(
  db: Database,
  batch: readonly Derived[],
  now: number,
): Promise<void> {
  for (let start = 0; start < batch.length; start += POSTS_A_TRANSACTION) {
    if (start > 0) await breathe()
    const part = batch.slice(start, start + POSTS_A_TRANSACTION)
    await db.write(() => {
      const deltas = new Map<number, StatsDelta>()
      for (const derived of part) saveOne(db, derived, deltas)
      for (const [channelId, delta] of deltas) delta.flush(db, channelId, now)
    })
  }
}

function saveOne(db: Database, derived: Derived, deltas: Map<number, StatsDelta>): void {
  const { channelId, detectedLanguage, language } = derived
  const key = keyOf(channelId, derived.number)
  const old = db.get<DerivedRow>(LOAD, key)
  if (!old || old.revision !== derived.revision || old.flags & FLAG.deleted) return
  const delta = deltas.get(channelId) ?? new StatsDelta()
  deltas.set(channelId, delta)
  const weight = detectedLanguage === null ? 0 : weightOf(derived)
  if (old.detected_language !== null) delta.addWeight(old.detected_language, -old.language_weight)
  if (detectedLanguage !== null) delta.addWeight(detectedLanguage, weight)
  const isCounted = (old.flags & UNCOUNTED) === 0
  if (isCounted && old.language !== language) {
    if (old.language !== null) delta.addLanguage(old.language, old.published_at, -1)
    if (language !== null) delta.addLanguage(language, old.published_at, 1)
  }
  db.run(SAVE, language, detectedLanguage, weight, key)
  const terms = storedTerms(derived.terms)
  if (terms === '') db.run('delete from post_terms where rowid = ?', key)
  else db.run('insert or replace into post_terms (rowid, terms) values (?, ?)', key, terms)
}

const LOAD = `select published_at, flags, revision, language, detected_language, language_weight
  from posts where key = ?`
const SAVE =
  'update posts set language = ?, detected_language = ?, language_weight = ? where key = ?'
