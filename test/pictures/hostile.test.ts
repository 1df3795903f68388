import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { lookup } from 'node:dns'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createPictureKeeper } from '../../src/crawl/picture-keeper.ts'
import { systemClock } from '../../src/model/clock.ts'
import { makeMedia } from '../../src/model/post.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { addChannel, sampleReading } from '../../src/store/contract/samples.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openPictureFiles } from '../../src/store/picture-files.ts'
import type { PictureSource } from '../../src/telegram/picture-source.ts'
import { createWebPictureSource } from '../../src/telegram/web-picture-source.ts'
import { publicLookup, type Resolve } from '../../src/watch/private-address.ts'
import { GOOD, HOSTILE, startHostileHost } from './hostile-host.ts'
import { UNHEARD_PICTURES } from '../unheard-events.ts'

const CDN = 'https://cdn4.telesco.pe/file'
const MAX_BYTES = 100_000
const PATIENT = { headersMs: 30_000, bodyMs: 30_000, totalMs: 60_000 }
/** For responses that never end; one that is slow only because the machine is busy must not be cut off. */
const IMPATIENT = { headersMs: 300, bodyMs: 300, totalMs: 700 }
const SLOW = /\/(?:drip|silent)\./

function sourceAt(origin: string | null, resolve: Resolve = lookup as Resolve): PictureSource {
  const [patient, impatient] = [PATIENT, IMPATIENT].map((timeouts) =>
    createWebPictureSource({
      userAgent: 'telegrep/test',
      maxBytes: MAX_BYTES,
      now: () => systemClock.now(),
      origin,
      timeouts,
      lookup: publicLookup(resolve),
    }),
  ) as [PictureSource, PictureSource]
  return {
    picture: (url, signal) => (SLOW.test(url) ? impatient : patient).picture(url, signal),
    async [Symbol.asyncDispose]() {
      await Promise.all([patient, impatient].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

describe('a hostile file host', () => {
  test('gets nothing stored, and a valid picture beside it is kept', async () => {
    await using owned = new AsyncDisposableStack()
    const host = owned.use(await startHostileHost())
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-hostile-'))
    owned.defer(() => rmSync(folder, { recursive: true, force: true }))
    const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
    const store = owned.use(await openStore({ kind: 'sqlite', folder, retention }))
    const files = openPictureFiles(join(folder, 'media'))
    const { id } = await addChannel(store, 'hostile_files')
    const names = [...Object.keys(HOSTILE), 'good']
    const at = systemClock.now()
    const posts = names.map((name, i) =>
      makePost({
        number: i + 1,
        publishedAt: at - 1000,
        media: [makeMedia('photo', { url: `${CDN}/${name}.jpg`, fileId: name })],
      }),
    )
    await store.archive.record(sampleReading(id, { at, posts }))
    const keeper = createPictureKeeper({
      store,
      files,
      source: owned.use(sourceAt(host.url)),
      limits: { pictureBytes: MAX_BYTES, dayBytes: 1e8, bytes: 1e8 },
      ratePerS: 1000,
      clock: systemClock,
      isClockWrong: () => false,
      owner: 'test',
      events: UNHEARD_PICTURES,
    })
    const { signal } = new AbortController()
    for (let i = 0; i < names.length; i++) {
      if ((await keeper.round(signal)) === 0) break
    }
    const refs = posts.map(({ number }) => ({ channelId: id, number }))
    const kept = await store.pictures.of(refs)
    assert.deepEqual(
      kept.map(({ number }) => names[number - 1]),
      ['good'],
    )
    assert.deepEqual(await files.read(kept[0]!.file.sha256), GOOD)
    const parts = readdirSync(files.folder)
    assert.equal(parts.flatMap((part) => readdirSync(join(files.folder, part))).length, 1)
    const asked = (name: string) => host.asked.filter((path) => path.includes(`/${name}.`)).length
    for (const name of names) assert.equal(asked(name), 1, `${name} was asked for once`)
    const { bytes, files: count } = await store.pictures.totals(0)
    assert.deepEqual([bytes, count], [GOOD.length, 1])
  })

  test('has each attack classified as failed, gone or refused', async () => {
    await using host = await startHostileHost()
    await using source = sourceAt(host.url)
    const kinds: Record<string, string> = {}
    for (const name of Object.keys(HOSTILE)) {
      const outcome = await source.picture(`${CDN}/${name}.jpg`)
      assert.ok(outcome.read <= MAX_BYTES + 65_536, `${name} read ${outcome.read}`)
      kinds[name] = outcome.kind
    }
    const failed = ['redirect', 'redirect-private', 'redirect-with-picture', 'drip', 'silent']
    failed.push('cut-short', 'huge-header', 'partial')
    for (const [name, kind] of Object.entries(kinds)) {
      const wanted = failed.includes(name)
        ? 'failed'
        : name === 'endless-refusal'
          ? 'gone'
          : 'refused'
      assert.equal(kind, wanted, name)
    }
  })

  test('whose name resolves to a private address is never connected to', async () => {
    // Counted where they leave this process: the platform's port is not ours to listen on.
    let connections = 0
    const hook = createHook({
      init(_id, type) {
        if (type === 'TCPCONNECTWRAP') connections++
      },
    })
    using _counting = { [Symbol.dispose]: () => void hook.disable() }
    hook.enable()
    for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', '::ffff:127.0.0.1']) {
      const family = address.includes(':') ? 6 : 4
      await using source = sourceAt(null, (_host, _options, done) =>
        done(null, [{ address, family }]),
      )
      const outcome = await source.picture(`${CDN}/good.jpg`)
      assert.equal(outcome.kind, 'failed', address)
      assert.match(outcome.kind === 'failed' ? outcome.why : '', /private/, address)
    }
    assert.equal(connections, 0)
    await using host = await startHostileHost()
    await using source = sourceAt(host.url)
    assert.equal((await source.picture(`${CDN}/good.jpg`)).kind, 'picture')
    assert.equal(connections, 1, 'a connection would have been counted')
  })

  test("that is not the platform's is never requested", async () => {
    await using host = await startHostileHost()
    await using source = sourceAt(host.url)
    for (const url of [
      `${host.url}/file/good.jpg`,
      'http://cdn4.telesco.pe/file/good.jpg',
      'https://cdn4.telesco.pe:444/file/good.jpg',
      'https://cdn4.telesco.pe.example.com/file/good.jpg',
      'https://127.0.0.1/file/good.jpg',
      'file:///etc/passwd',
    ]) {
      assert.equal((await source.picture(url)).kind, 'refused', url)
    }
    assert.deepEqual(host.asked, [])
  })
})
