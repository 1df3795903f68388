import { nameKey } from '../../model/channel-name.ts'
import { SIGHTING_AGAIN_MS, forgottenGain, sightingGain } from '../channel-rules.ts'
import type { CandidateKeeping, Sighting } from '../frontier.ts'
import type { Database } from './database.ts'

/** Names forgotten in one transaction: few, so that nobody waits. */
const NAMES_A_STEP = 50

/** Names of channels that others mention and that are not known yet. */
export function createCandidates(db: Database): CandidateKeeping {
  return {
    addSightings: (sightings) =>
      db.write(() => {
        for (const sighting of sightings.toSorted(byName)) addSighting(db, sighting)
      }),
    candidates: ({ limit, minSources, now }) =>
      db.read(() =>
        db.all<{ name: string }>(bestOf(minSources), now, limit).map(({ name }) => name),
      ),
    countCandidates: (now) => db.read(() => db.get<{ count: number }>(COUNT, now)!.count),
    decideCandidate: (name, until) =>
      db.write(() => void db.run(DECIDE, nameKey(name), name, until, until)),
    async forgetCandidates(limit, now) {
      let forgotten = 0
      for (let step = 0; forgotten < limit; forgotten += step) {
        const most = Math.min(NAMES_A_STEP, limit - forgotten)
        step = await db.write(() => {
          const faded = db.all<{ name_key: string }>(FADED, forgottenGain(now), now, most)
          for (const { name_key } of faded) forgetCandidate(db, name_key)
          return faded.length
        })
        if (step < most) return forgotten + step
      }
      return forgotten
    },
  }
}

export function forgetCandidate(db: Database, key: string): void {
  db.run('delete from candidates where name_key = ?', key)
  db.run('delete from sightings where name_key = ?', key)
}

/** Rows are written in the same order everywhere, so that two writers never deadlock. */
function byName(a: Sighting, b: Sighting): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** A sighting of the same kind by the same source counts again only after a week. */
function addSighting(db: Database, { name, sourceId, how, at }: Sighting): void {
  const key = nameKey(name)
  const before = db.all<{ how: string; at: number }>(BEFORE, sourceId, key)
  const last = before.find((row) => row.how === how)
  if (last && at - last.at < SIGHTING_AGAIN_MS) return
  db.run(SEE, sourceId, key, how, at)
  db.run(VOTE, key, name, sightingGain(how, at), before.length === 0 ? 1 : 0, at)
}

const BEFORE = 'select how, at from sightings where source_id = ? and name_key = ?'
const SEE = 'insert or replace into sightings values (?, ?, ?, ?)'
const VOTE = `insert into candidates (name_key, name, gain, sources, first_seen_at) values (?, ?, ?, ?, ?)
  on conflict do update set gain = gain + excluded.gain, sources = sources + excluded.sources`
// Most names were seen in one channel. A partial index has the others; SQLite uses it only if a query repeats its condition.
const bestOf = (minSources: number) => `select name from candidates c
  where ${minSources >= 2 ? 'sources >= 2 and' : ''} sources >= ${Math.floor(minSources)} and decided_until <= ?
    and not exists (select 1 from channel_names n where n.name_key = c.name_key)
    and not exists (select 1 from removals r where r.name_key = c.name_key and r.number = 0)
  order by gain desc, name_key limit ?`
const COUNT = `select count(*) as count from candidates c where decided_until <= ?
  and not exists (select 1 from channel_names n where n.name_key = c.name_key)`
const DECIDE = `insert into candidates (name_key, name, gain, sources, first_seen_at, decided_until)
  values (?, ?, 0, 0, ?, ?) on conflict do update set decided_until = excluded.decided_until`
const FADED = `select name_key from candidates where gain < ? and decided_until <= ?
  order by gain, name_key desc limit ?`
