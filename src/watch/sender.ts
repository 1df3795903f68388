import type { SinkKind, Watch } from '../model/watch.ts'
import type { Message } from './message.ts'

/** Sends to one kind of sink. It tries once; who calls it decides what becomes of a failure. */
export interface Sender {
  /** Never rejects but with the signal's reason. */
  send(watch: Watch, message: Message, signal: AbortSignal): Promise<SendResult>
}

export type SendResult =
  | { readonly kind: 'sent'; readonly detail: string }
  | {
      readonly kind: 'failed'
      /** For people; without a secret, an address's path or a post's words. */
      readonly detail: string
      /** How long the receiver asks to be left alone. */
      readonly retryAfterMs?: number
    }
  /** The receiver wants nothing more. */
  | { readonly kind: 'gone'; readonly detail: string }

/** A feed is asked for, and never sent to. */
type SentKind = Exclude<SinkKind, 'feed'>
export type Senders = Readonly<Record<SentKind, Sender>>
