/** Runs in a process of its own: how soon an existing index answers, and how much memory it takes by then. */
import { openSearchIndex } from '../src/search/open-search-index.ts'
import { createStillClock } from '../src/simulator/clocks.ts'
import { NOW } from './search-clock.ts'

const startedAt = performance.now()
const clock = createStillClock(NOW)
const location = { kind: 'embedded' as const, folder: process.argv[2]!, workers: 1 }
await using index = await openSearchIndex(location, clock)
const { bytes, posts } = await index.state()
const ms = performance.now() - startedAt
console.log(JSON.stringify({ ms, bytes, posts, rssMb: process.memoryUsage().rss / 1e6 }))
