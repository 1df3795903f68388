import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTemporary } from '../../../test/open-temporary.ts'
import { systemClock } from '../../model/clock.ts'
import { makeMedia } from '../../model/post.ts'
import { HOUR, NOON, addChannel, samplePost, sampleReading } from '../../store/contract/samples.ts'
import { openPictureFiles } from '../../store/picture-files.ts'
import { createPictureExport } from './export-pictures.ts'

test('a picture that an interrupted export left incomplete is written again', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-pictures-'))
  await using store = await openTemporary(systemClock, { pictures: true })
  const { id } = await addChannel(store, 'pictures')
  const media = [makeMedia('photo', { url: 'https://cdn4.telesco.pe/file/a.jpg', fileId: 'a' })]
  await store.archive.record(sampleReading(id, { posts: [samplePost(1, { media })] }))
  const files = openPictureFiles(join(folder.path, 'kept'))
  const bytes = Buffer.from('not really a picture')
  const sha256 = await files.write(bytes)
  const file = { sha256, type: 'jpeg', bytes: bytes.length, width: 8, height: 6 } as const
  const [wanted] = await store.pictures.due(NOON + HOUR, 1)
  await store.pictures.keep(wanted!, file, NOON)

  const post = (await store.archive.post(id, 1))!
  const target = join(folder.path, 'exported')
  const path = join(target, `${sha256}.jpg`)
  const exported = async () => {
    const pictures = createPictureExport(store.pictures, files, target)
    const picturesOf = await pictures.of([post])
    assert.deepEqual(picturesOf(post), [
      { medium: 0, file: `${sha256}.jpg`, sha256, width: 8, height: 6 },
    ])
    return pictures.written.files
  }
  assert.equal(await exported(), 1)
  assert.equal(await exported(), 0, 'it is there')
  writeFileSync(path, bytes.subarray(0, 5))
  assert.equal(await exported(), 1)
  assert.deepEqual(readFileSync(path), bytes)
})
