import { randomBytes } from 'node:crypto'
import type { Sinks } from '../model/watch.ts'

/** What may be shown of sinks. The rest is shown only once, when a watch is added. */

export function makeFeedToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Each sink in a few words. The path of a URL is left out: it may be a secret, as with the webhooks of chat services. */
export function describeSinks(sinks: Sinks): Record<string, string> {
  const { webhook, command, telegram, email, feed } = sinks
  return {
    ...(webhook && { webhook: `${new URL(webhook.url).origin}/…` }),
    ...(command && { command: command.argv[0]! }),
    ...(telegram && { telegram: telegram.chat }),
    ...(email && { email: email.to }),
    ...(feed && { feed: 'on' }),
  }
}

export function feedUrl(publicUrl: string, name: string, token: string, ending: string): string {
  return `${publicUrl}/watches/${encodeURIComponent(name)}/${token}.${ending}`
}
