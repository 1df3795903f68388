import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'
import type { ReplyFile } from '../operations/operation.ts'

interface SendLimits {
  /** So many are on their way at once; each holds a piece or two of its file. */
  readonly maxFiles: number
  /** A reader who does not take a piece in this time has gone. */
  readonly maxMs: number
}

const LIMITS: SendLimits = { maxFiles: 64, maxMs: 30_000 }

type Send = (outgoing: ServerResponse, file: ReplyFile, signal: AbortSignal) => Promise<void>

/**
 * Sends files piece by piece, each once the reader has taken the one before: a slow reader of a large file holds hardly any
 * memory, and takes nothing from other readers.
 */
export interface FileSender {
  /** Undefined where too many are on their way. What is given back has to be called. */
  begin(): Send | undefined
}

export function createFileSender(clock: Clock, limits: SendLimits = LIMITS): FileSender {
  let sending = 0

  /** Resolves once the reader has taken what was written; rejects where he has gone, or takes nothing. */
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
      // Its length was told: whoever still reads sees that the end is missing.
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
