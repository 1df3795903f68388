import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FakeChannel } from '../../test/fake-platform.ts'
import { openStage as open, START } from '../../test/visit-stage.ts'
import { DAY_MS, MINUTE_MS } from '../model/time.ts'
import type { NoPage } from '../telegram/source.ts'

const numbersOf = (channel: FakeChannel) => channel.posts.map((post) => post.number)
const EMPTY: NoPage = { kind: 'empty', profile: null }

test('a walk reads post 1 if it is the first, even if the page above links to no older one', async () => {
  const s = await open()
  s.platform.publish(s.channel, 41)
  s.channel.lostLinks.add(2)
  await s.visit()
  assert.deepEqual(await s.archived(), numbersOf(s.channel))
})

test('a walk reads what is older even if a page has lost its link and the platform hides the next page for a while', async () => {
  for (const published of [0, 60]) {
    const s = await open()
    if (published > 0) {
      s.platform.publish(s.channel, published, START - DAY_MS)
      await s.visit()
      s.pass(10 * DAY_MS)
    }
    s.platform.publish(s.channel, 60, START)
    s.channel.lostLinks.add(s.channel.posts.at(-20)!.number)
    s.platform.answers.push('as usual', EMPTY, EMPTY, EMPTY)
    await s.visit()
    s.pass(MINUTE_MS)
    await s.visit()
    assert.deepEqual(await s.archived(), numbersOf(s.channel))
    assert.deepEqual(await s.gaps(), [])
  }
})

test('a walk takes an empty page for the end of history once another page shows nothing older either', async () => {
  const s = await open()
  s.platform.publish(s.channel, 60)
  s.channel.posts = s.channel.posts.slice(-20)
  await s.visit()
  assert.deepEqual(await s.gaps(), [])
  const asked = s.platform.asked.map(({ before }) => before)
  assert.deepEqual(asked, [null, 41, 41, 41, 42])
})

const addHole = ({ store, id }: Awaited<ReturnType<typeof open>>) =>
  store.frontier.addGap({ channelId: id, kind: 'gap', downTo: 11, before: 41, until: null })

test('a walk that was cut goes on from the next post that is left where the last one is gone', async () => {
  for (const left of [12, 45]) {
    const s = await open()
    s.platform.publish(s.channel, 100, START - 20 * DAY_MS)
    await s.visit()
    await addHole(s)
    s.channel.posts = s.channel.posts.slice(-left)
    await s.visit()
    assert.deepEqual(await s.gaps(), [])
    const asked = s.platform.asked.length
    await s.visit()
    assert.equal(s.platform.asked.length, asked + 1)
  }
})

test('a walk that meets two hidden pages goes on below them later', async () => {
  const s = await open()
  s.platform.publish(s.channel, 60, START - 20 * DAY_MS)
  await s.visit()
  await addHole(s)
  s.platform.answers.push('as usual', ...Array<NoPage>(6).fill(EMPTY))
  await s.visit()
  assert.deepEqual(await s.gaps(), ['gap 11–41'])
  await s.visit()
  assert.deepEqual(await s.gaps(), [])
})

test('a walk makes no request that the reserve has no room for', async () => {
  for (const [reserve, asked] of [
    [1, [41, 41, 41]],
    [2, [41, 41, 41, 42, 42, 42]],
  ] as const) {
    const s = await open()
    s.platform.publish(s.channel, 100, START - 20 * DAY_MS)
    await s.visit()
    await addHole(s)
    s.channel.posts = s.channel.posts.slice(-45)
    const from = s.platform.asked.length
    await s.visit({ reserve })
    const below = s.platform.asked.slice(from + 1)
    assert.deepEqual(
      below.map(({ before }) => before),
      asked,
    )
    assert.deepEqual(await s.gaps(), ['gap 11–41'])
  }
})
