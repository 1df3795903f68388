import { flood, healthQuantile } from '../../bench/flood.ts'
import type { Asked } from '../../bench/load-client.ts'
import { quantile } from '../../bench/quantile.ts'

const SECONDS = 10
/** A machine that stalls for a moment spoils only one of them. */
const ROUNDS = 3
const MAX_HEALTH_MS = 100

function lists(count: number): Asked {
  const body = Array.from({ length: count }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/list',
  }))
  return { path: '/mcp', body: JSON.stringify(body) }
}

/** Floods over every face: meanwhile a new connection gets the server's health in time. */
export async function proveFloods(options: {
  readonly port: number
  readonly key: string
  readonly searches: readonly string[]
  readonly hold: (isHeld: boolean, what: string) => void
}): Promise<void> {
  const { port, searches, hold } = options
  const keyed = `X-API-Key: ${options.key}\r\n`
  const floods: readonly [string, number, string, readonly Asked[]][] = [
    ['batches of 100 lists over MCP, at the end of the quota', 8, '', [lists(100)]],
    ['batches of 10 lists over MCP, with a key', 8, keyed, [lists(10)]],
    ['lists over MCP, with a key', 512, keyed, [lists(1)]],
    ['searches, at the end of the quota', 512, '', searches],
    ['searches, with a key', 512, keyed, searches],
    ['pictures, no key and no quota', 512, '', [`/media/${'0'.repeat(64)}`]],
    ['documents, pages and /v1/meta', 512, keyed, ['/v1/openapi.json', '/docs', '/v1/meta']],
  ]
  for (const [what, connections, headers, asked] of floods) {
    const p99s: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const flooded = await flood({ port, headers, connections, asked, seconds: SECONDS })
      const p99 = healthQuantile(flooded, 0.99)
      p99s.push(p99)
      console.log(
        `${connections} connections, ${what}: ${JSON.stringify(flooded.figures.statuses)}; ` +
          `/healthz p50 ${healthQuantile(flooded, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${flooded.healthMs.length} new connections`,
      )
    }
    const middle = quantile(p99s, 0.5)
    hold(
      middle <= MAX_HEALTH_MS,
      `/healthz beside it: p99 ${middle.toFixed(1)} ms, the middle of ${ROUNDS}, at most ${MAX_HEALTH_MS}`,
    )
  }
}
