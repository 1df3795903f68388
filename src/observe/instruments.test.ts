import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounter, createGauge, createHistogram } from './instruments.ts'
import { createMetrics, declareMetrics } from './metrics.ts'

const about = ['things', 'things that happened'] as const

test('a counter without labels is shown as 0 before anything was counted', () => {
  const counter = createCounter(...about)
  assert.equal(
    counter.text(),
    '# HELP things things that happened\n# TYPE things counter\nthings 0\n',
  )
  counter.inc(2)
  counter.inc(0.5)
  assert.match(counter.text(), /^things 2\.5\n$/m)
})

test('each set of labels is counted separately, and special characters in values are escaped', () => {
  const counter = createCounter(...about, 'how', 'where')
  assert.doesNotMatch(counter.text(), /^things/m)
  counter.inc(1, { how: 'a "b"', where: 'c\\d\ne' })
  counter.inc(1, { where: 'c\\d\ne', how: 'a "b"' })
  counter.inc(1, { how: 'x', where: 'y' })
  assert.deepEqual(counter.text().match(/^things.*$/gm), [
    'things{how="a \\"b\\"",where="c\\\\d\\ne"} 2',
    'things{how="x",where="y"} 1',
  ])
})

test('a forgotten gauge is not shown until it is set again', () => {
  const gauge = createGauge(...about)
  gauge.set(7)
  gauge.forget()
  assert.doesNotMatch(gauge.text(), /^things/m)
  gauge.set(3)
  assert.match(gauge.text(), /^things 3$/m)
})

test('a histogram counts how many values are at most each bound', () => {
  const histogram = createHistogram([1, 5], ...about, 'how')
  for (const value of [0.5, 1, 3, 9]) histogram.observe(value, { how: 'x' })
  assert.deepEqual(histogram.text().match(/^things.*$/gm), [
    'things_bucket{how="x",le="1"} 2',
    'things_bucket{how="x",le="5"} 3',
    'things_bucket{how="x",le="+Inf"} 4',
    'things_sum{how="x"} 13.5',
    'things_count{how="x"} 4',
  ])
})

test('every line of all metrics is valid for Prometheus', () => {
  const metrics = createMetrics()
  metrics.requests.inc(1, { operation: 'search', status: '200' })
  metrics.requestSeconds.observe(0.02, { operation: 'search' })
  metrics.text()
  const lines = metrics.text().trimEnd().split('\n')
  const sample =
    /^[a-z_]\w*(\{[a-z]+="(?:[^"\\\n]|\\.)*"(,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? [\d.e+-]+$/
  for (const line of lines.filter((each) => !each.startsWith('#'))) assert.match(line, sample)
  const typed = lines.flatMap(
    (line) => /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)?.[1] ?? [],
  )
  for (const { name } of Object.values(declareMetrics())) assert.ok(typed.includes(name), name)
  assert.equal(new Set(typed).size, typed.length)
  assert.ok(typed.includes('process_resident_memory_bytes'))
})

test('forgetGauges forgets every gauge and no counter', () => {
  const metrics = createMetrics()
  metrics.shed.inc(1)
  metrics.watches.set(3)
  metrics.channels.set(2, { status: 'active' })
  metrics.forgetGauges()
  assert.deepEqual(
    metrics
      .text()
      .match(/^telegrep_.*$/gm)
      ?.filter((line) => !line.endsWith(' 0')),
    ['telegrep_requests_shed_total 1'],
  )
})
