import { randomBytes } from 'node:crypto'
import type { Sinks } from '../model/watch.ts'

/** What of sinks may be shown: the rest is shown once, when a watch is added. */

export function makeFeedToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Each sink in a few words; an address's path may be a secret, as those of chats are. */
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

export function feedUrl(publicUrl: string, name: string, token: string, ending = 'rss'): string {
  return `${publicUrl}/watches/${encodeURIComponent(name)}/${token}.${ending}`
}
