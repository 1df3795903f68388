import { isIPv4 } from 'node:net'
import type { Transporter } from 'nodemailer'
import { subjectOf, textOf } from './message.ts'
import type { Sender } from './sender.ts'

/** Sends mail by SMTP. A connection to any host but this one is encrypted, or it is not made. */

interface MailOptions {
  /** Null when none is configured. */
  readonly server: MailServer | null
  readonly timeoutMs?: number
}

export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte on; otherwise STARTTLS. */
  readonly isTls: boolean
  readonly user: string | null
  readonly password: string | null
  readonly from: string
  /** Certificate authorities in PEM; null for those the system trusts. */
  readonly ca: string | null
}

const TIMEOUT_MS = 20_000
const MAX_OF_POST = 4_000

export function createMail({
  server,
  timeoutMs = TIMEOUT_MS,
}: MailOptions): Sender & AsyncDisposable {
  let transport: Transporter | undefined
  const open = async ({ host, port, isTls, user, password, ca }: MailServer) => {
    if (transport) return transport
    // Loaded for the first mail only: most services send none.
    const { createTransport } = await import('nodemailer')
    transport = createTransport({
      host,
      port,
      secure: isTls,
      requireTLS: !isTls && !isThisHost(host),
      // A server on this host rarely has a certificate that anybody has signed.
      ignoreTLS: !isTls && isThisHost(host) && ca === null,
      ...(ca === null ? {} : { tls: { ca } }),
      ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return transport
  }
  return {
    async send({ sinks: { email } }, message) {
      if (!email) return { kind: 'gone', detail: 'the watch has no address any more' }
      if (!server) return { kind: 'failed', detail: 'TELEGREP_SMTP_URL is not set' }
      const [, host = 'telegrep'] = server.from.replace(/>$/, '').split('@')
      try {
        const opened = await open(server)
        await opened.sendMail({
          from: server.from,
          to: email.to,
          subject: subjectOf(message),
          text: textOf(message, MAX_OF_POST),
          textEncoding: 'base64',
          messageId: `<${message.id}@${host}>`,
          // Keeps auto-responders from replying.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { kind: 'sent', detail: `to ${email.to}` }
      } catch (error) {
        const { responseCode, code } = error as { responseCode?: number; code?: string }
        const detail = responseCode === undefined ? (code ?? 'failed') : `answered ${responseCode}`
        return { kind: 'failed', detail }
      }
    },
    async [Symbol.asyncDispose]() {
      transport?.close()
    },
  }
}

function isThisHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
