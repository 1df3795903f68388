import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/model/clock.ts'
import { localCall } from '../../src/cli/ask.ts'
import { TYPED_CATALOGUE } from '../../src/operations/catalogue.ts'
import { openIndexWriter } from '../../src/search/open-search-index.ts'
import {
  addChannel,
  samplePost,
  sampleProfile,
  sampleReading,
} from '../../src/store/contract/samples.ts'
import { engines, whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { createPlainIndexer } from '../plain-indexer.ts'

/** Reports the types of passing messages; the first message of a client has none. */
function createReader(onType: (type: string) => void, isClient: boolean) {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = isClient
  return (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const head = isFirst ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      if (!isFirst) onType(String.fromCharCode(rest[0]!))
      isFirst = false
      rest = rest.subarray(length)
    }
  }
}

const DELAY_MS = 20

/**
 * A proxy in front of a database that counts how often somebody waits for it: everything asked at the same time is one wait.
 */
async function openCounter(url: URL) {
  const sockets = new Set<Socket>()
  let waits = 0
  let asked = 0
  const server = createServer((client) => {
    const behind = connect(Number(url.port), url.hostname)
    for (const socket of [client, behind]) sockets.add(socket.on('error', () => {}))
    // Sync or a simple query asks, and ReadyForQuery answers.
    const readClient = createReader((type) => {
      if ((type === 'S' || type === 'Q') && asked++ === 0) waits++
    }, true)
    const readServer = createReader((type) => {
      if (type === 'Z') asked = Math.max(0, asked - 1)
    }, false)
    client.on('data', (data) => {
      readClient(data)
      behind.write(data)
    })
    behind.on('data', (data) => {
      // Delayed, or the first of several concurrent questions might be answered before the last is asked.
      setTimeout(() => {
        readServer(data)
        client.write(data)
      }, DELAY_MS)
    })
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: String((server.address() as AddressInfo).port),
    take() {
      const taken = waits
      waits = 0
      return taken
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

type Name = Exclude<keyof typeof TYPED_CATALOGUE, 'get_live_channel'>

/** Two channels, so that nothing of the second is cached from the first. */
const ONE = 'first_one'
const OTHER = 'second_one'
const channels = [{ username: ONE }, { username: OTHER }] as const
const posts = [
  { username: ONE, slug: '2' },
  { username: OTHER, slug: '2' },
] as const
const same = [{}, {}] as const

/** The first input, the second, and how often the second may wait for the store. */
const MOST: Readonly<Record<Name, readonly [first: object, then: object, waits: number]>> = {
  search_posts: [{ q: 'post 1' }, { q: 'post 2' }, 3],
  list_channels: [{ q: 'first' }, { q: 'second' }, 2],
  get_channel: [...channels, 4],
  list_channel_posts: [...channels, 3],
  get_post: [...posts, 4],
  get_spread: [...posts, 4],
  list_changes: [...same, 2],
  // It reads the post again after its versions.
  get_evidence: [...posts, 6],
  suggest: [{ q: 'fir' }, { q: 'sec' }, 2],
  list_languages: [...same, 2],
  get_meta: [...same, 3],
  get_status: [...same, 3],
}

test(
  'every operation stays within its number of round trips to PostgreSQL',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    await using pair = await openPair({ store: 'postgres', index: null })
    using counter = await openCounter(new URL(engines().databaseUrl))
    const url = new URL(pair.env['TELEGREP_DATABASE_URL']!)
    url.port = counter.port
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-trips-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const env = { ...pair.env, TELEGREP_DATABASE_URL: url.href, TELEGREP_DATA: folder }
    const { config, secrets } = readConfig({ ...env, TELEGREP_LOG: 'silent' })
    await using app = await createApp(config, secrets)
    const { store } = app
    for (const name of [ONE, OTHER]) {
      const { id } = await addChannel(store, name, Date.now())
      const publishedAt = Date.now() - 60_000
      const posts = [1, 2, 3].map((number) => samplePost(number, { publishedAt }))
      const profile = sampleProfile(name)
      await store.archive.record(sampleReading(id, { at: Date.now(), profile, posts }))
    }
    await using writer = await openIndexWriter(config.index, systemClock)
    await createPlainIndexer({ store, writer, clock: systemClock }).drain()

    const call = localCall(new AbortController().signal)
    const ask = (name: keyof typeof TYPED_CATALOGUE, input: object) =>
      TYPED_CATALOGUE[name].invoke(app.context, input, call)
    for (const [name, [first, then, most]] of Object.entries(MOST)) {
      // The first call opens connections and prepares statements.
      await ask(name as Name, first)
      counter.take()
      await ask(name as Name, then)
      const waits = counter.take()
      t.diagnostic(`${name}: ${waits}`)
      assert.ok(waits <= most, `${name} waited ${waits} times`)
    }
  },
)
