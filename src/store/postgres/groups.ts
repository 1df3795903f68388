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
import { writeChanges } from './changes.ts'
import type { Database, Now, Queries } from './database.ts'
import { listsOf } from './post-rows.ts'
import { REF, REFS, REF_KEY, unpackRef, type StoredRef } from './refs.ts'
import { rowSet } from './row-set.ts'

/** Posts per transaction. */
const AT_ONCE = 250

/** One transaction at a time over all processes: groups are formed in the order in which posts arrive. */
export function createGroups(db: Database, now: Now): Groups {
  const alone = <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      await tx.run(LOCK)
      return work(tx)
    })

  /** Runs `change`, which moves these posts, and writes a change for every other post whose standing it changes. */
  async function shift(
    tx: Queries,
    groups: Iterable<number>,
    moved: ReadonlySet<number>,
    change: () => Promise<unknown>,
  ): Promise<void> {
    const touched = [...groups]
    const before = await earliest(tx, touched)
    const [, after, clock] = await Promise.all([
      change(),
      earliest(tx, touched),
      tx.get<{ at: number }>('select clock_ms($1) as at', now()),
    ])
    const others = touched.flatMap((group) =>
      shifted(before.get(group) ?? [], after.get(group) ?? [], (post) => moved.has(refKey(post))),
    )
    const marks = others.map(({ channelId, number }) => {
      return { channelId, number, kind: 'post', at: clock!.at } as const
    })
    const empty = touched.filter((group) => !after.has(group))
    await Promise.all([writeChanges(tx, marks), forget(tx, empty)])
  }

  async function join(tx: Queries, posts: readonly Fingerprinted[]): Promise<Standing[]> {
    const plan = planJoin(await load(tx, posts), posts)
    const moved = new Set(plan.moved.keys())
    if (plan.touched.size > 0) await shift(tx, plan.touched, moved, () => write(tx, plan))
    const groups = [...new Set(plan.groups.filter((group) => group !== undefined))]
    const first = await earliest(tx, groups)
    return posts.map((post, i) => {
      const group = plan.groups[i]
      return standingIn(group, group === undefined ? [] : (first.get(group) ?? []), post)
    })
  }

  async function leave(tx: Queries, rows: readonly CopyRow[]): Promise<void> {
    const left = rows.map(unpackRef)
    const groups = new Set(rows.map((row) => row.group_id))
    await shift(tx, groups, new Set(left.map(refKey)), () => tx.run(LEAVE, ...listsOf(left)))
  }

  return {
    async join(posts) {
      const standings: Standing[] = []
      for (const part of inBatches(posts, AT_ONCE)) {
        standings.push(...(await alone((tx) => join(tx, part))))
      }
      return standings
    },
    async members(group, limit) {
      return (await db.all<CopyRow>(MEMBERS, group, limit)).map(unpackRef)
    },
    async leave(posts) {
      const refs = listsOf(posts)
      // Most posts that are taken out were never in a group.
      if (!(await db.get(AMONG, ...refs))) return
      await alone(async (tx) => leave(tx, await tx.all<CopyRow>(AMONG, ...refs)))
    },
    async leaveChannel(channelId) {
      const some = (queries: Queries) => queries.all<CopyRow>(OF_CHANNEL, channelId, AT_ONCE)
      while ((await some(db)).length > 0) await alone(async (tx) => leave(tx, await some(tx)))
    },
    async expire(publishedBefore) {
      const before = Math.floor(publishedBefore / 1000)
      for (let isMore = true; isMore;) {
        isMore = await alone(async (tx) => {
          const gone = await tx.all<CopyRow>(EXPIRE, before, AT_ONCE)
          await forget(tx, [...new Set(gone.map((row) => row.group_id))])
          return gone.length > 0
        })
      }
    },
  }
}

interface CopyRow extends StoredRef {
  readonly group_id: number
}

/** The first two members of each group; groups without members are left out. */
async function earliest(
  tx: Queries,
  groups: readonly number[],
): Promise<Map<number, readonly PostRef[]>> {
  const rows = await tx.all<CopyRow>(EARLIEST, groups)
  const found = Map.groupBy(rows, (row) => row.group_id)
  return new Map([...found].map(([group, members]) => [group, members.map(unpackRef)]))
}

async function load(tx: Queries, posts: readonly Fingerprinted[]): Promise<KnownGroups> {
  const asked = [...new Set(posts.flatMap(({ keys, bands }) => [...keys, ...bands]))]
  const [members, led, sketched, last] = await Promise.all([
    tx.all<CopyRow & Membership>(AMONG, ...listsOf(posts)),
    tx.all<{ key: number; group_id: number }>(KEYS, asked),
    tx.all<{ id: number; sketch: Uint8Array }>(SKETCHES, asked),
    tx.get<{ next: number }>(NEXT),
  ])
  return {
    members: new Map(
      members.map((row) => [
        refKey(unpackRef(row)),
        { group: row.group_id, sec: row.sec, print: row.print },
      ]),
    ),
    keys: new Map(led.map(({ key, group_id }) => [key, group_id])),
    sketches: new Map(sketched.map(({ id, sketch }) => [id, [...sketch]])),
    nextGroup: last!.next,
  }
}

async function write(tx: Queries, { created, linked, moved }: JoinPlan): Promise<void> {
  const groups = [...created].map(([id, sketch]) => {
    return { id, sketch: `\\x${Buffer.from(sketch).toString('hex')}` }
  })
  const links = [...linked].map(([key, groupId]) => ({ key, groupId }))
  const left = [...moved.values()].filter(({ to }) => !to)
  const joined = [...moved.values()].flatMap(({ to, ...ref }) =>
    to ? [{ ...ref, ...to, groupId: to.group }] : [],
  )
  await Promise.all([
    tx.run(CREATE, ...GROUPS.values(groups)),
    groups.length > 0 && tx.run(COUNT_ON, Math.max(...created.keys())),
    tx.run(LINK, ...LINKS.values(links)),
    tx.run(LEAVE, ...listsOf(left)),
    tx.run(JOIN, ...COPIES.values(joined)),
  ])
}

/** Deletes those of the groups that have no members. */
async function forget(tx: Queries, groups: readonly number[]): Promise<void> {
  await Promise.all([tx.run(FORGET, groups), tx.run(UNLINK, groups)])
}

const GROUPS = rowSet('id int, sketch bytea')
const LINKS = rowSet('key bigint, group_id int')
const COPIES = rowSet(`${REF}, group_id int, sec bigint, print bigint`, REF_KEY)
const SAME = REFS.is('c')

const LOCK = `select pg_advisory_xact_lock(hashtextextended(current_schema() || ' groups', 0))`
const AMONG = `select ${COPIES.of('c')} from ${REFS.from()} join copies c on ${SAME}`
const OF_CHANNEL = `select ${COPIES.columns} from copies where channel_id = $1 order by number limit $2`
const KEYS = 'select key, group_id from copy_keys where key = any($1::bigint[])'
const SKETCHES = `select id, sketch from copy_groups
  where id in (select group_id from copy_keys where key = any($1::bigint[]))`
// Numbers begin again before an integer holds no more: by then the groups of the first are long expired, but for one whose posts
// are dated far in the future. With ten million stories a day that is after seven months.
const NEXT = `select (case when last_value > ${2 ** 31 - 1 - AT_ONCE} then 1 when is_called then last_value + 1 else last_value end)::integer as next
  from copy_group_ids`
const EARLIEST = `select c.* from unnest($1::int[]) as g (id) cross join lateral (
    select channel_id, number, group_id from copies where group_id = g.id
    order by sec, channel_id, number limit 2) c`
const MEMBERS = `select ${COPIES.columns} from copies where group_id = $1 order by sec, channel_id, number limit $2`
const CREATE = `insert into copy_groups (${GROUPS.columns}) select * from ${GROUPS.from()}
  on conflict (id) do update set sketch = excluded.sketch`
const COUNT_ON = `select setval('copy_group_ids', $1)`
const LINK = `insert into copy_keys (${LINKS.columns}) select * from ${LINKS.from()}`
const JOIN = COPIES.upsert('copies')
const LEAVE = `delete from copies c using ${REFS.from()} where ${SAME}`
// As an array, since the planner takes a limit given as a parameter for a tenth of all rows, and would read the whole table.
const EXPIRE = `delete from copies where ctid = any(array(
    select ctid from copies where sec < $1 order by sec limit $2 for update))
  returning channel_id, number, group_id`
const FORGET = `delete from copy_groups g where id = any($1::int[])
  and not exists (select 1 from copies c where c.group_id = g.id)`
const UNLINK = `delete from copy_keys k where group_id = any($1::int[])
  and not exists (select 1 from copies c where c.group_id = k.group_id)`
