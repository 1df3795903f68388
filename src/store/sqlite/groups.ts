import type { Clock } from '../../model/clock.ts'
import { inBatches } from '../../model/in-batches.ts'
import { refKey, type PostRef } from '../../model/post.ts'
import {
  planJoin,
  shifted,
  standingIn,
  type JoinPlan,
  type KnownGroups,
  type Membership,
} from '../group-rules.ts'
import type { Fingerprinted, Groups, Standing } from '../groups.ts'
import { markChanges } from './change-rows.ts'
import type { Database } from './database.ts'
import { KEY_SPAN, keyOfRef, keysOf, refOfKey } from './post-codec.ts'

type Moves = Omit<JoinPlan, 'groups'>

/** Posts per transaction: about 20 ms, so that no crawler waits longer. */
const AT_ONCE = 250

export function createGroups(db: Database, clock: Clock): Groups {
  /**
   * Writes the plan, and a change for every other post whose standing it changes. Returns the earliest members of each group
   * that a post joined or left.
   */
  function carryOut(plan: Moves): Map<number, PostRef[]> {
    const { touched, created, moved } = plan
    const before = new Map(
      [...touched].map((group) => [group, created.has(group) ? [] : earliest(db, group)]),
    )
    write(db, plan)
    const after = new Map<number, PostRef[]>()
    for (const [group, were] of before) {
      const are = earliest(db, group)
      after.set(group, are)
      const others = shifted(were, are, (post) => moved.has(refKey(post)))
      const mark = { kind: 'post', at: clock.now() } as const
      markChanges(
        db,
        others.map(({ channelId, number }) => ({ channelId, number, ...mark })),
      )
      if (are.length === 0) forget(db, group)
    }
    return after
  }

  function join(posts: readonly Fingerprinted[]): Standing[] {
    const plan = planJoin(load(db, posts), posts)
    const firsts = carryOut(plan)
    return posts.map((post, i) => {
      const group = plan.groups[i]
      if (group === undefined) return standingIn(group, [], post)
      return standingIn(group, firsts.get(group) ?? earliest(db, group), post)
    })
  }

  function leave(rows: readonly { readonly key: number; readonly group_id: number }[]): void {
    const touched = new Set(rows.map((row) => row.group_id))
    const left = rows.map((row) => ({ ...refOfKey(row.key), to: undefined }))
    const moved = new Map(left.map((post) => [refKey(post), post]))
    carryOut({ touched, created: new Map(), linked: new Map(), moved })
  }

  return {
    async join(posts) {
      const standings: Standing[] = []
      for (const part of inBatches(posts, AT_ONCE)) {
        standings.push(...(await db.write(() => join(part))))
      }
      return standings
    },
    members: (group, limit) => db.read(() => earliest(db, group, limit)),
    async leave(posts) {
      const keys = keysOf(posts)
      const found = 'select * from copies where key in (select value from json_each(?))'
      if (posts.length === 0) return
      // Most posts that are taken out were never in a group.
      await db.writeIf(
        () => db.get(`${found} limit 1`, keys),
        () => leave(db.all(found, keys)),
      )
    },
    async leaveChannel(channelId) {
      const [from, to] = [channelId * KEY_SPAN, (channelId + 1) * KEY_SPAN]
      const found = `select * from copies where key >= ? and key < ? limit ${AT_ONCE}`
      while (await db.read(() => db.get(found, from, to))) {
        await db.write(() => leave(db.all(found, from, to)))
      }
    },
    async expire(publishedBefore) {
      const before = Math.floor(publishedBefore / 1000)
      const found = `select key, group_id from copies where sec < ? limit ${AT_ONCE}`
      while (await db.read(() => db.get(found, before))) {
        await db.write(() => expire(db, db.all(found, before)))
      }
    },
  }
}

/** The earliest members of a group; two are enough to tell every member's standing. */
function earliest(db: Database, group: number, limit = 2): PostRef[] {
  const sql = 'select key from copies where group_id = ? order by sec, key limit ?'
  return db.all<{ key: number }>(sql, group, limit).map(({ key }) => refOfKey(key))
}

function load(db: Database, posts: readonly Fingerprinted[]): KnownGroups {
  const among = <Row>(sql: string, values: Iterable<number>) =>
    db.all<Row>(`${sql} in (select value from json_each(?))`, JSON.stringify([...values]))
  const members = among<Membership & { key: number }>(
    'select key, group_id as "group", sec, print from copies where key',
    posts.map(keyOfRef),
  )
  const led = among<{ key: number; group_id: number }>(
    'select key, group_id from copy_keys where key',
    new Set(posts.flatMap(({ keys, bands }) => [...keys, ...bands])),
  )
  const sketched = among<{ id: number; sketch: Uint8Array }>(
    'select id, sketch from copy_groups where id',
    new Set(led.map((row) => row.group_id)),
  )
  const last = db.get<{ seq: number }>(`select seq from sqlite_sequence where name = 'copy_groups'`)
  return {
    members: new Map(members.map((row) => [row.key, row])),
    keys: new Map(led.map(({ key, group_id }) => [key, group_id])),
    sketches: new Map(sketched.map(({ id, sketch }) => [id, [...sketch]])),
    nextGroup: (last?.seq ?? 0) + 1,
  }
}

function write(db: Database, { created, linked, moved }: Moves): void {
  for (const [key, group] of linked) db.run('insert into copy_keys values (?, ?)', key, group)
  const links = Map.groupBy(linked.keys(), (key) => linked.get(key)!)
  for (const [id, sketch] of created) {
    const keys = bytesOf(links.get(id) ?? [])
    db.run('insert into copy_groups values (?, ?, ?)', id, Uint8Array.from(sketch), keys)
  }
  for (const [group, more] of links) {
    if (created.has(group)) continue
    const keys = bytesOf([...linkedTo(db, group), ...more])
    db.run('update copy_groups set linked = ? where id = ?', keys, group)
  }
  for (const { to, ...ref } of moved.values()) {
    const key = keyOfRef(ref)
    if (!to) db.run('delete from copies where key = ?', key)
    else
      db.run('insert or replace into copies values (?, ?, ?, ?)', key, to.group, to.sec, to.print)
  }
}

function bytesOf(keys: readonly number[]): Uint8Array {
  return new Uint8Array(Float64Array.from(keys).buffer)
}

function linkedTo(db: Database, group: number): Float64Array {
  const row = db.get<{ linked: Uint8Array }>('select linked from copy_groups where id = ?', group)
  return new Float64Array(row?.linked.slice().buffer ?? [])
}

function forget(db: Database, group: number): void {
  for (const key of linkedTo(db, group)) {
    db.run('delete from copy_keys where key = ? and group_id = ?', key, group)
  }
  db.run('delete from copy_groups where id = ?', group)
}

function expire(
  db: Database,
  rows: readonly { readonly key: number; readonly group_id: number }[],
): void {
  for (const { key } of rows) db.run('delete from copies where key = ?', key)
  for (const group of new Set(rows.map((row) => row.group_id))) {
    if (!db.get('select 1 from copies where group_id = ? limit 1', group)) forget(db, group)
  }
}
