import type { SinkKind, Watch } from '../model/watch.ts'
import type { Message } from './message.ts'

/** Sends to one kind of sink. It tries once; the caller decides whether to retry. */
export interface Sender {
  /** Rejects only with the signal's reason. */
  send(watch: Watch, message: Message, signal: AbortSignal): Promise<SendResult>
}

export type SendResult =
  | { readonly kind: 'sent'; readonly detail: string }
  | {
      readonly kind: 'failed'
      /** For people; never contains a secret, the path of a URL or the text of a post. */
      readonly detail: string
      /** How long the receiver asks to wait. */
      readonly retryAfterMs?: number
    }
  /** The receiver wants no more messages. */
  | { readonly kind: 'gone'; readonly detail: string }

/** Feeds are polled, so nothing is sent to them. */
type SentKind = Exclude<SinkKind, 'feed'>
export type Senders = Readonly<Record<SentKind, Sender>>
