import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createPictureImport } from '../../src/cli/import/import-pictures.ts'
import { systemClock } from '../../src/model/clock.ts'
import { makeMedia, type Post } from '../../src/model/post.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { sampleReading } from '../../src/store/contract/samples.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openPictureFiles } from '../../src/store/picture-files.ts'
import type { Store } from '../../src/store/store.ts'
import { jpegOf, pngOf } from '../pictures/picture-bytes.ts'
import { openTemporary } from '../open-temporary.ts'
import { makeHome, runLine } from './telegrep.ts'

const home = { ...makeHome('telegrep-export-pictures-'), timeoutMs: 300_000 }
const path = (...names: string[]) => join(home.cwd, ...names)
after(() => rmSync(home.cwd, { recursive: true, force: true }))

const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
const at = (name: string) => `https://cdn4.telesco.pe/file/${name}.jpg`
const PICTURES = [pngOf(8, 6, 10), jpegOf(9, 7, 20), pngOf(10, 8, 30)]
/** An album of two, and a link with a picture. */
const POST: Post = makePost({
  number: 5,
  publishedAt: Date.now() - 3_600_000,
  text: 'A tower, a bridge and what somebody wrote of them',
  media: ['tower', 'bridge'].map((fileId) => makeMedia('photo', { url: at(fileId), fileId })),
  linkPreview: {
    url: 'https://news.example/a',
    siteName: null,
    title: 'Towers',
    description: null,
    imageUrl: at('preview'),
  },
})

async function publish(store: Store): Promise<number> {
  const now = Date.now()
  const added = await store.archive.addChannel('album_news', { at: now, status: 'queued' })
  assert.ok(added.outcome !== 'removed')
  const { id } = added.channel
  const words = makePost({ number: 6, publishedAt: POST.publishedAt, text: 'Words alone' })
  await store.archive.record(sampleReading(id, { at: now, posts: [POST, words] }))
  return id
}

before(async () => {
  await using store = await openStore({ kind: 'sqlite', folder: path('data'), retention })
  const files = openPictureFiles(path('data', 'media'))
  await publish(store)
  const due = (await store.pictures.due(Date.now(), 10)).toSorted((a, b) => a.slot - b.slot)
  assert.equal(due.length, PICTURES.length)
  for (const [i, wanted] of due.entries()) {
    const bytes = PICTURES[i]!
    const type = i === 1 ? 'jpeg' : 'png'
    const size = { bytes: bytes.length, width: 8 + i, height: 6 + i }
    await store.pictures.keep(wanted, { sha256: await files.write(bytes), type, ...size }, 1)
  }
})

test('kept pictures are exported and imported with their posts', async () => {
  const out = 'telegrep export --versions --pictures shots --output all.ndjson'
  const back =
    'TELEGREP_MEDIA=keep telegrep import all.ndjson --own --pictures shots --data other --json'
  const again = 'telegrep export --versions --pictures again --output again.ndjson --data other'
  const table = 'telegrep export --pictures shots --output all.csv'
  const ran = await runLine([out, back, again, table].join(' && '), home)
  assert.equal(ran.code, 0, ran.stderr)
  const names = readdirSync(path('shots')).toSorted()
  assert.equal(names.length, PICTURES.length)
  const [post, words] = readFileSync(path('all.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    post.pictures.map((picture: { medium: number | null }) => picture.medium),
    [0, 1, null],
  )
  assert.deepEqual(words.pictures, [])
  for (const [i, { file, sha256 }] of post.pictures.entries()) {
    assert.deepEqual(readFileSync(path('shots', file)), PICTURES[i])
    assert.ok(file.startsWith(sha256))
  }
  const manifest = JSON.parse(readFileSync(path('all.ndjson.manifest.json'), 'utf8'))
  const bytes = PICTURES.reduce((sum, { length }) => sum + length, 0)
  assert.deepEqual(manifest.pictures, { folder: 'shots', files: 3, bytes })
  assert.deepEqual(JSON.parse(ran.stdout).pictures, { kept: 3, left_out: 0 })
  assert.deepEqual(readdirSync(path('again')).toSorted(), names)
  const plain = (text: string) => text.replaceAll(/"language":(?:null|"\w+")/g, '"language":null')
  const [first, second] = ['all', 'again'].map((name) =>
    plain(readFileSync(path(`${name}.ndjson`), 'utf8')),
  )
  assert.equal(second, first)
  assert.ok(readFileSync(path('all.csv'), 'utf8').includes(`${post.pictures[0].file} `))
  const link = await runLine('telegrep import all.ndjson --pictures shots --data third', home)
  assert.equal(link.code, 2)
  assert.match(link.stderr, /needs TELEGREP_MEDIA=keep/)
})

test('a picture folder that cannot be created is reported at once', async () => {
  const line = 'telegrep export --pictures /proc/telegrep/shots --output never.ndjson'
  const ran = await runLine(line, { ...home, timeoutMs: 60_000 })
  assert.equal(ran.code, 1, ran.stderr)
  assert.match(ran.stderr, /^telegrep: ENOENT: .*'\/proc\/telegrep'\n$/)
  assert.ok(!existsSync(path('never.ndjson')))
})

test('an imported file that does not match its line, is no picture, or is too large is left out', async () => {
  await using store = await openTemporary(systemClock, { pictures: true })
  const channelId = await publish(store)
  const folder = path('taken')
  const files = openPictureFiles(folder)
  const good = pngOf(4, 4)
  const hashes: string[] = []
  // First written under their hashes, as an export names them; then some are replaced by something else.
  const texts = [
    good,
    Buffer.from('<svg onload="alert(1)"/>'.repeat(9)),
    pngOf(30_000, 2),
    pngOf(5, 5, 900),
  ]
  for (const bytes of [...texts, pngOf(6, 6)]) hashes.push(await files.write(bytes))
  for (const [i, sha256] of hashes.entries())
    writeFileSync(path(`${sha256}.png`), i === 4 ? good : texts[i]!)
  const limits = { pictureBytes: 500, bytes: 10_000 }
  const options = { rows: store.pictures, files, folder: home.cwd, limits, clock: systemClock }
  const pictures = createPictureImport(options)
  const told = (sha256: string, medium = 0) => ({ medium, file: `${sha256}.png`, sha256 })
  for (const sha256 of [...hashes.slice(1), 'f'.repeat(64)])
    await pictures.take(channelId, POST, [told(sha256)])
  await pictures.take(channelId, POST, [told(hashes[0]!, 7)])
  assert.deepEqual([pictures.taken, pictures.left], [0, 6])
  const full = createPictureImport({ ...options, limits: { pictureBytes: 500, bytes: 10 } })
  await full.take(channelId, POST, [told(hashes[0]!)])
  assert.equal(full.taken, 0, 'no more than is kept at most')
  await pictures.take(channelId, POST, [told(hashes[0]!)])
  assert.equal(pictures.taken, 1)
  const [kept] = await store.pictures.of([{ channelId, number: POST.number }])
  assert.equal(kept?.file.sha256, hashes[0])
  assert.ok(existsSync(path('taken', hashes[0]!.slice(0, 2), hashes[0]!)))
})
