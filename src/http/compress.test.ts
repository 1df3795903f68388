import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { compress, prepare } from './compress.ts'

test('a prepared body is made once, on the first request', async () => {
  let made = 0
  const prepared = prepare(() => `text ${++made}`)
  assert.equal(made, 0)
  const [first, second] = [await compress(prepared, null), await compress(prepared, null)]
  assert.deepEqual([String(first.body), String(second.body)], ['text 1', 'text 1'])
})

test('a prepared body is compressed once, and a failed compression is not cached', async () => {
  const body = 'roses are red, '.repeat(500)
  const prepared = prepare(() => body)
  const first = await compress(prepared, 'gzip')
  assert.equal(gunzipSync(first.body).toString(), body)
  assert.equal((await compress(prepared, 'gzip')).body, first.body)

  // Input that zlib refuses stands for a failed memory allocation.
  const bytes = { length: 9_999 } as Buffer
  const unlucky = { bytes, compressed: new Map() } as ReturnType<typeof prepare>
  await assert.rejects(compress(unlucky, 'gzip'))
  assert.equal(unlucky.compressed.size, 0)
})
