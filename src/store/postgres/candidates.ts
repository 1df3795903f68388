import { nameKey } from '../../model/channel-name.ts'
import { SIGHTING_AGAIN_MS, forgottenGain, sightingGain } from '../channel-rules.ts'
import type { CandidateKeeping, Sighting } from '../frontier.ts'
import type { Database, Queries } from './database.ts'
import { rowSet } from './row-set.ts'

/** Names of channels that others mention and that are not known yet. */
export function createCandidates(db: Database): CandidateKeeping {
  return {
    addSightings: (sightings) => db.transaction((tx) => addSightings(tx, sightings)),
    async candidates({ limit, minSources, now }) {
      const rows = await db.all<{ name: string }>(BEST, minSources, now, limit)
      return rows.map(({ name }) => name)
    },
    async countCandidates(now) {
      return (await db.slow.get<{ count: number }>(COUNT, now))!.count
    },
    async decideCandidate(name, until) {
      await db.run(DECIDE, nameKey(name), name, until)
    },
    forgetCandidates: (limit, now) =>
      db.transaction(async (tx) => {
        const faded = await tx.all<{ name_key: string }>(FADED, forgottenGain(now), now, limit)
        await forgetCandidates(
          tx,
          faded.map((row) => row.name_key),
        )
        return faded.length
      }),
  }
}

export async function forgetCandidates(tx: Queries, keys: readonly string[]): Promise<void> {
  const inOrder = keys.toSorted()
  await Promise.all([tx.run(FORGET, inOrder), tx.run(FORGET_SIGHTINGS, inOrder)])
}

/** A sighting of the same kind by the same source counts again only after a week. */
async function addSightings(tx: Queries, sightings: readonly Sighting[]): Promise<void> {
  const keys = sightings.map(({ name }) => nameKey(name))
  const sources = sightings.map(({ sourceId }) => sourceId)
  const before = await tx.all<SightingRow>(BEFORE, sources, keys)
  const seenAt = new Map(
    before.map((row) => [placeOf(row.source_id, row.name_key, row.how), row.at]),
  )
  const known = new Set(before.map((row) => placeOf(row.source_id, row.name_key, '')))
  const seen = new Map<string, SightingRow>()
  const votes = new Map<string, Vote>()
  for (const { name, sourceId, how, at } of sightings) {
    const key = nameKey(name)
    const place = placeOf(sourceId, key, how)
    const last = seenAt.get(place)
    if (last !== undefined && at - last < SIGHTING_AGAIN_MS) continue
    const source = placeOf(sourceId, key, '')
    const vote = votes.get(key) ?? { name_key: key, name, gain: 0, sources: 0, first_seen_at: at }
    const gain = vote.gain + sightingGain(how, at)
    votes.set(key, { ...vote, gain, sources: vote.sources + (known.has(source) ? 0 : 1) })
    seen.set(place, { source_id: sourceId, name_key: key, how, at })
    seenAt.set(place, at)
    known.add(source)
  }
  await Promise.all([
    tx.run(VOTE, ...VOTES.values([...votes.values()])),
    tx.run(SEE, ...SIGHTINGS.values([...seen.values()])),
  ])
}

function placeOf(sourceId: number, key: string, how: string): string {
  return `${sourceId} ${key} ${how}`
}

interface SightingRow {
  readonly source_id: number
  readonly name_key: string
  readonly how: string
  readonly at: number
}

interface Vote {
  readonly name_key: string
  readonly name: string
  readonly gain: number
  readonly sources: number
  readonly first_seen_at: number
}

const VOTES = rowSet('name_key text, name text, gain float8, sources int, first_seen_at bigint')
const SIGHTINGS = rowSet('source_id int, name_key text, how text, at bigint')
const BEFORE = `select distinct ${SIGHTINGS.of('s')} from unnest($1::int[], $2::text[]) as r (source_id, name_key)
  join sightings s on s.source_id = r.source_id and s.name_key = r.name_key`
// Rows are written in the same order everywhere, so that two writers never deadlock.
const VOTE = `insert into candidates as c (${VOTES.columns}) select * from ${VOTES.from()} order by name_key collate "C"
  on conflict (name_key) do update set gain = c.gain + excluded.gain, sources = c.sources + excluded.sources`
const SEE = `insert into sightings (${SIGHTINGS.columns}) select * from ${SIGHTINGS.from()}
  order by source_id, name_key collate "C", how collate "C"
  on conflict (source_id, name_key, how) do update set at = excluded.at`
// Each candidate is looked up in turn, best first; `not exists` would be planned as a join with all names.
const BEST = `select name from candidates c
  where sources >= $1 and decided_until <= $2
    and (select n.name_key from channel_names n where n.name_key = c.name_key) is null
    and (select r.name_key from removals r where r.name_key = c.name_key and r.number = 0) is null
  order by gain desc, name_key limit $3`
const COUNT = `select count(*)::integer as count from candidates c where decided_until <= $1
  and not exists (select 1 from channel_names n where n.name_key = c.name_key)`
const DECIDE = `insert into candidates (name_key, name, gain, sources, first_seen_at, decided_until)
  values ($1, $2, 0, 0, $3, $3) on conflict (name_key) do update set decided_until = excluded.decided_until`
const FADED = `select name_key from candidates where gain < $1 and decided_until <= $2
  order by gain, name_key desc limit $3 for update skip locked`
const FORGET = 'delete from candidates where name_key = any($1::text[])'
const FORGET_SIGHTINGS = 'delete from sightings where name_key = any($1::text[])'
