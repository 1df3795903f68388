import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sweepPart } from '../../src/crawl/sweep-pictures.ts'
import { makeMedia } from '../../src/model/post.ts'
import { addChannel, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openPictureFiles } from '../../src/store/picture-files.ts'

const CHILD = fileURLToPath(new URL('keep-child.ts', import.meta.url))
const COUNT = 6

test('a kill between writing a picture file and its row leaves a sound store, and the file is swept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-killed-'))
  const retention = { deleted: 'redact', versions: 'keep', pictures: true } as const
  const open = () => openStore({ kind: 'sqlite', folder, retention })
  const files = openPictureFiles(join(folder, 'media'))
  const onDisk = () =>
    readdirSync(files.folder).flatMap((part) => readdirSync(join(files.folder, part)))
  const run = (writes: number) => spawnSync(process.execPath, [CHILD, folder, String(writes)])
  try {
    const refs = await fill(open)
    assert.equal(run(3).signal, 'SIGKILL')
    assert.equal(onDisk().length, 3)
    await using store = await open()
    assert.equal((await store.pictures.of(refs)).length, 2)
    assert.deepEqual(await store.verify(), [])
    // Found by scanning alone, as if nobody ever fetched that picture again.
    const kept = new Set((await store.pictures.of(refs)).map(({ file }) => file.sha256))
    const orphan = onDisk().find((name) => !kept.has(name))!
    const swept = await sweepPart(store.pictures, files, {
      part: parseInt(orphan.slice(0, 2), 16),
      now: Date.now(),
      settledMs: 0,
    })
    assert.equal(swept, 1)
    assert.ok(!existsSync(join(files.folder, orphan.slice(0, 2), orphan)))
    assert.equal(run(0).status, 0)
    const all = await store.pictures.of(refs)
    assert.equal(all.length, COUNT, 'the next process has fetched the rest')
    for (const { file } of all) {
      const bytes = await files.read(file.sha256)
      assert.equal(createHash('sha256').update(bytes!).digest('hex'), file.sha256)
    }
    assert.equal(onDisk().length, COUNT)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function fill(open: () => ReturnType<typeof openStore>) {
  await using store = await open()
  const { id } = await addChannel(store, 'first_name')
  const numbers = Array.from({ length: COUNT }, (_, i) => i + 1)
  const posts = numbers.map((number) =>
    samplePost(number, {
      media: [
        makeMedia('photo', {
          url: `https://cdn4.telesco.pe/file/${number}.jpg`,
          fileId: String(number),
        }),
      ],
    }),
  )
  await store.archive.record(sampleReading(id, { posts }))
  return numbers.map((number) => ({ channelId: id, number }))
}
