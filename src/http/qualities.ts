/** No genuine header is longer. */
const MAX_CHARS = 1024

/** The values of an `Accept` or `Accept-Encoding`, each with its weight from 0 to 1 (RFC 9110, 12.4.2). */
export function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const parts = header.slice(0, MAX_CHARS).split(',')
  return new Map(
    parts.map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0]
    }),
  )
}

/** The one of ours that the client prefers; the first of ours when it has no preference. */
export function bestOf<T>(ours: readonly T[], qualityOf: (one: T) => number): T | undefined {
  let best: T | undefined
  let bestQuality = 0
  for (const one of ours) {
    const quality = qualityOf(one)
    if (quality > bestQuality) {
      best = one
      bestQuality = quality
    }
  }
  return best
}
