import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** Answers its question only when told to close, and ends a while later. */
const THREAD = `import { parentPort } from 'node:worker_threads'
let asked
parentPort.on('message', (message) => {
  if (message.kind !== 'close') asked = message
  else {
    parentPort.postMessage({ id: asked.id, value: null })
    setTimeout(() => { parentPort.postMessage('ended'); parentPort.close() }, 300)
  }
})`

const PROGRAM = `import { openPool } from '${new URL('./thread-pool.ts', import.meta.url).href}'
const file = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(THREAD)}))
const clock = { now: () => 0, elapsed: () => 0 }
const pool = openPool({ file, data: {}, size: 1, depth: 1, capacity: 1, clock })
pool.state().catch(() => {})
await pool[Symbol.asyncDispose]()
console.log('closed')`

test('disposing of the pool waits for its threads to exit, even if one answers meanwhile', () => {
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM])
  assert.equal(ran.status, 0, String(ran.stderr))
  assert.equal(String(ran.stdout), 'closed\n')
})
