import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { systemClock } from '../../src/model/clock.ts'
import { isPublicAddress, type Resolve } from '../../src/watch/private-address.ts'
import { createWebhooks, makeWebhookSecret } from '../../src/watch/webhook.ts'
import { startDeafServer } from '../deaf-server.ts'
import { startReceiver } from './receiver.ts'
import { messageOf, webhookTo } from './samples.ts'

const never = new AbortController().signal
const open = (fields: Partial<Parameters<typeof createWebhooks>[0]> = {}) =>
  createWebhooks({ clock: systemClock, userAgent: 'telegrep/test', timeoutMs: 30_000, ...fields })

describe('a webhook', () => {
  test('has a signature that the public library accepts, for this body and this secret only', async () => {
    await using receiver = await startReceiver()
    await using webhooks = open()
    const secret = makeWebhookSecret()
    const watch = webhookTo(`${receiver.url}/hook?team=1`, { secret })
    const message = await messageOf(['Ветер 20 м/с 🌪'])
    assert.deepEqual(await webhooks.send(watch, message, never), {
      kind: 'sent',
      detail: 'status 200: thanks',
    })
    const [got] = receiver.received
    assert.equal(got?.path, '/hook?team=1')
    const headers = got!.headers as Record<string, string>
    assert.equal(headers['webhook-id'], 'msg_1_2_abc')
    const library = new Webhook(secret)
    const verified = library.verify(got!.body, headers) as Record<string, never>
    assert.equal(verified['type'], 'post')
    assert.match(verified['timestamp']!, /^2026-03-10T12:00:00/)
    assert.equal(verified['data']!['watch'], 'storms')
    assert.equal(verified['data']!['post']['text'], 'Ветер 20 м/с 🌪')
    assert.throws(() => library.verify(`${got!.body} `, headers))
    assert.throws(() => new Webhook(makeWebhookSecret()).verify(got!.body, headers))
  })

  test('for a digest contains all its events, and for chats only a text', async () => {
    await using receiver = await startReceiver()
    await using webhooks = open()
    const digest = await messageOf(['one', '<!channel> two'])
    await webhooks.send(webhookTo(receiver.url), digest, never)
    await webhooks.send(webhookTo(receiver.url, { body: 'text' }), digest, never)
    const [standard, text] = receiver.received.map(({ body }) => JSON.parse(body) as never)
    assert.equal(standard!['type'], 'digest')
    assert.deepEqual(
      (standard!['data']['events'] as { post: { text: string } }[]).map(({ post }) => post.text),
      ['one', '<!channel> two'],
    )
    assert.deepEqual(Object.keys(text!), ['text'])
    assert.match(text!['text'], /one\nhttps:\/\/t\.me\/gales\/1\n\n.*\n‹!channel› two\n/s)
  })

  test('does not wait for a connection that another one is still waiting for', async () => {
    await using server = await startDeafServer()
    await using webhooks = open({ timeoutMs: 500 })
    const message = await messageOf(['one'])
    const watch = webhookTo(server.origin)
    const sent = Array.from({ length: 5 }, () => webhooks.send(watch, message, never))
    assert.equal((await Promise.race(sent)).kind, 'failed')
    assert.equal(server.connections, 5)
    await Promise.all(sent)
  })

  test('that fails, redirects, hangs or is gone is reported as such', async () => {
    await using receiver = await startReceiver()
    await using webhooks = open()
    const message = await messageOf(['one'])
    const send = () => webhooks.send(webhookTo(receiver.url), message, never)
    const answers = async (status: number, headers: Record<string, string> = {}) => {
      receiver.answer = (response) => response.writeHead(status, headers).end('no\n\u001b[2J more')
      return send()
    }
    assert.deepEqual(await answers(500), { kind: 'failed', detail: 'status 500: no [2J more' })
    assert.deepEqual(await answers(429, { 'retry-after': '120' }), {
      kind: 'failed',
      detail: 'status 429: no [2J more',
      retryAfterMs: 120_000,
    })
    const redirected = await answers(302, { location: `${receiver.url}/elsewhere` })
    assert.match(JSON.stringify(redirected), /redirects are not followed/)
    assert.ok(!receiver.received.some(({ path }) => path === '/elsewhere'))
    assert.equal((await answers(410)).kind, 'gone')
    receiver.answer = () => {}
    await using hasty = open({ timeoutMs: 300 })
    const late = await hasty.send(webhookTo(receiver.url), message, never)
    assert.deepEqual(late, { kind: 'failed', detail: 'no answer in 0.3 s' })
    receiver.answer = (response) => response.destroy()
    const closed = 'the connection was closed before an answer came (UND_ERR_SOCKET)'
    assert.deepEqual(await send(), { kind: 'failed', detail: closed })
    const secure = webhookTo(receiver.url.replace('http:', 'https:'))
    const { detail } = await webhooks.send(secure, message, never)
    assert.match(detail, /^what answers there does not speak TLS: is it http\? \(/)
    const stop = new AbortController()
    receiver.answer = () => stop.abort(new Error('stopped'))
    await assert.rejects(webhooks.send(webhookTo(receiver.url), message, stop.signal), /stopped/)
  })

  test('to which nobody listens is reported in words', async () => {
    const receiver = await startReceiver()
    await receiver[Symbol.asyncDispose]()
    await using webhooks = open()
    const message = await messageOf(['one'])
    const { detail } = await webhooks.send(webhookTo(receiver.url), message, never)
    assert.equal(detail, 'nothing listens there (ECONNREFUSED)')
  })

  test('that hangs does not delay others to the same host', async () => {
    await using receiver = await startReceiver()
    await using webhooks = open()
    const stop = new AbortController()
    receiver.answer = (response, { path }) => path === '/well' && response.end('thanks')
    const message = await messageOf(['one'])
    // As many as a process sends at once.
    const hanging = Array.from({ length: 15 }, () =>
      webhooks.send(webhookTo(`${receiver.url}/hangs`), message, stop.signal),
    )
    const ended = Promise.allSettled(hanging)
    const { kind } = await webhooks.send(webhookTo(`${receiver.url}/well`), message, never)
    assert.equal(kind, 'sent')
    stop.abort()
    await ended
  })

  test('whose reply never ends counts as delivered', async () => {
    await using receiver = await startReceiver()
    await using webhooks = open()
    receiver.answer = (response) => {
      const pour = () => {
        if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(pour)
      }
      response.on('drain', pour)
      pour()
    }
    const result = await webhooks.send(webhookTo(receiver.url), await messageOf(['one']), never)
    assert.equal(result.kind, 'sent')
    assert.ok(result.detail.length < 300)
  })
})

describe('a private address', () => {
  test('is recognised in every notation', () => {
    for (const address of [
      '127.0.0.1',
      '127.255.255.254',
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:0:7f00:1::',
      'fe80::1%eth0',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      'localhost',
      '',
    ])
      assert.equal(isPublicAddress(address), false, address)
    for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'])
      assert.equal(isPublicAddress(address), true, address)
  })

  test('is never connected to, however it is written or resolved', async () => {
    await using receiver = await startReceiver()
    const { port } = receiver
    const lookedUp: string[] = []
    const table: Record<string, LookupAddress[][]> = {
      // Public when first resolved, and this host a moment later.
      'rebinds.example': [
        [{ address: '203.0.114.1', family: 4 }],
        [{ address: '127.0.0.1', family: 4 }],
      ],
      'mixed.example': [
        [
          { address: '8.8.8.8', family: 4 },
          { address: '::ffff:127.0.0.1', family: 6 },
        ],
      ],
      'inside.example': [[{ address: '127.0.0.1', family: 4 }]],
    }
    const resolve: Resolve = (hostname, _options, done) => {
      lookedUp.push(hostname)
      const answers = table[hostname] ?? [[{ address: '127.0.0.1', family: 4 }]]
      done(null, answers.length > 1 ? answers.shift()! : answers[0]!)
    }
    resolve('rebinds.example', { all: true }, (_error, [first]) => {
      assert.ok(isPublicAddress(first!.address), 'a check before the connection sees nothing wrong')
    })
    await using webhooks = open({ resolve })
    const message = await messageOf(['one'])
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'inside.example',
      'mixed.example',
      'rebinds.example',
    ]) {
      const watch = webhookTo(`http://${host}:${port}/`, { allowPrivate: false })
      const result = await webhooks.send(watch, message, never)
      assert.match(JSON.stringify(result), /private/, host)
    }
    assert.deepEqual(receiver.received, [])
    assert.equal(lookedUp.filter((host) => host === 'rebinds.example').length, 2)
    const allowed = webhookTo(`http://127.0.0.1:${port}/`, { allowPrivate: true })
    assert.equal((await webhooks.send(allowed, message, never)).kind, 'sent')
  })
})
