import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { AppError } from '../model/errors.ts'
import type { ReplyFile } from '../operations/operation.ts'

/** A caller that takes its files as fast as they come hardly ever has two at once. */
const MAX_FILES = 8

type Send = (outgoing: ServerResponse, file: ReplyFile, signal: AbortSignal) => Promise<void>

/**
 * Sends files in pieces, each after the reader has taken the one before: a slow reader of a large file takes hardly any
 * memory and does not affect other readers.
 */
export interface FileSender {
  /** Throws `overloaded` while the caller takes many others. The returned function has to be called. */
  begin(callerId: string): Send
}

export function createFileSender(maxFiles = MAX_FILES): FileSender {
  /** How many files each caller is being sent. */
  const sending = new Map<string, number>()

  function end(callerId: string): void {
    const left = sending.get(callerId)! - 1
    if (left > 0) sending.set(callerId, left)
    else sending.delete(callerId)
  }

  return {
    begin(callerId) {
      const count = sending.get(callerId) ?? 0
      if (count >= maxFiles) {
        const detail = `expected at most ${maxFiles} files to be sent to one caller at a time, ask again in a moment`
        throw new AppError('overloaded', detail, { retryAfterS: 10 })
      }
      sending.set(callerId, count + 1)
      return async (outgoing, file, signal) => {
        try {
          for await (const piece of file.pieces()) {
            signal.throwIfAborted()
            if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal })
          }
          outgoing.end()
        } catch {
          // The length was sent, so the reader notices that the end is missing.
          outgoing.destroy()
        } finally {
          end(callerId)
        }
      }
    },
  }
}
