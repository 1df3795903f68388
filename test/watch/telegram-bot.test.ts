import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import tls from 'node:tls'
import { textOf } from '../../src/watch/message.ts'
import { createTelegramBot, htmlMessages } from '../../src/watch/telegram-bot.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { messageOf, watchWith } from './samples.ts'

const never = new AbortController().signal
const TOKEN = '12345:not-to-be-told'
const toChat = watchWith({ telegram: { chat: '-100123' } })

const answer = (receiver: Receiver, status: number, body: object) => {
  receiver.answer = (response) => response.writeHead(status).end(JSON.stringify(body))
}

describe('a Telegram bot', () => {
  test("sends to the chat, with the author's text escaped", async () => {
    await using receiver = await startReceiver()
    await using bot = createTelegramBot({ origin: receiver.url, token: TOKEN })
    answer(receiver, 200, { ok: true })
    const message = await messageOf(['<b>5 < 6</b> & "so on"'])
    assert.deepEqual(await bot.send(toChat, message, never), { kind: 'sent', detail: 'status 200' })
    const [got] = receiver.received
    assert.equal(got?.path, `/bot${TOKEN}/sendMessage`)
    const sent = JSON.parse(got!.body) as Record<string, string>
    assert.equal(sent['chat_id'], '-100123')
    assert.equal(sent['parse_mode'], 'HTML')
    assert.ok(sent['text']!.includes('&lt;b&gt;5 &lt; 6&lt;/b&gt; &amp; &quot;so on&quot;'))
    assert.ok(sent['text']!.includes('<a href="https://t.me/gales/1">'))
  })

  test('names the source of a forward, as the plain text does', async () => {
    const source = { name: 'First & last', username: 'first', postUrl: null, author: null }
    const message = await messageOf(['not ours'], 'post', source)
    const [first] = htmlMessages(message)
    assert.match(first!.text, /<\/a>\nforwarded from First &amp; last\nnot ours$/)
    const quoted = { ...source, name: '"'.repeat(200) }
    const [long] = htmlMessages(await messageOf(['&'.repeat(9_000)], 'post', quoted))
    assert.ok(long!.text.length <= 4096 - 600, 'and the channel’s own name may be as long')
    assert.match(textOf(message), /\(@gales\)\nforwarded from First & last\nnot ours\nhttps:/)
    assert.doesNotMatch(textOf(await messageOf(['ours'])), /forwarded/)
  })

  test('sends two messages at a time to a platform that would take more', async () => {
    const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url))
    tls.setDefaultCACertificates([...tls.getCACertificates(), `${pem('ca.pem')}`])
    let waiting = 0
    let most = 0
    const given = { allowHTTP1: true, key: pem('server.key'), cert: pem('server.pem') }
    const server = createSecureServer(given, (request, response) => {
      most = Math.max(most, ++waiting)
      request.resume()
      setTimeout(() => {
        waiting--
        response.end('{"ok":true}')
      }, 20)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const message = await messageOf(['one'])
    {
      await using bot = createTelegramBot({ origin, token: TOKEN })
      const sent = Array.from({ length: 8 }, () => bot.send(toChat, message, never))
      for (const { kind } of await Promise.all(sent)) assert.equal(kind, 'sent')
    }
    server.close()
    assert.equal(most, 2)
  })

  test('reports waits, refusals and failures without revealing its token', async () => {
    await using receiver = await startReceiver()
    await using bot = createTelegramBot({ origin: receiver.url, token: TOKEN })
    const message = await messageOf(['one'])
    answer(receiver, 429, { ok: false, parameters: { retry_after: 7 } })
    const told = [await bot.send(toChat, message, never)]
    assert.deepEqual(told[0], { kind: 'failed', detail: 'status 429', retryAfterMs: 7_000 })
    answer(receiver, 403, { ok: false, description: 'Forbidden: bot was kicked' })
    told.push(await bot.send(toChat, message, never))
    assert.equal(told[1]!.kind, 'gone')
    answer(receiver, 400, { ok: false, description: 'Bad Request: chat not found' })
    told.push(await bot.send(toChat, message, never))
    receiver.answer = () => {}
    await using hasty = createTelegramBot({ origin: receiver.url, token: TOKEN, timeoutMs: 300 })
    told.push(await hasty.send(toChat, message, never))
    receiver.answer = (response) => response.destroy()
    told.push(await bot.send(toChat, message, never))
    assert.deepEqual(
      told.slice(2).map(({ kind }) => kind),
      ['failed', 'failed', 'failed'],
    )
    assert.ok(!JSON.stringify(told).includes('not-to-be-told'))
    await using none = createTelegramBot({ origin: receiver.url, token: null })
    assert.match(JSON.stringify(await none.send(toChat, message, never)), /BOT_TOKEN_FILE/)
  })

  test('splits a digest into messages within the length limit, and leaves no post out', async () => {
    const [long] = htmlMessages(await messageOf(['&'.repeat(9_000)]))
    assert.ok(long!.text.length <= 4096)
    const texts = Array.from({ length: 100 }, (_, i) => `${i} ${'🌪'.repeat(200)}`)
    const digest = htmlMessages(await messageOf(texts)).map(({ text }) => text)
    assert.ok(
      digest.length > 1 && digest.every((text) => text.length <= 4096 && text.isWellFormed()),
    )
    for (let i = 1; i <= 100; i++) {
      assert.ok(
        digest.some((text) => text.includes(`"https://t.me/gales/${i}"`)),
        String(i),
      )
    }
  })
  test('resumes a digest after a failure where it stopped', async () => {
    await using receiver = await startReceiver()
    await using bot = createTelegramBot({ origin: receiver.url, token: TOKEN })
    const digest = await messageOf(
      Array.from({ length: 60 }, (_, i) => `${i} ${'wind '.repeat(60)}`),
    )
    let room = 2
    receiver.answer = (response) =>
      room-- > 0
        ? response.end(JSON.stringify({ ok: true }))
        : response.writeHead(429).end(JSON.stringify({ ok: false }))
    assert.equal((await bot.send(toChat, digest, never)).kind, 'failed')
    room = 100
    // One post that was sent and one that was not are gone meanwhile.
    const items = digest.items.filter((_, i) => i !== 0 && i !== 59)
    assert.equal((await bot.send(toChat, { ...digest, items }, never)).kind, 'sent')
    const taken = receiver.received.map(({ body }) => body)
    const isRefused = (i: number) => i === 2
    const told = (number: number) =>
      taken.filter((body, i) => !isRefused(i) && body.includes(`gales/${number}\\"`)).length
    assert.deepEqual(
      Array.from({ length: 60 }, (_, i) => told(i + 1)),
      [...Array<number>(59).fill(1), 0],
    )
    const before = receiver.received.length
    await bot.send(toChat, digest, never)
    assert.ok(receiver.received.length > before + 2, 'asked for again, it is told as a whole')
  })
})
