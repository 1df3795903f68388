import type { Agent } from 'undici'
import { cutText } from '../model/cut-text.ts'
import { escapeHtml } from '../text/markup.ts'
import { createCache } from '../model/cache.ts'
import { whyFailed } from '../model/network-reasons.ts'
import { LONGEST_WAIT_MS } from '../model/retry-after.ts'
import { sourceOf, type Message, type MessageItem, VERBS, wordsOf } from './message.ts'
import type { Sender, SendResult } from './sender.ts'

/** Sends messages to a chat as the operator's bot. */

interface BotOptions {
  /** `https://api.telegram.org`, or a Bot API server of one's own. */
  readonly origin: string
  /** Null when none is configured. */
  readonly token: string | null
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 15_000
/** The platform's limit for one message, counted without markup. */
const MAX_MESSAGE = 4096
const MAX_WORDS = 3000
const MAX_WORDS_TOGETHER = 150
/** How many digests may be partly sent at a time. */
const REMEMBERED = 1_000

export function createTelegramBot(options: BotOptions): Sender & AsyncDisposable {
  const { origin, token, timeoutMs = TIMEOUT_MS } = options
  let agent: Agent | undefined
  /** The items already sent of incomplete digests, by message id. After a restart a digest is sent again from the start. */
  const begun = createCache<string, Set<string>>({ maxEntries: REMEMBERED })

  async function sendOne(chat: string, text: string, signal: AbortSignal): Promise<SendResult> {
    // Loaded for the first message only: most services send none.
    const undici = await import('undici')
    // With HTTP/2, one connection would carry any number of messages at a time.
    agent ??= new undici.Agent({ connections: 2, allowH2: false, maxResponseSize: 65_536 })
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const reply = await agent.request({
        origin,
        path: `/bot${token}/sendMessage`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          chat_id: chat,
          text,
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
        }),
        signal: AbortSignal.any([signal, limit]),
      })
      return judge(reply.statusCode, (await reply.body.json().catch(() => ({}))) as BotAnswer)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (limit.aborted) return { kind: 'failed', detail: `no answer in ${timeoutMs / 1000} s` }
      // The error's message may contain the URL, and the URL contains the token.
      const { code } = error as { readonly code?: string }
      return { kind: 'failed', detail: code === undefined ? 'the network failed' : whyFailed(code) }
    }
  }

  return {
    async send({ sinks: { telegram } }, message, signal) {
      if (!telegram) return { kind: 'gone', detail: 'the watch has no chat any more' }
      if (token === null) return { kind: 'failed', detail: 'TELEGREP_BOT_TOKEN_FILE is not set' }
      const told = begun.getOrMake(message.id, () => new Set())
      const items = message.items.filter((item) => !told.has(nameOf(item)))
      let result: SendResult = { kind: 'sent', detail: '' }
      for (const { text, holds } of htmlMessages({ ...message, items })) {
        result = await sendOne(telegram.chat, text, signal)
        if (result.kind !== 'sent') return result
        for (const item of holds) told.add(nameOf(item))
      }
      begun.delete(message.id)
      return result
    },
    async [Symbol.asyncDispose]() {
      await agent?.destroy()
    },
  }
}

interface BotAnswer {
  readonly ok?: boolean
  readonly description?: string
  readonly parameters?: { readonly retry_after?: number }
}

function judge(status: number, answer: BotAnswer): SendResult {
  if (status === 200 && answer.ok === true) return { kind: 'sent', detail: 'status 200' }
  const said = cutText(answer.description ?? '', 200)
  const detail = `status ${status}${said === '' ? '' : `: ${said}`}`
  // The bot was blocked or removed from the chat.
  if (status === 403) return { kind: 'gone', detail }
  const after = answer.parameters?.retry_after
  if (typeof after !== 'number' || !(after >= 0)) return { kind: 'failed', detail }
  return { kind: 'failed', detail, retryAfterMs: Math.min(after * 1000, LONGEST_WAIT_MS) }
}

function nameOf({ type, at, post }: MessageItem): string {
  return `${type} ${at} ${post.id}`
}

interface HtmlMessage {
  readonly text: string
  readonly holds: readonly MessageItem[]
}

/** Packs the items into as few messages as possible. */
export function htmlMessages({ watch, items, isDigest }: Message): HtmlMessage[] {
  const head = `<b>${escapeHtml(cutText(watch, 100))}</b>`
  const messages: { text: string; holds: MessageItem[] }[] = []
  for (const item of items) {
    const part = `\n\n${htmlOf(item, isDigest ? MAX_WORDS_TOGETHER : MAX_WORDS)}`
    const last = messages.at(-1)
    // Counted with markup, which is more than the platform counts.
    if (last && last.text.length + part.length <= MAX_MESSAGE) {
      last.text += part
      last.holds.push(item)
    } else {
      messages.push({ text: `${head}${part}`, holds: [item] })
    }
  }
  return messages
}

function htmlOf(item: MessageItem, maxWords: number): string {
  const { post } = item
  const from = escapeHtml('channel' in post ? cutText(post.channel.title, 100) : post.id)
  const title = `${VERBS[item.type]}<a href="${escapeHtml(post.url)}">${from}</a>`
  // Escaping may make it five times as long.
  let words = cutText(wordsOf(post), maxWords)
  while (escapeHtml(words).length > MAX_WORDS) words = cutText(words, Math.floor(words.length / 2))
  return [title, ...[sourceOf(post), words].filter((line) => line !== '').map(escapeHtml)].join(
    '\n',
  )
}
