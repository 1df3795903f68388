import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startThread, threadEnded } from './thread.ts'

function writeThread(t: TestContext, body: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-thread-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'thread.ts')
  const own = new URL('thread.ts', import.meta.url).href
  writeFileSync(file, `import { endThread } from '${own}'\n${body}`)
  return pathToFileURL(file)
}

test('threadEnded does not wait for the exit of a thread that has called endThread', async (t) => {
  const file = writeThread(
    t,
    `process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500))
     endThread()`,
  )
  const worker = startThread(file, {})
  const gone = once(worker, 'exit').then(() => 'gone')
  assert.equal(await Promise.race([threadEnded(worker).then(() => 'ended'), gone]), 'ended')
  assert.equal(await gone, 'gone')
})

test('threadEnded resolves for a thread that exits without calling endThread', async (t) => {
  const worker = startThread(writeThread(t, 'endThread; process.exit(1)'), {})
  await threadEnded(worker)
})
