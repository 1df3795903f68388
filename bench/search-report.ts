/** Prints the table of the search benchmark. */
import type { Latency } from './search-latency.ts'
import type { SizeResult } from './search-result.ts'

export function printSize(size: SizeResult): void {
  const { costliest } = size
  console.log(`\n${size.corpus}`)
  console.table({
    'newest, ms (p50 / p95 / p99)': ms(size.newest),
    'newest, asked again, ms': ms(size.newestAgain),
    'relevance, ms': ms(size.relevance),
    'relevance, asked again, ms': ms(size.relevanceAgain),
    ...Object.fromEntries(
      Object.entries(size.relevanceByKind).map(([kind, each]) => [
        `relevance, ${kind}, ms`,
        ms(each),
      ]),
    ),
    [`relevance while ${size.busyPostsPerS} posts/s come in, ms`]: ms(size.busyRelevance),
    ...Object.fromEntries(
      Object.entries(size.rivals).map(([name, each]) => [
        `${name}, ms`,
        `${ms(each)} (${each.times.p50.toFixed(1)}× / ${each.times.p95.toFixed(1)}×)`,
      ]),
    ),
    'costliest query, CPU ms': `${costliest.cpuMs.toFixed(1)} (${costliest.query})`,
    'posts/s put': size.indexPostsPerS ?? '–',
    'bytes a post': size.bytesPerPost,
    'ready after, ms': Math.round(size.readyMs),
    'RSS, MB': Math.round(size.rssMb),
  })
}

function ms({ p50, p95, p99 }: Latency): string {
  return [p50, p95, p99].map((each) => each.toFixed(2)).join(' / ')
}
