import { kindNumber } from '../post-features.ts'
import { Draft, type RunPlan } from '../plan/draft.ts'
import type { Plan, Writes } from '../plan/rows.ts'
import { forgetCandidate } from './candidates.ts'
import { markChanges } from './change-rows.ts'
import { giveName, writeChannel } from './channel-rows.ts'
import { dropWords } from './channel-words.ts'
import type { Database } from './database.ts'
import { writeErasures } from './erasure-rows.ts'
import { moveGrowth, writeGrowth } from './growth.ts'
import { load } from './load.ts'
import { keyOf } from './post-codec.ts'
import { writePictures } from './pictures.ts'
import { writePosts } from './post-rows.ts'
import { register } from './register.ts'
import { writeSchedules } from './schedule-rows.ts'

export function createRun(db: Database): RunPlan {
  return (plan) => db.write(() => runIn(db, plan))
}

/** For plans that are part of a larger transaction. */
export function runIn<T>(db: Database, plan: (draft: Draft) => Plan<T>): T {
  const draft = new Draft()
  const steps = plan(draft)
  let step = steps.next()
  while (!step.done) step = steps.next(load(db, step.value))
  write(db, draft.writes())
  return step.value
}

/** Writes what a plan decided, inside its transaction. */
function write(db: Database, writes: Writes): void {
  moveGrowth(db, writes)
  for (const id of writes.forgotten) {
    dropWords(db, id)
    for (const sql of FORGET) db.run(sql, id)
    for (const table of ['changes', 'events']) {
      db.run(`delete from ${table} where key >= ? and key < ?`, keyOf(id, 0), keyOf(id + 1, 0))
    }
  }
  for (const { row, old } of writes.channels) writeChannel(db, row, old)
  for (const key of writes.namesLost) db.run('delete from channel_names where name_key = ?', key)
  for (const name of writes.names) giveName(db, name)
  writeSchedules(db, writes)
  writePosts(db, writes)
  writePictures(db, writes)
  writeStats(db, writes)
  writeGrowth(db, writes)
  markChanges(db, writes.changes)
  for (const entry of writes.removals) register(db, entry)
  for (const key of writes.candidatesForgotten) forgetCandidate(db, key)
  writeErasures(db, writes)
}

function writeStats(
  db: Database,
  { hours, emptied, features, languages, days, totals }: Writes,
): void {
  for (const { channelId, hour, posts, first, last } of hours) {
    db.run(ADD_HOUR, channelId, hour, posts, first, last)
  }
  for (const { channelId, hour } of emptied) db.run(EMPTY_HOUR, channelId, hour)
  for (const { channelId, kind, value, posts } of features) {
    const number = kindNumber(kind)
    db.run(ADD_FEATURE, channelId, number, value, posts)
    if (posts < 0) db.run(DROP_FEATURE, channelId, number, value)
  }
  for (const { channelId, code, posts, weight } of languages) {
    if (posts <= 0 && weight <= 0) db.run(DROP_LANGUAGE, channelId, code)
    else db.run(SET_LANGUAGE, channelId, code, posts, weight)
  }
  for (const { code, day, posts } of days) {
    db.run(ADD_DAY, code, day, posts)
    if (posts < 0) db.run(DROP_DAY, code, day)
  }
  for (const [name, value] of Object.entries(totals)) {
    if (value !== 0) db.run(ADD_TOTAL, value, name)
  }
}

const FORGET = [
  'delete from channels where id = ?',
  'delete from channel_names where channel_id = ?',
  'delete from channel_hours where channel_id = ?',
  'delete from channel_features where channel_id = ?',
  'delete from channel_languages where channel_id = ?',
  'delete from channel_days where channel_id = ?',
  'delete from schedules where channel_id = ?',
  'delete from sightings where source_id = ?',
]
const ADD_HOUR = `insert into channel_hours values (?, ?, ?, ?, ?)
  on conflict do update set posts = posts + excluded.posts,
    first_number = min(first_number, excluded.first_number), last_number = max(last_number, excluded.last_number)`
const EMPTY_HOUR = 'delete from channel_hours where channel_id = ? and hour = ?'
const ADD_FEATURE = `insert into channel_features values (?, ?, ?, ?)
  on conflict do update set posts = posts + excluded.posts`
const DROP_FEATURE =
  'delete from channel_features where channel_id = ? and kind = ? and value = ? and posts <= 0'
const SET_LANGUAGE = 'insert or replace into channel_languages values (?, ?, ?, ?)'
const DROP_LANGUAGE = 'delete from channel_languages where channel_id = ? and code = ?'
const ADD_DAY = `insert into language_days values (?, ?, ?)
  on conflict do update set posts = posts + excluded.posts`
const DROP_DAY = 'delete from language_days where code = ? and day = ? and posts <= 0'
const ADD_TOTAL = 'update totals set value = value + ? where name = ?'
