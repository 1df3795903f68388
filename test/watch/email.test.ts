import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { createMail, type MailServer } from '../../src/watch/email.ts'
import { messageOf, watchWith } from './samples.ts'

const never = new AbortController().signal
const toDesk = watchWith({ email: { to: 'desk@example.org' } })

interface Mail {
  readonly from: string
  readonly to: string[]
  readonly text: string
  readonly isEncrypted: boolean
}

interface MailBox extends AsyncDisposable {
  readonly server: MailServer
  readonly mails: Mail[]
}

function pem(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8')
}

interface BoxOptions {
  readonly refuse?: number
  readonly tls?: { readonly key: string; readonly cert: string }
}

async function startMailBox({ refuse, tls }: BoxOptions = {}): Promise<MailBox> {
  const mails: MailBox['mails'] = []
  const server = new SMTPServer({
    ...(tls ?? { hideSTARTTLS: true, allowInsecureAuth: true }),
    onAuth(auth, _session, done) {
      const isRight = auth.username === 'telegrep' && auth.password === 'right'
      done(isRight ? null : new Error('no'), isRight ? { user: 'telegrep' } : undefined)
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        if (refuse !== undefined)
          return done(Object.assign(new Error('busy'), { responseCode: refuse }))
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : (mailFrom?.address ?? ''),
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(pieces).toString(),
          isEncrypted: session.secure,
        })
        return done()
      })
    },
    logger: false,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  const from = 'Telegrep <watch@example.org>'
  const access = { user: 'telegrep', password: 'right', ca: tls ? pem('ca.pem') : null }
  return {
    mails,
    server: { host: 'localhost', port, isTls: false, from, ...access },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

describe('e-mail', () => {
  test('is sent to a real SMTP server, with a password', async () => {
    await using box = await startMailBox()
    await using mail = createMail({ server: box.server })
    const message = await messageOf(['Ветер 20 м/с', 'второй'])
    const result = await mail.send(toDesk, message, never)
    assert.deepEqual(result, { kind: 'sent', detail: 'to desk@example.org' })
    const [got] = box.mails
    assert.equal(got?.from, 'watch@example.org')
    assert.deepEqual(got.to, ['desk@example.org'])
    assert.match(got.text, /^Message-ID: <msg_1_2_abc@example\.org>/im)
    assert.match(got.text, /^Auto-Submitted: auto-generated/im)
    assert.match(got.text, /^Subject: storms: 2 posts/im)
    const body = got.text.slice(got.text.indexOf('\r\n\r\n'))
    assert.match(Buffer.from(body, 'base64').toString(), /Ветер 20 м\/с\nhttps:\/\/t\.me\/gales\/1/)
  })

  test('is sent over STARTTLS to a server with a trusted certificate, and to no other', async () => {
    await using box = await startMailBox({
      tls: { key: pem('server.key'), cert: pem('server.pem') },
    })
    await using mail = createMail({ server: box.server })
    const message = await messageOf(['one'])
    assert.equal((await mail.send(toDesk, message, never)).kind, 'sent')
    assert.equal(box.mails[0]?.isEncrypted, true)
    await using wary = createMail({ server: { ...box.server, ca: pem('other-ca.pem') } })
    assert.equal((await wary.send(toDesk, message, never)).kind, 'failed')
    assert.equal(box.mails.length, 1)
  })

  test("that is refused is reported with the server's code, without the password", async () => {
    await using box = await startMailBox({ refuse: 451 })
    const message = await messageOf(['one'])
    await using mail = createMail({ server: box.server })
    assert.deepEqual(await mail.send(toDesk, message, never), {
      kind: 'failed',
      detail: 'answered 451',
    })
    await using wrong = createMail({ server: { ...box.server, password: 'wrong-secret' } })
    assert.deepEqual(await wrong.send(toDesk, message, never), {
      kind: 'failed',
      detail: 'answered 535',
    })
    await using none = createMail({ server: null })
    assert.match(JSON.stringify(await none.send(toDesk, message, never)), /TELEGREP_SMTP_URL/)
  })
})
