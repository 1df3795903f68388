import type { Clock } from '../model/clock.ts'
import { createCommands } from './command.ts'
import { createMail, type MailServer } from './email.ts'
import type { Senders } from './sender.ts'
import { createTelegramBot } from './telegram-bot.ts'
import { createWebhooks } from './webhook.ts'

/** The operator's configuration of senders; it contains secrets. */
export interface SenderConfig {
  readonly bot: { readonly origin: string; readonly token: string | null }
  readonly mail: MailServer | null
}

/** All senders; nothing is loaded or connected before it is used. */
export function createSenders(
  config: SenderConfig,
  options: { readonly clock: Clock; readonly userAgent: string },
): Senders & AsyncDisposable {
  const webhook = createWebhooks(options)
  const telegram = createTelegramBot(config.bot)
  const email = createMail({ server: config.mail })
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
