import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/**
 * One function per thing that happens: its log line and its metrics together. The parts of the program each declare the
 * few events they tell; this object has them all. Never a query, a key or an address.
 */
export function createEvents(log: Logger, metrics: Metrics) {
  return {
    requestServed(event: {
      requestId: string
      operation: string
      status: number
      ms: number
      tier: string | null
      format: string | null
    }) {
      metrics.requests.inc({ operation: event.operation, status: String(event.status) })
      metrics.requestSeconds.observe({ operation: event.operation }, event.ms / 1000)
      log.debug({ ...event, ms: Math.round(event.ms * 10) / 10 }, 'request served')
    },
    requestFailed(error: unknown, event: { requestId: string; operation: string }) {
      log.error(
        { err: error, requestId: event.requestId, operation: event.operation },
        'request failed',
      )
    },
    requestShed() {
      metrics.shed.inc()
    },
    toolFailed(error: unknown, tool: string) {
      log.error({ err: error, tool }, 'tool failed')
    },
    started(event: { address: string; crawling: boolean }) {
      log.info(event, 'serving')
    },
    stopped() {
      log.info('stopped')
    },
    workerFailed(error: unknown, worker: string) {
      log.error({ err: error, worker }, 'worker failed')
    },
  }
}
export type Events = ReturnType<typeof createEvents>
