import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

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
