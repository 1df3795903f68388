import { addAbortSignal } from 'node:stream'
import type { CommandCall } from './command.ts'

/** What a pipe or the keyboard gives. Ctrl-C ends it as the end of the input does; who asks looks at the signal then. */
export async function* standardInput({ print, signal }: CommandCall): AsyncGenerator<Uint8Array> {
  if (process.stdin.isTTY) print.note('Reading from the terminal; Ctrl-D ends the input.')
  try {
    yield* addAbortSignal(signal, process.stdin)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
