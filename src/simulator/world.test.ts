import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTITY_TYPES, MEDIA_KINDS } from '../model/post.ts'
import { isChannelName } from '../model/channel-name.ts'
import { abbreviate, clockTime, shownSize, spaced } from './counters.ts'
import { createManualClock } from './clocks.ts'
import { renderPage } from './render-page.ts'
import { SHAPES } from './shapes.ts'
import { LANGUAGES } from './texts/languages.ts'
import { createWorld } from './world.ts'

const HOUR_MS = 3_600_000

test('the showcase holds every shape of post, every entity and every kind of media', () => {
  const world = createWorld({ seed: 11, channels: 20 })
  const posts = world.truth.postsAt('showcase', world.startAt)
  const [channel] = world.channels
  assert.ok(channel)
  const shapes = new Set(world.truth.slotsAt(channel, world.startAt).map(({ shape }) => shape))
  assert.deepEqual(
    SHAPES.filter((shape) => !shapes.has(shape)),
    [],
  )
  const entities = new Set(posts.flatMap((post) => post.entities.map(({ type }) => type)))
  assert.deepEqual(
    ENTITY_TYPES.filter((type) => !entities.has(type)),
    [],
  )
  const media = new Set(posts.flatMap((post) => post.media.map(({ kind }) => kind)))
  assert.deepEqual(
    MEDIA_KINDS.filter((kind) => !media.has(kind)),
    [],
  )
  assert.ok(posts.some((post) => post.forwardedFrom?.postUrl))
  assert.ok(posts.some((post) => post.forwardedFrom && post.forwardedFrom.username === null))
  assert.ok(posts.some((post) => post.replyTo) && posts.some((post) => post.viaBot))
  assert.ok(posts.some((post) => post.buttons.length > 0) && posts.some((post) => post.poll))
})

test('forwards lead to existing posts with the same text', () => {
  const world = createWorld({ seed: 13, channels: 30, activity: 2 })
  let followed = 0
  for (const channel of world.channels) {
    for (const post of world.truth
      .postsAt(world.usernameAt(channel, 0), world.startAt)
      .slice(-400)) {
      const link = /^https:\/\/t\.me\/(\w+)\/(\d+)$/.exec(post.forwardedFrom?.postUrl ?? '')
      if (!link) continue
      const original = world.truth.post(link[1] as string, Number(link[2]), post.publishedAt)
      if (!original) continue
      followed++
      if (!original.edited && !post.edited) assert.equal(post.text, original.text)
      assert.ok(original.publishedAt < post.publishedAt)
    }
  }
  assert.ok(followed > 20, `${followed} followed`)
})

test('there are eight languages in four scripts, and every channel name is valid on the platform', () => {
  const scripts = ['Latin', 'Cyrillic', 'Arabic', 'Han']
  const world = createWorld({ seed: 14, channels: 8 })
  const titles = world.channels.map(({ language }) => language.code)
  assert.equal(new Set(titles).size, LANGUAGES.length)
  const text = world.channels
    .flatMap((channel) =>
      world.truth.postsAt(world.usernameAt(channel, 0), world.startAt + 30 * 24 * HOUR_MS),
    )
    .map((post) => post.text)
    .join('')
  for (const script of scripts) assert.match(text, new RegExp(`\\p{Script=${script}}`, 'u'))
  for (const channel of createWorld({ seed: 15, channels: 3000 }).channels) {
    for (const { value } of channel.usernames)
      for (const name of value) assert.ok(isChannelName(name), name)
  }
})

test('text that looks like markup is escaped', () => {
  const world = createWorld({ seed: 17, channels: 1 })
  const channel = world.script.addChannel({
    username: 'hostile',
    title: '<b>"Title"</b>',
    description: "<i>'d'</i>",
  })
  const at = world.startAt
  world.script.publish(channel, at, {
    text: '</div><script>alert(1)</script><!-- page generated in 1ms -->',
  })
  const request = { before: null, after: null, around: null, q: null }
  const page = renderPage({ world, channel, requestedName: 'hostile', at, request })
  assert.doesNotMatch(page, /<script>alert|<b>"|<i>'d|"Title"/)
  assert.equal(page.match(/<!-- page generated/g)?.length, 1)
  assert.equal(page.match(/data-post=/g)?.length, 1)
})

test('names are released and taken over at their time', () => {
  const world = createWorld({ seed: 18, channels: 2 })
  const { script, startAt } = world
  const old = script.addChannel({ username: 'firstname' })
  script.rename(old, startAt, ['secondname', 'Thirdname'])
  const heir = script.addChannel({ username: 'firstname', createdAt: startAt + 1000 })
  assert.equal(world.resolve('FirstName', startAt - 1), old)
  assert.equal(world.resolve('firstname', startAt), undefined)
  assert.equal(world.resolve('thirdname', startAt), old)
  assert.equal(world.resolve('firstname', startAt + 1000), heir)
  script.setAccess(heir, startAt + 2000, { state: 'deleted' })
  assert.equal(world.resolve('firstname', startAt + 2000), undefined)
})

test('counters are abbreviated as on the platform’s pages of 2026', () => {
  const shown = [
    0, 999, 1000, 2494, 9994, 9996, 15_000, 23_449, 193_999, 999_499, 999_500, 8_674_000,
    11_286_994,
  ]
  assert.deepEqual(shown.map(abbreviate), [
    '0',
    '999',
    '1K',
    '2.49K',
    '9.99K',
    '10K',
    '15K',
    '23.4K',
    '194K',
    '999K',
    '1M',
    '8.67M',
    '11.3M',
  ])
  assert.equal(spaced(11_286_994), '11 286 994')
  assert.deepEqual([9, 62, 3725].map(clockTime), ['0:09', '1:02', '1:02:05'])
  assert.deepEqual(shownSize(1_300_000, 0), {
    value: 1_258_291,
    approx: true,
    raw: '1.2 MB',
    asOf: 0,
  })
})

test('a manual clock wakes sleepers in order and lets them sleep again', async () => {
  const clock = createManualClock(0)
  const woken: string[] = []
  const loop = async (name: string, ms: number) => {
    for (let i = 0; i < 3; i++) {
      await clock.sleep(ms)
      woken.push(`${name}${clock.now()}`)
    }
  }
  const loops = Promise.all([loop('a', 10), loop('b', 15)])
  await clock.advance(30)
  assert.deepEqual(woken, ['a10', 'b15', 'a20', 'b30', 'a30'])
  await clock.advance(15)
  await loops
  const stopped = clock.sleep(10, AbortSignal.abort(new Error('enough')))
  await assert.rejects(stopped, /enough/)
  assert.equal(clock.waiting, 0)
})
