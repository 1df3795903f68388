import type { Clock } from '../model/clock.ts'
import { createCommands } from './command.ts'
import { createMail, type MailServer } from './email.ts'
import type { Senders } from './sender.ts'
import { createTelegramBot } from './telegram-bot.ts'
import { createWebhooks } from './webhook.ts'

/** What the operator configured for telling; secrets are in it. */
export interface TellingWays {
  readonly bot: { readonly origin: string; readonly token: string | null }
  readonly mail: MailServer | null
}

/** All ways to tell; nothing is loaded or connected to before it is used. */
export function createSenders(
  ways: TellingWays,
  options: { readonly clock: Clock; readonly userAgent: string },
): Senders & AsyncDisposable {
  const webhook = createWebhooks(options)
  const telegram = createTelegramBot(ways.bot)
  const email = createMail({ server: ways.mail })
  return {
    webhook,
    command: createCommands(),
    telegram,
    email,
    async [Symbol.asyncDispose]() {
      await Promise.all([webhook, telegram, email].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
