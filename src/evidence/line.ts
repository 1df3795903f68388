import { AppError } from '../model/errors.ts'

/** Runs work when its turn has come, one after the other. */
export type InTurn = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** Throws `overloaded` where so many wait already. Who has gone away meanwhile costs nothing more. */
export function createLine(maxWaiting: number): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  let inLine = 0
  return async (signal, work) => {
    if (inLine > maxWaiting) {
      throw new AppError('overloaded', 'many packages are being made, ask again in a moment', {
        retryAfterS: 2,
      })
    }
    inLine++
    const turn = last.then(() => {
      signal.throwIfAborted()
      return work()
    })
    last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      inLine--
    }
  }
}
