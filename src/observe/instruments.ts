/** Counters, gauges and histograms with labels, and their output in Prometheus' text format. */

/** A value for each label of an instrument; no argument when it has no labels. */
type Labels<L extends string> = [L] extends [never] ? [] : [labels: Readonly<Record<L, string>>]

export interface Counter<L extends string = never> {
  inc(more: number, ...labels: Labels<L>): void
}

export interface Gauge<L extends string = never> {
  set(value: number, ...labels: Labels<L>): void
  /** Has no value until it is set again. */
  forget(): void
}

export interface Histogram<L extends string = never> {
  observe(value: number, ...labels: Labels<L>): void
}

interface Told {
  /** Its lines, with HELP and TYPE. */
  text(): string
}

interface InstrumentOptions {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function createCounter(options: InstrumentOptions): Counter<string> & Told {
  const series = createSeries(options)
  return {
    inc: (more, labels) => series.set(labels, series.get(labels) + more),
    text: () => series.text('counter'),
  }
}

export function createGauge(options: InstrumentOptions): Gauge<string> & Told {
  const series = createSeries(options)
  return {
    set: (value, labels) => series.set(labels, value),
    forget: () => series.clear(),
    text: () => series.text('gauge'),
  }
}

/** Counts the values up to each of the bounds, which ascend. */
export function createHistogram(
  options: InstrumentOptions,
  bounds: readonly number[],
): Histogram<string> & Told {
  const observed = new Map<string, { readonly counts: number[]; count: number; sum: number }>()
  return {
    observe(value, labels) {
      const key = written(options.labels, labels)
      let seen = observed.get(key)
      if (!seen) observed.set(key, (seen = { counts: bounds.map(() => 0), count: 0, sum: 0 }))
      seen.count++
      seen.sum += value
      const at = bounds.findIndex((bound) => value <= bound)
      if (at >= 0) seen.counts[at]!++
    },
    text() {
      const { name } = options
      const lines = [...observed].flatMap(([labels, { counts, count, sum }]) => {
        let upTo = 0
        const buckets = bounds.map((bound, i) =>
          line(`${name}_bucket`, [labels, le(bound)], (upTo += counts[i]!)),
        )
        return [
          ...buckets,
          line(`${name}_bucket`, [labels, le('+Inf')], count),
          line(`${name}_sum`, [labels], sum),
          line(`${name}_count`, [labels], count),
        ]
      })
      return head(options, 'histogram') + lines.join('')
    },
  }
}

function createSeries(options: InstrumentOptions) {
  // Without labels the series starts at 0: a counter that first appears at 1 shows no increase.
  const values = new Map<string, number>(options.labels.length === 0 ? [['', 0]] : [])
  const keyOf = (labels?: Readonly<Record<string, string>>) => written(options.labels, labels)
  return {
    get: (labels?: Readonly<Record<string, string>>) => values.get(keyOf(labels)) ?? 0,
    set: (labels: Readonly<Record<string, string>> | undefined, value: number) =>
      void values.set(keyOf(labels), value),
    clear: () => values.clear(),
    text: (type: string) =>
      head(options, type) +
      [...values].map(([labels, value]) => line(options.name, [labels], value)).join(''),
  }
}

function head({ name, help }: InstrumentOptions, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function line(name: string, labels: readonly string[], value: number): string {
  const given = labels.filter((each) => each !== '').join(',')
  return `${name}${given && `{${given}}`} ${value}\n`
}

function written(names: readonly string[], labels: Readonly<Record<string, string>> = {}): string {
  return names.map((name) => `${name}=${quoted(labels[name] ?? '')}`).join(',')
}

const le = (bound: number | string) => `le="${bound}"`

function quoted(value: string): string {
  return `"${value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`
}
