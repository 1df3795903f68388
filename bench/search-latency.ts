import { quantile } from './quantile.ts'

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
  const ms = taken.map((each) => each.ms)
  return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) }
}

export function latencyByKind(taken: readonly Taken[]): Record<string, Latency> {
  const kinds = [...Map.groupBy(taken, (each) => each.kind)]
  return Object.fromEntries(kinds.map(([kind, list]) => [kind, latency(list)]))
}
