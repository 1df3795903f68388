import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PostRef } from '../../model/post.ts'
import type { Fingerprinted, Standing } from '../groups.ts'
import type { Store } from '../store.ts'
import { CONSUMER, DAY, drained, MINUTE, NOON, type OpenStore } from './samples.ts'

const SKETCH = [1, 2, 3, 4, 5, 6, 7, 8]

function print(number: number, fields: Partial<Fingerprinted> = {}): Fingerprinted {
  const publishedAt = NOON + number * MINUTE
  return { channelId: 1, number, publishedAt, keys: [number], bands: [], sketch: SKETCH, ...fields }
}

/** `first` or `copy` with the number of the group, or `alone`. */
async function join(store: Store, ...posts: Fingerprinted[]): Promise<string[]> {
  const standings = await store.groups.join(posts)
  return standings.map(({ group, isCopy }) =>
    group === null ? 'alone' : `${isCopy ? 'copy' : 'first'} of ${group}`,
  )
}

const refs = (...numbers: number[]): PostRef[] =>
  numbers.map((number) => ({ channelId: 1, number }))

export function describeGroups(open: OpenStore): void {
  async function setUp() {
    const { store, setNow } = await open()
    setNow(NOON)
    await store.changes.register(CONSUMER)
    await drained(store)
    return store
  }

  describe('groups', () => {
    test('a post that resembles no other is alone, and so is one without words', async () => {
      const store = await setUp()
      assert.deepEqual(await join(store, print(1), print(2), print(3, { keys: [] })), [
        'alone',
        'alone',
        'alone',
      ])
      assert.deepEqual(await drained(store), [])
    })

    test('a post that shares a key joins the group, and the post that was alone is marked as changed', async () => {
      const store = await setUp()
      await join(store, print(1, { keys: [7] }))
      const [second] = await join(store, print(2, { keys: [8, 7] }))
      assert.match(second!, /^copy of /)
      assert.deepEqual(await drained(store), ['post 1/1'])
      assert.equal((await join(store, print(3, { keys: [8] })))[0], second)
      assert.deepEqual(await drained(store), [], 'a further copy changes nobody')
      assert.deepEqual(await join(store, print(1, { keys: [7] })), [
        second!.replace('copy', 'first'),
      ])
    })

    test('a shared band is only a candidate, which the sketches decide', async () => {
      const store = await setUp()
      await join(store, print(1, { bands: [70] }))
      const near = [...SKETCH.slice(0, 4), 0, 0, 0, 0]
      const far = [...SKETCH.slice(0, 3), 0, 0, 0, 0, 0]
      assert.deepEqual(await join(store, print(2, { bands: [70], sketch: far })), ['alone'])
      assert.match((await join(store, print(3, { bands: [70], sketch: near })))[0]!, /^copy/)
    })

    test('a repeated batch changes nothing, even for posts without keys', async () => {
      const store = await setUp()
      const far = { keys: [], bands: [70], sketch: [9, 9, 9, 9, 9, 9, 9, 9] }
      const batch = [print(1, { bands: [70] }), print(2, far), print(3, { keys: [1] }), print(4)]
      const once = await join(store, ...batch)
      await drained(store)
      assert.deepEqual(await join(store, ...batch), once)
      assert.deepEqual(await join(store, batch[2]!), [once[2]])
      assert.deepEqual(await drained(store), [])
    })

    test('the earliest post is never a copy, however late it arrives', async () => {
      const store = await setUp()
      await join(store, print(5, { keys: [7] }), print(6, { keys: [7] }))
      assert.match((await join(store, print(4, { keys: [7] })))[0]!, /^first/)
      assert.deepEqual(await drained(store), ['post 1/5'])
      const earlier = { publishedAt: NOON }
      assert.match((await join(store, print(6, { keys: [7], ...earlier })))[0]!, /^first/)
      assert.deepEqual(await drained(store), ['post 1/4'], 'a date that moved counts')
    })

    test('when the first post leaves, the next takes its place, and the last is alone', async () => {
      const store = await setUp()
      await join(store, ...[1, 2, 3].map((number) => print(number, { keys: [7] })))
      await store.groups.leave(refs(1, 9))
      assert.deepEqual(await drained(store), ['post 1/2'])
      await store.groups.leave(refs(2))
      assert.deepEqual(await drained(store), ['post 1/3'])
      assert.deepEqual(await join(store, print(3, { keys: [7] })), ['alone'])
    })

    test('members are listed, earliest first', async () => {
      const store = await setUp()
      await join(store, ...[3, 1, 2].map((number) => print(number, { keys: [7] })))
      const [{ group }] = (await store.groups.join([print(4, { keys: [7] })])) as [Standing]
      assert.deepEqual(await store.groups.members(group!, 3), refs(1, 2, 3))
      assert.deepEqual(await store.groups.members(group! + 99, 3), [])
    })

    test('a post whose text was edited leaves its group', async () => {
      const store = await setUp()
      await join(store, print(1, { keys: [7] }), print(2, { keys: [7] }))
      assert.deepEqual(await join(store, print(1, { keys: [8] })), ['alone'])
      assert.deepEqual(await drained(store), ['post 1/2'])
    })

    test('a channel leaves with all its posts, and keys without posts are forgotten', async () => {
      const store = await setUp()
      await join(store, print(1, { keys: [7] }), print(2, { keys: [8] }))
      await join(store, print(3, { channelId: 2, keys: [7] }))
      await drained(store)
      await store.groups.leaveChannel(1)
      assert.deepEqual(await drained(store), ['post 2/3'])
      assert.deepEqual(await join(store, print(4, { channelId: 2, keys: [8] })), ['alone'])
    })

    test('posts that are too old are forgotten, and the others stay in their groups', async () => {
      const store = await setUp()
      const old = { publishedAt: NOON - DAY }
      await join(store, print(1, { keys: [7], ...old }), print(2, { keys: [8], ...old }))
      const [copy, ...rest] = await join(store, print(3, { keys: [7] }), print(4, { keys: [7] }))
      await drained(store)
      await store.groups.expire(NOON)
      assert.deepEqual(await drained(store), [])
      assert.deepEqual(await join(store, print(5, { keys: [8] })), ['alone'])
      assert.equal((await join(store, print(6, { keys: [7] })))[0], copy)
      assert.deepEqual(rest, [copy])
    })
  })
}

/** The groups of two stores after the same random joins and leaves. */
export async function groupRandomly(stores: readonly Store[]): Promise<void> {
  for (const { changes } of stores) await changes.register(CONSUMER)
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 30; round++) {
    const posts = Array.from({ length: 1 + random(20) }, () =>
      print(1 + random(60), {
        channelId: 1 + random(3),
        publishedAt: NOON + random(50) * MINUTE,
        keys: random(4) === 0 ? [] : [random(25)],
        bands: [100 + random(9), 200 + random(9)],
        sketch: SKETCH.map((byte) => (random(3) === 0 ? 0 : byte)),
      }),
    )
    const left = refs(...Array.from({ length: random(6) }, () => 1 + random(60)))
    const told: string[][][] = []
    for (const store of stores) {
      const joined = await join(store, ...posts)
      await store.groups.leave(left)
      if (round === 20) await store.groups.leaveChannel(2)
      if (round === 25) await store.groups.expire(NOON + 20 * MINUTE)
      told.push([joined, (await drained(store)).sort()])
    }
    for (const each of told) assert.deepEqual(each, told[0], `round ${round}`)
  }
}
