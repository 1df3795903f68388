import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { planSearch } from '../plan.ts'
import { secondsOf } from '../prior.ts'
import { createRanker } from '../rank.ts'
import { createRandom, sampleDocument, sampleQuery } from '../contract/sample.ts'
import { candidatesOf, foundOf } from './candidates.ts'
import { generationPath } from './control.ts'
import { isDeleted } from './deleted-docs.ts'
import { secOf, slotOf } from './rowid.ts'
import { SIZES } from './postings/postings.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { frequencyBounds } from './frequency-bounds.ts'
import { openEmbeddedWriter } from './writer.ts'

const NOW = Date.UTC(2026, 2, 14)

function everyPost(snapshot: Snapshot) {
  return snapshot.buckets.flatMap((bucket) => {
    const { columns } = snapshot.columns(bucket)
    return snapshot.segments(bucket).flatMap((segment) => {
      const there = segment.rowids.filter(
        (_, doc) => !isDeleted(snapshot.deletedDocs(bucket, segment), doc),
      )
      return Array.from(there, (rowid) =>
        foundOf({ sec: secOf(rowid), slot: slotOf(rowid), columns }),
      )
    })
  })
}

test('no post scores more for some of the words than its lists allow', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-frequencies-'))
  const clock = createStillClock(NOW)
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion: ANALYZER_VERSION })
  try {
    const random = createRandom(17)
    const texts: string[] = []
    for (let batch = 0; batch < 4; batch++) {
      await writer.apply({
        puts: Array.from({ length: 60 }, () => sampleDocument(random, NOW, texts)),
      })
    }
    const snapshot = openSnapshot(generationPath(folder, 1), SIZES)
    let [told, held] = [0, 0]
    snapshot.read(() => {
      const found = everyPost(snapshot)
      assert.ok(found.length > 100)
      const candidates = candidatesOf(snapshot, found)
      for (let i = 0; i < 400; i++) {
        const query = { ...sampleQuery(random, NOW), sort: 'relevance' as const }
        const plan = planSearch(query, NOW, snapshot)
        if (plan.relaxable.length === 0) continue
        const ranker = createRanker(plan.units, secondsOf(NOW))
        const frequencies = frequencyBounds(snapshot, plan, found)
        for (const [at, { candidate }] of candidates.entries()) {
          const { score, missing } = ranker.some(candidate)
          const most = ranker.someAtMost(frequencies[at]!, found[at]!)
          assert.ok(score <= most, `${score} of at most ${most}: ${JSON.stringify(query.root)}`)
          if (missing.length < plan.units.length) held++
          if (frequencies[at]!.every((each) => each < Infinity)) told++
        }
      }
    })
    snapshot.close()
    assert.ok(held > 1_000 && told > 1_000, `${held} held a word, of ${told} the lists told all`)
  } finally {
    await writer[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
})
