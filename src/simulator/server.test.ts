import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { createManualClock } from './clocks.ts'
import type { Fault } from './faults.ts'
import { answer, readRoute } from './routes.ts'
import { startSimulator } from './server.ts'
import { createWorld } from './world.ts'

const MANUAL: RequestInit = { redirect: 'manual' }

function small() {
  return createWorld({ seed: 1, channels: 10 })
}

test('a readable channel answers with its page, whatever the case of the name', async () => {
  await using sim = await startSimulator({ world: small() })
  const response = await fetch(`${sim.url}/s/ShowCase`, MANUAL)
  const page = await response.text()
  assert.equal(response.status, 200)
  assert.ok(page.includes('>@ShowCase</a>') && page.includes('data-post="showcase/'))
  assert.match(page.trim(), /<!-- page generated in [\d.]+ms -->$/)
})

test('an invalid cursor gives the newest page', async () => {
  const world = small()
  const clock = createManualClock(world.startAt)
  await using sim = await startSimulator({ world, clock })
  const newest = await (await fetch(`${sim.url}/s/showcase`)).text()
  for (const before of ['0', '-5', 'abc', '']) {
    assert.equal(await (await fetch(`${sim.url}/s/showcase?before=${before}`)).text(), newest)
  }
})

test('a POST, as sent by the page script, gets one JSON string', async () => {
  await using sim = await startSimulator({ world: small() })
  const response = await fetch(`${sim.url}/s/showcase?before=100`, { method: 'POST' })
  const html = (await response.json()) as string
  assert.match(html, /^<div class="tgme_widget_message_centered js-messages_more_wrap">/)
  assert.ok(html.includes('data-post="showcase/') && !html.includes('<html'))
})

test('every kind of profile has its own page, and only open channels have a preview', async () => {
  const world = small()
  const channel = world.script.addChannel({ username: 'handmade', subscribers: 1234567 })
  await using sim = await startSimulator({ world })
  const peer = (kind: string) => world.peers.find((each) => each.kind === kind)?.username ?? ''
  const profile = async (name: string) => (await fetch(`${sim.url}/${name}`, MANUAL)).text()
  const preview = async (name: string) => (await fetch(`${sim.url}/s/${name}`, MANUAL)).status

  assert.match(await profile('handmade'), /Preview channel/)
  assert.match(await profile('handmade'), /1 234 567 subscribers/)
  assert.match(await profile(peer('group')), /members/)
  assert.match(await profile(peer('user')), /Send Message/)
  assert.match(await profile(peer('bot')), /Start Bot/)
  assert.match(await profile('nobody_here_at_all'), /tgme_icon_user/)
  for (const name of [peer('group'), peer('user'), peer('bot'), 'nobody_here_at_all']) {
    assert.equal(await preview(name), 302, name)
  }

  world.script.setAccess(channel, 0, { state: 'preview_off' })
  assert.equal(await preview('handmade'), 302)
  assert.doesNotMatch(await profile('handmade'), /Preview channel/)
  world.script.setAccess(channel, 0, {
    state: 'withheld',
    words: 'This channel is gone for a reason.',
  })
  assert.equal(await preview('handmade'), 302)
  assert.match(await profile('handmade'), /view posts by/)
  assert.match(await profile('handmade/1?embed=1'), /This channel is gone for a reason\./)

  const rejected = await fetch(`${sim.url}/s/x`, MANUAL)
  assert.equal(rejected.headers.get('location'), 'https://telegram.org/')
})

test('embeds show a post, a single album item, or an error', async () => {
  const world = small()
  const channel = world.script.addChannel({ username: 'handmade' })
  const at = world.startAt
  const first = world.script.publish(channel, at, { text: 'One <b> & two' })
  const album = world.script.publish(channel, at, {
    text: 'Both',
    media: [
      { shape: 'photo', key: 1 },
      { shape: 'video', key: 2 },
    ],
  })
  const clock = createManualClock(at)
  await using sim = await startSimulator({ world, clock })
  const embed = async (rest: string) => (await fetch(`${sim.url}/handmade/${rest}`)).text()
  assert.match(await embed(`${first}?embed=1`), /One &lt;b&gt; &amp; two/)
  assert.match(await embed(`${album + 1}?embed=1`), new RegExp(`data-post="handmade/${album}"`))
  assert.match(
    await embed(`${album + 1}?embed=1&single=1`),
    new RegExp(`data-post="handmade/${album + 1}"`),
  )
  world.script.remove(channel, first, at + 1000)
  assert.match(await embed(`${first}?embed=1`), /data-post=/)
  await clock.advance(1000)
  assert.match(await embed(`${first}?embed=1`), /err_message[\s\S]*Post not found/)
})

test('scripted posts are published, edited and renamed at their time', async () => {
  const world = small()
  const channel = world.script.addChannel({ username: 'handmade' })
  const clock = createManualClock(world.startAt)
  await using sim = await startSimulator({ world, clock })
  const page = async (name = 'handmade') => (await fetch(`${sim.url}/s/${name}`)).text()
  const number = world.script.publish(channel, clock.now() + 5000, { text: 'Before' })
  world.script.edit(channel, number, clock.now() + 10_000, { text: 'After' })
  world.script.rename(channel, clock.now() + 15_000, ['otherwise'])
  assert.match(await page(), /No posts found/)
  await clock.advance(5000)
  assert.match(await page(), />Before</)
  await clock.advance(5000)
  assert.match(await page(), />After<[\s\S]*edited &nbsp;/)
  await clock.advance(5000)
  assert.equal((await fetch(`${sim.url}/s/handmade`, MANUAL)).status, 302)
  assert.match(await page('otherwise'), /data-post="otherwise\/1"/)
})

test('faults behave over HTTP as their names say', async (t) => {
  await using sim = await startSimulator({ world: small() })
  const get = (fault: Fault) => {
    sim.setFaults([fault])
    return fetch(`${sim.url}/s/showcase`, { ...MANUAL, signal: AbortSignal.timeout(60_000) })
  }
  const text = async (fault: Fault) => (await get(fault)).text()

  await t.test('rate limits', async () => {
    const told = await get({ kind: 'rate_limit', retryAfterS: 7 })
    assert.deepEqual([told.status, told.headers.get('retry-after')], [429, '7'])
    const untold = await get({ kind: 'rate_limit' })
    assert.deepEqual([untold.status, untold.headers.get('retry-after')], [429, null])
  })
  await t.test('soft throttle', async () => {
    const page = await text({ kind: 'soft_throttle' })
    assert.ok(page.includes('tgme_channel_info') && page.includes('No posts found'))
  })
  await t.test('contact page', async () => {
    assert.match(await text({ kind: 'contact_page' }), /Telegram: Contact @showcase/)
  })
  await t.test('resets', async () => {
    await assert.rejects(get({ kind: 'reset' }))
    await assert.rejects(text({ kind: 'reset_midway' }))
  })
  await t.test('stalls', async () => {
    sim.setFaults([{ kind: 'stall', stallMs: 60_000 }])
    const signal = AbortSignal.timeout(100)
    await assert.rejects(fetch(`${sim.url}/s/showcase`, { signal }), { name: 'TimeoutError' })
  })
  await t.test('truncation', async () => {
    assert.doesNotMatch(await text({ kind: 'truncate' }), /page generated in/)
    assert.doesNotMatch(await text({ kind: 'truncated_gzip' }), /page generated in/)
    assert.equal(await text({ kind: 'empty' }), '')
  })
  await t.test('gzip bomb', async () => {
    const response = await get({ kind: 'gzip_bomb', bytes: 20 << 20 })
    assert.ok(Number(response.headers.get('content-length')) < 100_000)
    assert.equal((await response.arrayBuffer()).byteLength, 20 << 20)
  })
  await t.test('wrong types and layouts', async () => {
    assert.equal((await get({ kind: 'wrong_type' })).headers.get('content-type'), 'image/png')
    assert.doesNotMatch(await text({ kind: 'layout_drift' }), /tgme_widget_message|data-post/)
    assert.doesNotMatch(await text({ kind: 'layout_drift', drift: 'time' }), /datetime="/)
  })
  await t.test('an old cache', async () => {
    const newest = (page: string) =>
      Math.max(...page.matchAll(/data-post="showcase\/(\d+)/g).map((m) => Number(m[1])))
    const now = newest(await text({ kind: 'stale', staleMs: 0 }))
    const before = newest(await text({ kind: 'stale', staleMs: 10 * 86_400_000 }))
    assert.ok(before > 0 && before < now, `${before} before ${now}`)
  })
  await t.test('redirects', async () => {
    assert.equal((await get({ kind: 'redirect_loop' })).headers.get('location'), '/s/showcase')
    assert.equal(
      (await get({ kind: 'redirect_away', location: 'http://10.0.0.1/' })).headers.get('location'),
      'http://10.0.0.1/',
    )
  })
  await t.test('channels that are renamed, blocked or reassigned', async () => {
    for (const kind of ['renamed', 'blocked', 'preview_off'] as const) {
      assert.equal((await get({ kind })).status, 302, kind)
    }
    assert.doesNotMatch(await text({ kind: 'reassigned' }), /data-post="showcase/)
  })
  await t.test('a slow body arrives completely', async () => {
    assert.match(await text({ kind: 'slow_body', stallMs: 200 }), /page generated in/)
  })
})

test('a fault applies only to its channel, time, count and probability', async () => {
  const world = small()
  const clock = createManualClock(world.startAt)
  await using sim = await startSimulator({ world, clock })
  const status = async (name: string) => (await fetch(`${sim.url}/${name}`, MANUAL)).status
  sim.setFaults([{ kind: 'rate_limit', channel: 'showcase', skip: 1, count: 2 }])
  const other = world.usernameAt(world.channels[1] as (typeof world.channels)[number], clock.now())
  assert.equal(await status(other), 200)
  assert.deepEqual(
    [
      await status('showcase'),
      await status('Showcase'),
      await status('showcase'),
      await status('showcase'),
    ],
    [200, 429, 429, 200],
  )
  sim.setFaults([{ kind: 'rate_limit', from: clock.now() + 1000 }])
  assert.equal(await status('showcase'), 200)
  await clock.advance(1000)
  assert.equal(await status('showcase'), 429)
  sim.setFaults([{ kind: 'rate_limit', probability: 0.5 }])
  let struck = 0
  for (let i = 0; i < 60; i++) if ((await status('showcase')) === 429) struck++
  assert.ok(struck > 15 && struck < 45, String(struck))
})

test('no request path makes the simulator fail', () => {
  const world = small()
  const context = { world, at: world.startAt, origin: 'http://x', isAjax: false, fault: null }
  const path = fc.stringMatching(/^[/s?=&%+.#a-zA-Z0-9_-]{0,60}$/)
  const cursor = fc.oneof(fc.integer().map(String), fc.string())
  const page = fc
    .tuple(cursor, cursor, fc.string())
    .map(
      ([before, after, q]) => `/s/showcase?${new URLSearchParams({ before, after, q }).toString()}`,
    )
  fc.assert(
    fc.property(fc.oneof(path, page), (target) => {
      const { status, body } = answer(readRoute(target), context)
      assert.ok(status === 302 || (status === 200 && body.length > 0))
    }),
    { numRuns: 120 },
  )
})

test('the log records the requested channel and keeps its size limit', async () => {
  await using sim = await startSimulator({ world: small(), logSize: 10 })
  for (let i = 0; i < 45; i++) await (await fetch(`${sim.url}/s/Showcase?before=${i + 30}`)).text()
  assert.equal(sim.log.total, 45)
  assert.ok(sim.log.entries().length <= 20)
  const last = sim.log.of('SHOWCASE').at(-1)
  assert.deepEqual(
    [last?.username, last?.before, last?.status, last?.surface],
    ['showcase', 74, 200, 'page'],
  )
})
