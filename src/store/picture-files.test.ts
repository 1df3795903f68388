import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPictureFiles } from './picture-files.ts'

test('writing to a folder that cannot be created fails at once', async () => {
  const { write } = openPictureFiles('/proc/telegrep/media')
  await assert.rejects(write(Buffer.from('a picture')), /ENOENT: .*'\/proc\/telegrep'$/)
})
