/** What one search took. */
export interface Taken {
  readonly kind: string
  readonly ms: number
}

export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export function latency(taken: readonly Taken[]): Latency {
  const sorted = taken.map((each) => each.ms).toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export function latencyByKind(taken: readonly Taken[]): Record<string, Latency> {
  const kinds = [...Map.groupBy(taken, (each) => each.kind)]
  return Object.fromEntries(kinds.map(([kind, list]) => [kind, latency(list)]))
}
