import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPictureFiles } from './picture-files.ts'

test('a folder that cannot be made is an error, and nothing is waited for', async () => {
  const { write } = openPictureFiles('/proc/telegrep/media')
  await assert.rejects(write(Buffer.from('a picture')), /ENOENT: .*'\/proc\/telegrep'$/)
})
