import { kindNumber } from '../post-features.ts'
import { Draft, type RunPlan } from '../plan/draft.ts'
import type { Writes } from '../plan/rows.ts'
import { forgetCandidates } from './candidates.ts'
import { writeChanges } from './changes.ts'
import { writeChannels } from './channel-rows.ts'
import type { Database, Queries } from './database.ts'
import { moveGrowth, writeGrowth } from './growth.ts'
import { load } from './load.ts'
import { writePictures } from './pictures.ts'
import { writePosts } from './post-writes.ts'
import { register } from './register.ts'
import { rowSet } from './row-set.ts'
import { writeSchedules } from './schedule-rows.ts'

/** Runs plans: each in one transaction, its writes in one round trip. */
export function createRun(db: Database): RunPlan {
  return (plan) =>
    db.transaction(async (tx) => {
      const draft = new Draft()
      const steps = plan(draft)
      let step = steps.next()
      while (!step.done) step = steps.next(await load(tx, step.value))
      await write(tx, draft.writes())
      return step.value
    })
}

/** The statements are sent in this order without waiting for each other. */
async function write(tx: Queries, writes: Writes): Promise<void> {
  const { changes, removals, candidatesForgotten } = writes
  await Promise.all([
    moveGrowth(tx, writes),
    writeChannels(tx, writes),
    writeSchedules(tx, writes),
    writePosts(tx, writes),
    writePictures(tx, writes),
    writeStats(tx, writes),
    writeGrowth(tx, writes),
    writeChanges(tx, changes),
    register(tx, removals),
    forgetCandidates(tx, candidatesForgotten),
    writeErasures(tx, writes),
  ])
}

async function writeStats(tx: Queries, writes: Writes): Promise<void> {
  const { hours, emptied, features, languages, days, totals } = writes
  const widened = hours.map((hour) => ({ ...hour, firstNumber: hour.first, lastNumber: hour.last }))
  const counted = features.map((feature) => ({ ...feature, kind: kindNumber(feature.kind) }))
  const lessened = counted.filter(({ posts }) => posts < 0)
  const sums = Object.entries(totals).flatMap(([name, value]) =>
    value === 0 ? [] : [{ name, value }],
  )
  await Promise.all([
    tx.run(ADD_HOURS, ...HOURS.values(widened)),
    tx.run(EMPTY_HOURS, ...EMPTIED.values(emptied)),
    tx.run(ADD_FEATURES, ...FEATURES.values(counted)),
    tx.run(DROP_FEATURES, ...FEATURES.values(lessened)),
    tx.run(SET_LANGUAGES, ...LANGUAGES.values(languages)),
    tx.run(DROP_LANGUAGES, [...new Set(languages.map((row) => row.channelId))]),
    tx.run(ADD_DAYS, ...DAYS.values(days)),
    tx.run(ADD_TOTALS, ...TOTALS.values(sums)),
  ])
}

async function writeErasures(
  tx: Queries,
  { erasures, heirs, erasuresDone }: Writes,
): Promise<void> {
  await Promise.all([
    tx.run(BEGIN_ERASURES, ...ERASURES.values(erasures)),
    ...heirs.map(({ from, to }) =>
      tx.run('update erasures set heir = $1 where heir = $2', to, from),
    ),
    // Members have higher numbers than their album, so some may remain when the album is erased.
    ...erasuresDone.flatMap((id) => [
      tx.run('delete from post_members where channel_id = $1', id),
      tx.run('delete from erasures where channel_id = $1', id),
    ]),
  ])
}

const HOURS = rowSet('channel_id int, hour int, posts int, first_number int, last_number int')
const EMPTIED = rowSet('channel_id int, hour int')
const FEATURES = rowSet('channel_id int, kind smallint, value text, posts int')
const LANGUAGES = rowSet('channel_id int, code text, posts int, weight bigint', [
  'channel_id',
  'code',
])
const DAYS = rowSet('code text, day int, posts bigint')
const TOTALS = rowSet('name text, value bigint')
const ERASURES = rowSet('channel_id int, heir int, begun_at bigint')

const ADD_HOURS = `insert into channel_hours as h (${HOURS.columns}) select * from ${HOURS.from()} order by 1, 2
  on conflict (channel_id, hour) do update set posts = h.posts + excluded.posts,
    first_number = least(h.first_number, excluded.first_number),
    last_number = greatest(h.last_number, excluded.last_number)`
const EMPTY_HOURS = `delete from channel_hours h using ${EMPTIED.from()}
  where h.channel_id = r.channel_id and h.hour = r.hour`
const ADD_FEATURES = `insert into channel_features as f (${FEATURES.columns}) select * from ${FEATURES.from()} order by 1, 2, 3
  on conflict (channel_id, kind, value) do update set posts = f.posts + excluded.posts`
const DROP_FEATURES = `delete from channel_features f using ${FEATURES.from()}
  where f.channel_id = r.channel_id and f.kind = r.kind and f.value = r.value and f.posts <= 0`
const SET_LANGUAGES = LANGUAGES.upsert('channel_languages')
const DROP_LANGUAGES =
  'delete from channel_languages where channel_id = any($1::int[]) and posts <= 0 and weight <= 0'
const ADD_DAYS = `insert into language_days as d (code, day, slot, posts)
  select code, day, own_slot(), posts from ${DAYS.from()} order by 1, 2
  on conflict (code, day, slot) do update set posts = d.posts + excluded.posts`
const ADD_TOTALS = `insert into totals as t (name, slot, value) select name, own_slot(), value from ${TOTALS.from()} order by 1
  on conflict (name, slot) do update set value = t.value + excluded.value`
const BEGIN_ERASURES = `insert into erasures (${ERASURES.columns}) select * from ${ERASURES.from()} on conflict do nothing`
