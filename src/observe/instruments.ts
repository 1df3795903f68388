/** Counters, gauges and histograms with labels, and their output in Prometheus' text format. */

/** A value for each label of an instrument; no argument when it has no labels. */
type Labels<L extends string> = [L] extends [never] ? [] : [labels: Readonly<Record<L, string>>]

interface Declared {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

interface Instrument extends Declared {
  /** Its lines, with HELP and TYPE. */
  text(): string
}

export interface Counter<L extends string = never> extends Instrument {
  inc(more: number, ...labels: Labels<L>): void
}

export interface Gauge<L extends string = never> extends Instrument {
  set(value: number, ...labels: Labels<L>): void
  /** Has no value until it is set again. */
  forget(): void
}

export interface Histogram<L extends string = never> extends Instrument {
  observe(value: number, ...labels: Labels<L>): void
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function createCounter<L extends string = never>(
  name: string,
  help: string,
  ...labels: readonly L[]
): Counter<L> {
  const declared = { kind: 'counter', name, help, labels } as const
  const series = createSeries(declared)
  return {
    ...declared,
    inc: (more, ...given) => series.set(given, series.get(given) + more),
    text: series.text,
  }
}

export function createGauge<L extends string = never>(
  name: string,
  help: string,
  ...labels: readonly L[]
): Gauge<L> {
  const declared = { kind: 'gauge', name, help, labels } as const
  const series = createSeries(declared)
  return {
    ...declared,
    set: (value, ...given) => series.set(given, value),
    forget: series.clear,
    text: series.text,
  }
}

/** Counts the values up to each of the bounds, which ascend. */
export function createHistogram<L extends string = never>(
  bounds: readonly number[],
  name: string,
  help: string,
  ...labels: readonly L[]
): Histogram<L> {
  const declared = { kind: 'histogram', name, help, labels } as const
  const observed = new Map<string, { readonly counts: number[]; count: number; sum: number }>()
  return {
    ...declared,
    observe(value, ...given) {
      const key = written(labels, given)
      let seen = observed.get(key)
      if (!seen) observed.set(key, (seen = { counts: bounds.map(() => 0), count: 0, sum: 0 }))
      seen.count++
      seen.sum += value
      const at = bounds.findIndex((bound) => value <= bound)
      if (at >= 0) seen.counts[at]!++
    },
    text() {
      const lines = [...observed].flatMap(([key, { counts, count, sum }]) => {
        let upTo = 0
        const buckets = bounds.map((bound, i) =>
          line(`${name}_bucket`, [key, le(bound)], (upTo += counts[i]!)),
        )
        return [
          ...buckets,
          line(`${name}_bucket`, [key, le('+Inf')], count),
          line(`${name}_sum`, [key], sum),
          line(`${name}_count`, [key], count),
        ]
      })
      return head(declared) + lines.join('')
    },
  }
}

function createSeries(declared: Declared) {
  const { name, labels } = declared
  // Without labels the series starts at 0: a counter that first appears at 1 shows no increase.
  const values = new Map<string, number>(labels.length === 0 ? [['', 0]] : [])
  return {
    get: (given: Given) => values.get(written(labels, given)) ?? 0,
    set: (given: Given, value: number) => void values.set(written(labels, given), value),
    clear: () => values.clear(),
    text: () =>
      head(declared) + [...values].map(([key, value]) => line(name, [key], value)).join(''),
  }
}

function head({ kind, name, help }: Declared): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`
}

function line(name: string, labels: readonly string[], value: number): string {
  const given = labels.filter((each) => each !== '').join(',')
  return `${name}${given && `{${given}}`} ${value}\n`
}

type Given = readonly Readonly<Record<string, string>>[]

function written(names: readonly string[], [labels = {}]: Given): string {
  return names.map((name) => `${name}=${quoted(labels[name] ?? '')}`).join(',')
}

const le = (bound: number | string) => `le="${bound}"`

function quoted(value: string): string {
  return `"${value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`
}
