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
