import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createCounter, createGauge } from './instruments.ts'

/** The process's use of the machine, under the names that dashboards for Node expect. */
export function createProcessMetrics(): { text(): string } {
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined
  return {
    text() {
      const { heapUsed, heapTotal, external, rss } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const told = [
        counted('process_cpu_seconds_total', 'processor time taken', (user + system) / 1e6),
        gauged('process_start_time_seconds', 'when it began', performance.timeOrigin / 1000),
        gauged('process_resident_memory_bytes', 'memory held', rss),
        gauged('nodejs_heap_size_used_bytes', 'live objects and garbage', heapUsed),
        gauged('nodejs_heap_size_total_bytes', 'room for objects', heapTotal),
        gauged('nodejs_external_memory_bytes', 'bytes outside that room', external),
      ]
      if (delay && delay.count > 0) {
        told.push(
          gauged('nodejs_eventloop_lag_p50_seconds', LAG, delay.percentile(50) / 1e9),
          gauged('nodejs_eventloop_lag_p99_seconds', LAG, delay.percentile(99) / 1e9),
          gauged('nodejs_eventloop_lag_max_seconds', LAG, delay.max / 1e9),
        )
      }
      // Measured only from the first call on: a command whose metrics nobody reads does not need it.
      if (delay) delay.reset()
      else (delay = monitorEventLoopDelay()).enable()
      return told.join('')
    },
  }
}

const LAG = 'how late the event loop came to its work, since last asked'

function gauged(name: string, help: string, value: number): string {
  const gauge = createGauge(name, help)
  gauge.set(value)
  return gauge.text()
}

function counted(name: string, help: string, value: number): string {
  const counter = createCounter(name, help)
  counter.inc(value)
  return counter.text()
}
