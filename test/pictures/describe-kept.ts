import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readZip } from '../../src/evidence/zip.ts'
import { startService, type Service } from '../start-service.ts'
import { until } from '../until.ts'

interface Hit {
  readonly id: string
  readonly channel: { readonly username: string; readonly avatar?: { readonly sha256?: string } }
  readonly media: {
    readonly thumbnail?: { readonly url: string; readonly sha256: string; readonly width: number }
  }
}

/** The whole program, keeping the pictures of a simulated platform. */
export function describeKept(
  title: string,
  options: {
    readonly skip?: string | false
    readonly engines?: () => Promise<AsyncDisposable & { readonly env: Record<string, string> }>
  } = {},
): void {
  describe(title, { skip: options.skip ?? false }, () => {
    const owned = new AsyncDisposableStack()
    let service: Service
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${service.url}${path}`, { headers })
    const hits = async (query: string) =>
      ((await (await get(`/v1/search?${query}`)).json()) as { data: Hit[] }).data
    const fileOf = (sha256: string) => join(service.folder, 'media', sha256.slice(0, 2), sha256)

    before(async () => {
      const engines = options.engines && owned.use(await options.engines())
      const world = { seed: 'pictures', channels: 6, days: 3, steady: true }
      const env = { TELEGREP_MEDIA: 'keep', ...engines?.env }
      service = owned.use(await startService({ world, env }))
      await service.settled()
      await until(async () => {
        const { waiting, files } = await service.app.store.pictures.totals(0)
        return files > 0 && waiting === 0
      })
    })
    after(() => owned.disposeAsync())

    test('posts show the kept pictures at an address of our own', async () => {
      const shown = (await hits('has=photo&limit=50')).filter(({ media }) => media.thumbnail)
      assert.ok(shown.length > 0)
      for (const { media } of shown) {
        const { url, sha256, width } = media.thumbnail!
        assert.equal(url, `${service.app.config.publicUrl}/media/${sha256}`)
        assert.equal(width, 320)
        assert.ok(existsSync(fileOf(sha256)))
      }
      assert.ok((await hits('has=photo&limit=50')).some(({ channel }) => channel.avatar?.sha256))
    })

    test('a picture is served with headers that allow nothing but an image', async () => {
      const [hit] = (await hits('has=photo&limit=50')).filter(({ media }) => media.thumbnail)
      const { sha256 } = hit!.media.thumbnail!
      const reply = await get(`/media/${sha256}`)
      assert.equal(reply.status, 200)
      const bytes = Buffer.from(await reply.arrayBuffer())
      assert.equal(bytes.toString('latin1', 1, 4), 'PNG')
      const header = (name: string) => reply.headers.get(name)
      assert.equal(header('content-type'), 'image/png')
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
      assert.match(header('cache-control') ?? '', /^private, max-age=31536000, immutable$/)
      assert.equal(header('content-length'), String(bytes.length))
      const again = await get(`/media/${sha256}`, { 'if-none-match': `"${sha256}"` })
      assert.equal(again.status, 304)
      for (const path of [
        '0'.repeat(64),
        'x',
        `${sha256}0`,
        '..%2f..%2fstore.db',
        sha256.slice(1),
      ]) {
        assert.equal((await get(`/media/${path}`)).status, 404, path)
      }
    })

    test('a hundred requests for a picture at once are all answered', async () => {
      const [hit] = (await hits('has=photo&limit=50')).filter(({ media }) => media.thumbnail)
      const path = `/media/${hit!.media.thumbnail!.sha256}`
      const replies = await Promise.all(Array.from({ length: 100 }, () => get(path)))
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
      for (const reply of replies) await reply.arrayBuffer()
    })

    test('an evidence package contains the picture', async () => {
      const [hit] = (await hits('has=photo&limit=50')).filter(({ media }) => media.thumbnail)
      const [name, slug] = hit!.id.split('/')
      const reply = await get(`/v1/channels/${name}/posts/${slug}/evidence`)
      const entries = readZip(Buffer.from(await reply.arrayBuffer()))
      const { sha256 } = hit!.media.thumbnail!
      const picture = entries.find((entry) => entry.name === `pictures/${sha256}.png`)
      assert.equal(createHash('sha256').update(picture!.bytes).digest('hex'), sha256)
    })

    test('a page shows the picture from our own server only', async () => {
      const [hit] = (await hits('has=photo&limit=50')).filter(({ media }) => media.thumbnail)
      const [name, slug] = hit!.id.split('/')
      const page = await get(`/channels/${name}/posts/${slug}`)
      const policy = page.headers.get('content-security-policy') ?? ''
      assert.match(policy, /img-src 'self'(?:;|$)/, 'and from no other')
      assert.match(
        await page.text(),
        new RegExp(`<img[^>]* src="/media/${hit!.media.thumbnail!.sha256}"`),
      )
    })

    test('removing a channel deletes its files', async () => {
      const found = (await hits('has=photo&limit=50')).filter(({ media }) => media.thumbnail)
      const { username } = found[0]!.channel
      const own = found.filter(({ channel }) => channel.username === username)
      const hashes = own.map(({ media }) => media.thumbnail!.sha256)
      await service.app.store.removals.removeChannel(username, 'asked', Date.now())
      for (const sha256 of hashes) assert.equal((await get(`/media/${sha256}`)).status, 404)
      await until(() => hashes.every((sha256) => !existsSync(fileOf(sha256))))
    })
  })
}
