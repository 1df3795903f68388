import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startDeafServer } from '../../test/deaf-server.ts'
import fc from '../../test/fast-check.ts'
import { systemClock } from '../model/clock.ts'
import type { Fault } from '../simulator/faults.ts'
import { startSimulator, type Simulator } from '../simulator/server.ts'
import { createHttpClient } from './http-client.ts'
import type { PageOutcome } from './source.ts'
import { createWebSource, type WebSourceOptions } from './web-source.ts'

/** Long enough for a busy machine. */
const TIMEOUTS = { connectMs: 60_000, headersMs: 60_000, bodyMs: 60_000, totalMs: 60_000 }
/** For faults that end in a timeout. */
const IMPATIENT = { connectMs: 60_000, headersMs: 400, bodyMs: 400, totalMs: 1_200 }
const READ = { purpose: 'visit' } as const

async function open(overrides: Partial<WebSourceOptions> = {}) {
  const simulator = await startSimulator({ world: { seed: 7, channels: 12, steady: true } })
  const source = createWebSource({
    origin: simulator.url,
    clock: {
      now: () => simulator.now(),
      elapsed: () => simulator.now(),
      sleep: (_ms, signal) => systemClock.sleep(1, signal),
    },
    userAgent: 'telegrep/test',
    permit: async () => {},
    timeouts: TIMEOUTS,
    ...overrides,
  })
  return {
    simulator,
    source,
    name: nameOf(simulator, 1),
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await simulator.close()
    },
  }
}

function nameOf(simulator: Simulator, index: number): string {
  const { world } = simulator
  return world.usernameAt(world.channels[index]!, simulator.now())
}

const typeOf = (outcome: PageOutcome) =>
  [
    outcome.kind,
    'reason' in outcome ? outcome.reason : undefined,
    'sign' in outcome ? outcome.sign : undefined,
    'what' in outcome ? outcome.what : undefined,
  ]
    .filter(Boolean)
    .join(' ')

describe('web source', () => {
  test('sends a permitted request at once, however many others wait for their answers', async () => {
    const waiting: ServerResponse[] = []
    let asked = 0
    const server = createServer((_request, response) => {
      waiting.push(response)
      if (++asked < 20) return
      for (const each of waiting.splice(0)) each.writeHead(429).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await using s = await open({
      origin: `http://127.0.0.1:${port}`,
      timeouts: { ...TIMEOUTS, totalMs: 10_000 },
    })
    const reads = Array.from({ length: 20 }, () => s.source.page('somechannel', null, READ))
    const kinds = new Set((await Promise.all(reads)).map(({ kind }) => kind))
    server.closeAllConnections()
    server.close()
    assert.deepEqual([[...kinds], asked], [['throttled'], 20])
  })

  test('does not let a request wait for a connection that another one is still waiting for', async () => {
    await using server = await startDeafServer()
    const { origin } = server
    const timeouts = { connectMs: 500 }
    await using http = createHttpClient({ origin, timeouts, userAgent: 'test', now: Date.now })
    const answers = Array.from({ length: 5 }, () => http.get('/s/somechannel'))
    assert.equal((await Promise.race(answers)).kind, 'failed')
    assert.equal(server.connections, 5)
    await Promise.all(answers)
  })

  test('reports the platform’s own time with every response that has it and comes from no cache', async () => {
    const time = 'Tue, 01 Sep 2026 10:00:00 GMT'
    const replies = [{ date: time }, { date: 'nonsense' }, { date: time, age: '0' }]
    const server = createServer((_request, response) => {
      response.sendDate = false
      response.writeHead(429, replies.shift())
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const heard: number[] = []
    await using s = await open({
      origin: `http://127.0.0.1:${port}`,
      onDate: (at) => heard.push(at),
    })
    for (let reads = 3; reads > 0; reads--) await s.source.page('somechannel', null, READ)
    assert.deepEqual(heard, [Date.UTC(2026, 8, 1, 10)])
    server.close()
  })

  test('reads a page with its posts and pages back to older ones', async () => {
    await using s = await open()
    const name = nameOf(s.simulator, 0)
    const outcome = await s.source.page(name, null, READ)
    assert.equal(outcome.kind, 'page')
    const truth = s.simulator.world.truth.numbersAt(name, s.simulator.now())
    assert.deepEqual(outcome.page.numbers, truth.slice(-outcome.page.numbers.length))
    const older = await s.source.page(name, outcome.page.numbers[0]!, READ)
    assert.equal(older.kind, 'page')
    assert.ok(older.page.numbers.at(-1)! < outcome.page.numbers[0]!)
  })

  test('reads the largest page that the platform can make: twenty posts of nothing but emoji', async () => {
    const emoji = `<i class="emoji" style="background-image:url('//telegram.org/img/emoji/40/F09F918D.png')"><b>👍</b></i>`
    const fixture = new URL('../../test/fixtures/telegram/page-text.html', import.meta.url)
    const [start, end] = (await readFile(fixture, 'utf8')).split(
      /<section class="tgme_channel_history.*<\/section>/s,
    )
    const post = (number: number) =>
      `<div class="tgme_widget_message_wrap"><div class="tgme_widget_message" data-post="harbournotes/${number}"><div class="tgme_widget_message_bubble">
        <div class="tgme_widget_message_text js-message_text">${emoji.repeat(4_096)}</div>
        <span class="tgme_widget_message_meta"><a class="tgme_widget_message_date"><time datetime="2020-01-01T10:00:00+00:00">10:00</time></a></span>
      </div></div></div>`
    const posts = Array.from({ length: 20 }, (_, i) => post(i + 1))
    const body = gzipSync(`${start}<section>${posts.join('')}</section>${end}`)
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await using s = await open({ origin: `http://127.0.0.1:${port}` })
    const outcome = await s.source.page('harbournotes', null, READ)
    server.close()
    assert.ok(outcome.kind === 'page', typeOf(outcome))
    assert.deepEqual(
      outcome.page.posts.map((post) => post.text.length),
      Array.from({ length: 20 }, () => 2 * 4_096),
    )
  })

  const cases: readonly [Fault, string, number][] = [
    [{ kind: 'rate_limit', retryAfterS: 7 }, 'throttled status', 1],
    [{ kind: 'server_error' }, 'unreachable status', 3],
    [{ kind: 'server_error', status: 403 }, 'unreachable status', 1],
    [{ kind: 'soft_throttle' }, 'empty', 1],
    [{ kind: 'reset' }, 'unreachable network', 3],
    [{ kind: 'reset_midway' }, 'unreachable network', 3],
    [{ kind: 'stall', stallMs: 60_000 }, 'unreachable timeout', 3],
    [{ kind: 'slow_body', stallMs: 60_000 }, 'unreachable timeout', 3],
    [{ kind: 'truncate' }, 'broken truncated', 1],
    [{ kind: 'truncated_gzip' }, 'broken truncated', 1],
    [{ kind: 'empty' }, 'broken truncated', 1],
    [{ kind: 'garbage' }, 'broken truncated', 1],
    [{ kind: 'gzip_bomb', bytes: 11 << 20 }, 'unreachable too_large', 1],
    [{ kind: 'huge', bytes: 4 << 20 }, 'unreachable too_large', 1],
    [{ kind: 'wrong_type' }, 'unreachable wrong_type', 1],
    [{ kind: 'layout_drift' }, 'broken layout_unknown', 1],
    [{ kind: 'layout_drift', drift: 'time' }, 'broken layout_unknown', 1],
    [{ kind: 'redirect_loop' }, 'unreachable status', 2],
    [{ kind: 'redirect_away' }, 'unreachable status', 2],
  ]
  for (const [fault, expected, requests] of cases) {
    const label = [fault.kind, fault.drift, fault.status].filter(Boolean).join(' ')
    test(`reports ${label} as ${expected}, after ${requests} requests`, async () => {
      await using s = await open(expected.endsWith('timeout') ? { timeouts: IMPATIENT } : {})
      s.simulator.setFaults([{ ...fault, surface: 'page' }])
      assert.equal(typeOf(await s.source.page(s.name, null, READ)), expected)
      assert.equal(s.simulator.log.total, requests)
    })
  }

  test('reads a page at the second attempt after a passing fault', async () => {
    await using s = await open()
    s.simulator.setFaults([{ kind: 'reset', count: 1 }])
    assert.equal((await s.source.page(s.name, null, READ)).kind, 'page')
  })

  test('reports a 429 at once, with the wait that the platform asks for', async () => {
    const told: unknown[] = []
    await using s = await open({
      onThrottle: async (throttle) => {
        told.push(throttle)
      },
    })
    s.simulator.setFaults([{ kind: 'rate_limit', retryAfterS: 7 }])
    await s.source.page(s.name, null, READ)
    assert.deepEqual(told, [{ kind: 'throttled', sign: 'status', retryAfterMs: 7_000 }])
  })

  test('distinguishes each state of a name', async () => {
    await using s = await open()
    const { world } = s.simulator
    const [withheld, off] = [world.channels[2]!, world.channels[3]!]
    world.script.setAccess(withheld, 0, {
      state: 'withheld',
      words: 'This channel is unavailable.',
    })
    world.script.setAccess(off, 0, { state: 'preview_off' })
    const at = s.simulator.now()
    const peer = (kind: string) => world.peers.find((each) => each.kind === kind)!.username
    const expected: [string, string][] = [
      [world.usernameAt(withheld, at), 'unavailable restricted'],
      [world.usernameAt(off, at), 'unavailable preview_disabled'],
      [peer('group'), 'unavailable is_group'],
      [peer('user'), 'unavailable is_user'],
      [peer('bot'), 'unavailable is_bot'],
      ['nobody_at_all', 'nobody'],
    ]
    for (const [name, type] of expected) {
      assert.equal(typeOf(await s.source.page(name, null, READ)), type, name)
    }
    const blocked = await s.source.page(world.usernameAt(withheld, at), null, READ)
    assert.equal(blocked.kind === 'unavailable' && blocked.detail, 'This channel is unavailable.')
  })

  test('reports an unknown name only if a channel known to exist is still readable', async () => {
    let canaries: string[] = []
    await using s = await open({ canaries: async () => canaries })
    assert.equal(typeOf(await s.source.page('nobody_at_all', null, READ)), 'nobody')
    canaries = [nameOf(s.simulator, 1), nameOf(s.simulator, 2)]
    assert.equal(typeOf(await s.source.page('nobody_at_all', null, READ)), 'nobody')
    s.simulator.setFaults([{ kind: 'contact_page' }])
    assert.equal(typeOf(await s.source.page('nobody_at_all', null, READ)), 'throttled generic')
    assert.equal(typeOf(await s.source.page(s.name, null, READ)), 'throttled generic')
  })

  test('does not report a name as unknown if the platform recovered before a known channel was read', async () => {
    let elapsed = 0
    let permits = 0
    await using s = await open({
      canaries: async () => [nameOf(s.simulator, 3)],
      clock: { ...systemClock, elapsed: () => elapsed },
      // The preview and the profile page are read during the ban; the known channel after a pause.
      permit: async () => {
        if (++permits !== 3) return
        elapsed += 180_000
        s.simulator.setFaults([])
      },
    })
    s.simulator.setFaults([{ kind: 'contact_page' }])
    const name = nameOf(s.simulator, 4)
    assert.equal(typeOf(await s.source.page(name, null, READ)), 'unreachable status')
    permits = 0
    assert.equal(typeOf(await s.source.page('nobody_at_all', null, READ)), 'nobody')
  })

  test('reports a post as present, deleted or unreadable', async () => {
    await using s = await open()
    const { world } = s.simulator
    const numbers = world.truth.numbersAt(s.name, s.simulator.now())
    const last = numbers.at(-1)!
    const there = await s.source.post(s.name, last, READ)
    assert.equal(there.kind, 'post')
    world.script.remove(world.channels[1]!, last, 0)
    assert.equal((await s.source.post(s.name, last, READ)).kind, 'deleted')
    s.simulator.setFaults([{ kind: 'truncate' }])
    assert.equal((await s.source.post(s.name, last, READ)).kind, 'broken')
  })

  test('reads the text that only the app shows from the page of the post', async () => {
    await using s = await open()
    const { script } = s.simulator.world
    const channel = script.addChannel({ username: 'quay_notes', description: 'All about quays.' })
    const at = s.simulator.now() - 60_000
    const text = 'Words for the app alone.\n\nA second paragraph.'
    const hidden = script.publish(channel, at, { orphan: true, text })
    const wordless = script.publish(channel, at, { orphan: true })
    const long = script.publish(channel, at, { orphan: true, text: 'wave '.repeat(900) })
    const words = async (number: number) => {
      const outcome = await s.source.words('quay_notes', number, READ)
      assert.ok(outcome.kind === 'words', outcome.kind)
      return outcome.text
    }
    assert.equal(await words(hidden), text)
    assert.equal(await words(wordless), 'All about quays.')
    assert.match(await words(long), /^(wave ){190,200}.*…$/)
    s.simulator.setFaults([{ kind: 'truncate' }])
    assert.equal((await s.source.words('quay_notes', hidden, READ)).kind, 'broken')
    s.simulator.setFaults([{ kind: 'contact_page' }])
    assert.equal(await words(hidden), '', 'a page that tells of no post has no words')
  })

  for (const location of [
    'https://telegram.org/',
    '//telegram.org',
    'https://telegram.org?tme=x',
  ]) {
    test(`reports a name that redirects to the home page, ${location}, as unknown`, async () => {
      await using s = await open()
      s.simulator.setFaults([{ kind: 'redirect_away', location }])
      assert.equal(typeOf(await s.source.page(s.name, null, READ)), 'nobody')
    })
  }

  test('rejects an aborted read with the signal’s reason', async () => {
    await using s = await open()
    s.simulator.setFaults([{ kind: 'stall', stallMs: 60_000 }])
    const signal = AbortSignal.timeout(20)
    await assert.rejects(s.source.page(s.name, null, { ...READ, signal }), { name: 'TimeoutError' })
  })

  test('sends no request to another host or path, whatever name a caller gives', async () => {
    await using s = await open()
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('../x', '//evil.example', 'a/b', 'durov?x', 'durov#', 'joinchat', '%2e%2e'),
      // Most of these are names: a few requests are made, so that there is something to look at.
      fc.stringMatching(/^[A-Za-z]\w{3,31}[/?#%]?$/),
    )
    await fc.assert(
      fc.asyncProperty(odd, fc.integer(), async (name, before) => {
        await s.source.page(name, before, READ)
        await s.source.post(name, before, READ)
        await s.source.words(name, before, READ)
      }),
      { numRuns: 150 },
    )
    const entries = [...s.simulator.log.entries()]
    assert.ok(entries.length > 0)
    for (const { path } of entries) {
      assert.match(path, /^\/(s\/)?[A-Za-z]\w{3,31}(\?before=\d+|\/\d+(\?embed=1)?)?$/)
    }
  })
})
