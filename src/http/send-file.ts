import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'
import type { ReplyFile } from '../operations/operation.ts'

interface SendLimits {
  /** How many files are sent at once; each holds one or two pieces in memory. */
  readonly maxFiles: number
  /** A reader that does not take a piece within this time is considered gone. */
  readonly maxMs: number
}

const LIMITS: SendLimits = { maxFiles: 64, maxMs: 30_000 }

type Send = (outgoing: ServerResponse, file: ReplyFile, signal: AbortSignal) => Promise<void>

/**
 * Sends files in pieces, each after the reader has taken the one before: a slow reader of a large file takes hardly any
 * memory and does not affect other readers.
 */
export interface FileSender {
  /** Undefined when too many are being sent. The returned function has to be called. */
  begin(): Send | undefined
}

export function createFileSender(clock: Clock, limits: SendLimits = LIMITS): FileSender {
  let sending = 0

  /** Resolves once the reader has taken what was written; rejects when it has gone or takes nothing. */
  async function taken(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
    using late = startDeadline(clock, limits.maxMs)
    await once(outgoing, 'drain', { signal: AbortSignal.any([signal, late.signal]) })
  }

  async function send(
    outgoing: ServerResponse,
    file: ReplyFile,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for await (const piece of file.pieces()) {
        signal.throwIfAborted()
        if (!outgoing.write(piece)) await taken(outgoing, signal)
      }
      outgoing.end()
    } catch {
      // The length was sent, so the reader notices that the end is missing.
      outgoing.destroy()
    } finally {
      sending--
    }
  }

  return {
    begin() {
      if (sending >= limits.maxFiles) return undefined
      sending++
      return send
    },
  }
}
