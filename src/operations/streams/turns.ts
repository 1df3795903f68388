/** So many work at a time; the others wait in line. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>
}

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let working = 0

  return {
    async take(work) {
      if (working < atOnce) working++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else working--
      }
    },
  }
}
