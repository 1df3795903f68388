import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { serve } from '../src/serve.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The everyday test; what may hang or fail during a shutdown is in `shutdown.long.test.ts`. */
for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends a service cleanly, even when npm forwards the signal a second time`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-stop-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const child = spawn(process.execPath, [MAIN, 'serve', '--json', '--no-crawl'], {
      env: { ...process.env, TELEGREP_DATA: folder, TELEGREP_PORT: '0', TELEGREP_LOG: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const ended = once(child, 'close')
    const [line] = await once(child.stdout, 'data')
    const { address } = JSON.parse(String(line)) as { address: string }
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
    child.kill(signal)
    await sleep(20)
    child.kill(signal)
    const [code, killedBy] = await ended
    assert.match(stderr, /"msg":"stopped"/)
    // On a busy machine the second one may come late: while Node tears a process down that has ended, any signal kills it.
    if (killedBy !== signal) assert.equal(code, 0, stderr)
  })
}

test('a service that is stopped before it runs starts nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-stop-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent' })
  await using app = await createApp(config, secrets)
  const stopped = new Error('stopped by SIGINT')
  const parts = { api: false, crawl: false, index: true, onReady: () => assert.fail() }
  await assert.rejects(serve(app, parts, AbortSignal.abort(stopped)), stopped)
})
