import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLanguageModel } from '../src/language-model.ts'
import { startIndexer } from '../src/indexing/start-indexer.ts'
import { systemClock } from '../src/model/clock.ts'
import { renderPage } from '../src/simulator/render-page.ts'
import { createWorld } from '../src/simulator/world.ts'
import { indexConsumer } from '../src/store/changes.ts'
import { openStore } from '../src/store/open-store.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { parsePage, PARSER_VERSION } from '../src/telegram/parse-page.ts'

export interface IngestFigures {
  readonly posts: number
  readonly pages: number
  /** From the first page until the last post can be found. */
  readonly postsPerS: number
  /** What the thread that parses and archives, and the thread that indexes, could do with a core each. */
  readonly archivedPerCpuS: number
  readonly indexedPerCpuS: number
  /** The slower of the two: what two free cores give. */
  readonly postsPerSOnTwoCores: number
}

interface PageOfChannel {
  readonly username: string
  readonly html: string
}

const CHANNELS = 100
/** Share of the pages that is read before the measurement: a service runs for weeks, so its first seconds do not count. */
const WARM_UP = 0.25
const RETENTION = { deleted: 'redact', versions: 'keep' } as const

/** Sends pages as the platform serves them through parser, archive, language detection and index. */
export async function measureIngest(posts: number): Promise<IngestFigures> {
  const at = systemClock.now()
  const pages = makePages(posts, at)
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-ingest-'))
  try {
    await using store = await openStore({ kind: 'sqlite', folder, retention: RETENTION })
    const { archive } = store
    await using _indexer = await startIndexer({
      store: { kind: 'sqlite', folder, retention: RETENTION },
      index: { kind: 'embedded', folder: join(folder, 'index') },
      languageModel: await readLanguageModel(),
      events: {
        indexed() {},
        rebuilding() {},
        indexDamaged() {},
        workerStandsBy() {},
        workerWaits() {},
        workerFailed(error) {
          throw error
        },
      },
    })
    const ids = new Map<string, number>()
    for (const username of new Set(pages.map((page) => page.username))) {
      const added = await archive.addChannel(username, { at, status: 'queued' })
      if (added.outcome !== 'removed') ids.set(username, added.channel.id)
    }

    async function ingest(some: readonly PageOfChannel[]): Promise<number> {
      let read = 0
      for (const { username, html } of some) {
        const page = parsePage(html, { at })
        await archive.record({
          channelId: ids.get(username)!,
          at,
          capture: 'crawl',
          parserVersion: PARSER_VERSION,
          profile: page.profile,
          posts: page.posts,
          deleted: [],
        })
        read += page.posts.length
      }
      return read
    }
    async function drained(): Promise<void> {
      const consumer = indexConsumer(ANALYZER_VERSION)
      while ((await store.changes.pending(consumer, 1)).count > 0) await systemClock.sleep(20)
    }

    const warm = Math.ceil(pages.length * WARM_UP)
    await ingest(pages.slice(0, warm))
    await drained()
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    const own = process.threadCpuUsage()
    const read = await ingest(pages.slice(warm))
    const archiveCpuS = seconds(process.threadCpuUsage(own))
    await drained()
    const wallS = (performance.now() - startedAt) / 1000
    const indexCpuS = seconds(process.cpuUsage(cpu)) - seconds(process.threadCpuUsage(own))
    return {
      posts: read,
      pages: pages.length - warm,
      postsPerS: Math.round(read / wallS),
      archivedPerCpuS: Math.round(read / archiveCpuS),
      indexedPerCpuS: Math.round(read / indexCpuS),
      postsPerSOnTwoCores: Math.round(read / Math.max(archiveCpuS, indexCpuS)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The pages of each channel from the newest back, one page of each channel in turn, as visits come. */
function makePages(posts: number, at: number): PageOfChannel[] {
  const world = createWorld({
    seed: 'ingest',
    channels: CHANNELS,
    startAt: at,
    days: 28,
    activity: 8,
    steady: true,
  })
  const pages: PageOfChannel[] = []
  let cursors = world.channels.map((channel) => ({ channel, before: null as number | null }))
  for (let made = 0; made < posts && cursors.length > 0;) {
    const next: typeof cursors = []
    for (const { channel, before } of cursors) {
      const username = world.usernameAt(channel, at)
      const request = { before, after: null, around: null, q: null }
      const html = renderPage({ world, channel, requestedName: username, at, request })
      const page = parsePage(html, { at })
      if (page.posts.length === 0) continue
      pages.push({ username, html })
      made += page.posts.length
      if (page.before !== null) next.push({ channel, before: page.before })
    }
    cursors = next
  }
  return pages
}

function seconds({ user, system }: { readonly user: number; readonly system: number }): number {
  return (user + system) / 1e6
}
