import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { planSearch } from '../plan.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import { MAX_UNITS, UNKNOWN_POSITION } from '../rank.ts'
import type { RankUnit } from '../rank-unit.ts'
import type { IndexDocument } from '../search-index.ts'
import { stemTerm, wordHash } from '../terms.ts'
import { createPlacesIn, type Words } from '../word-places.ts'
import { createRandom, sampleDocument, sampleQuery } from '../contract/sample.ts'
import { foundOf } from './candidates.ts'
import { generationPath } from './control.ts'
import { isDeleted } from './deleted-docs.ts'
import { secOf, slotOf } from './rowid.ts'
import { SIZES } from './postings/postings.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { placesOf } from './places.ts'
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

function wordsOf({ toks, stems }: IndexDocument): Words {
  return {
    toks: Uint32Array.from(toks, wordHash),
    stems: Uint32Array.from(toks, (tok, i) => wordHash(stemTerm(stems[i] ?? tok))),
  }
}

/** Phrases are excluded, as their positions must be known. */
const isSingle = (units: readonly RankUnit[]) =>
  units.every(({ alternatives }) => alternatives.every((sequence) => sequence.length === 1))

const unitsOf = (places: readonly number[]) =>
  [...new Set(places.map((place) => (place >>> 1) % MAX_UNITS))].sort((a, b) => a - b)

/** What the ranker uses of the places: which unit is where, and which units occur as typed, wherever that is. */
function heldIn(places: readonly number[]) {
  return {
    places: [...new Set(places.map((place) => place >>> 1))],
    typed: unitsOf(places.filter((place) => place & 1)),
  }
}

test('places read from postings equal those computed from the words of a post', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-places-'))
  const clock = createStillClock(NOW)
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion: ANALYZER_VERSION })
  try {
    const random = createRandom(17)
    const texts: string[] = []
    const put: IndexDocument[] = []
    for (let batch = 0; batch < 4; batch++) {
      const puts = Array.from({ length: 60 }, (_, i) => {
        return { ...sampleDocument(random, NOW, texts), channelId: 1, number: batch * 60 + i + 1 }
      })
      put.push(...puts)
      await writer.apply({ puts })
    }
    const snapshot = openSnapshot(generationPath(folder, 1), SIZES)
    let held = 0
    snapshot.read(() => {
      const found = everyPost(snapshot)
      assert.ok(found.length > 100)
      const documents = found.map((each) => put[each.number - 1]!)
      const words = documents.map(wordsOf)
      for (let i = 0; i < 300; i++) {
        const { units } = planSearch(sampleQuery(random, NOW), NOW, snapshot)
        const placesIn = createPlacesIn(units)
        const told = placesOf(snapshot, units, found, 'all', SEARCH_LIMITS)
        const none = { ...SEARCH_LIMITS, placesDecoding: -1 }
        const least = placesOf(snapshot, units, found, 'all', none)
        const loose = units.map((unit) => ({ ...unit, isFunctionWord: true }))
        const anywhere = placesOf(snapshot, loose, found, 'some', SEARCH_LIMITS)
        for (const [at, each] of found.entries()) {
          const expected = heldIn(placesIn(words[at]!))
          assert.deepEqual(heldIn(told[at]!), expected, `${documents[at]!.toks.join(' ')}`)
          assert.equal(each.toks, documents[at]!.toks.length)
          assert.equal(each.firstLine, documents[at]!.firstLineToks)
          const isSomewhere = (place: number) => place >>> 7 === UNKNOWN_POSITION
          assert.ok(least[at]!.every(isSomewhere))
          if (isSingle(units)) assert.deepEqual(unitsOf(anywhere[at]!), unitsOf(told[at]!))
          if (isSingle(units)) assert.ok(anywhere[at]!.every(isSomewhere))
          if (expected.places.length > 0) assert.ok(least[at]!.length > 0)
          held += expected.places.length
        }
      }
    })
    snapshot.close()
    assert.ok(held > 1_000, `${held} places`)
  } finally {
    await writer[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
})
