import { addAbortSignal } from 'node:stream'
import type { CommandCall } from './command.ts'

/** The bytes of a pipe or the keyboard. Ctrl-C ends them like the end of the input, so callers have to check the signal. */
export async function* standardInput({ print, signal }: CommandCall): AsyncGenerator<Uint8Array> {
  if (process.stdin.isTTY) print.note('Reading from the terminal; Ctrl-D ends the input.')
  try {
    yield* addAbortSignal(signal, process.stdin)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
