import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

function start(folder: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, 'serve', '--json'], {
    env: { ...process.env, TELEGREP_DATA: folder, TELEGREP_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, stderr }))
  const ready = once(child.stdout, 'data').then(
    ([line]) => JSON.parse(String(line)) as { address: string },
  )
  return { child, ready, ended }
}

function temporary(t: { after(fn: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-stop-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

test('SIGTERM ends a service in time while a live read, a visit and half a request hang', async (t) => {
  const asked = new Set<string>()
  const silent = createServer(({ url = '' }) => void asked.add(url)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const folder = temporary(t)
  const { port } = silent.address() as AddressInfo
  const list = join(folder, '..', 'list.txt')
  writeFileSync(list, 'durov\n')
  const { child, ready, ended } = start(folder, {
    TELEGREP_SOURCE_URL: `http://127.0.0.1:${port}`,
    TELEGREP_CHANNELS: list,
    TELEGREP_LOG: 'info',
  })
  const { address } = await ready
  const live = fetch(`${address}/v1/channels/telegram/live`).then(
    (reply) => reply.status,
    () => 0,
  )
  const half = connect(Number(new URL(address).port), '127.0.0.1')
  half.on('error', () => {})
  half.write('GET /v1/meta HTTP/1.1\r\nHost: localhost\r\n')
  await until(() => asked.has('/s/durov') && asked.has('/s/telegram'))

  child.kill('SIGTERM')
  const isRefused = () =>
    fetch(`${address}/healthz`).then(
      () => false,
      () => true,
    )
  await until(isRefused)
  assert.equal(child.exitCode, null, 'no new connection is taken while it ends')
  // A process that takes longer than 9.5 s would end itself with 143.
  const { code, stderr } = await ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /"msg":"stopped"/)
  await live
  half.destroy()
})

for (const line of ['start -- --no-crawl', 'run telegrep -- serve --no-crawl', 'run demo --'])
  test(
    `SIGTERM to \`npm ${line}\` reaches the server behind the shell`,
    { timeout: 60_000 },
    async (t) => {
      const npm = spawn('npm', [...line.split(' '), '--json'], {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        env: {
          ...process.env,
          TELEGREP_DATA: temporary(t),
          TELEGREP_PORT: '0',
          TELEGREP_LOG: 'info',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      t.after(() => {
        try {
          process.kill(-npm.pid!, 'SIGKILL')
        } catch {
          // All of them have ended.
        }
      })
      let stdout = ''
      npm.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
      let stderr = ''
      npm.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      // The server also holds the pipes, so they close when the last process has ended.
      const ended = once(npm, 'close')
      await until(() => /^\{.*\}$/m.test(stdout))
      const { address } = JSON.parse(/^\{.*\}$/m.exec(stdout)![0]) as { address: string }
      npm.kill('SIGTERM')
      await ended
      // A demo writes no log.
      if (line !== 'run demo --') assert.match(stderr, /"msg":"stopped"/)
      await assert.rejects(fetch(`${address}/healthz`))
    },
  )

test('a failing start exits with code 2, names the cause and leaves a folder that the next start takes', async (t) => {
  const folder = temporary(t)
  const { ended } = start(folder, { TELEGREP_CHANNELS: '/nonexistent/list.txt' })
  const { code, stderr } = await ended
  assert.equal(code, 2, stderr)
  assert.match(stderr, /TELEGREP_CHANNELS \/nonexistent\/list\.txt/)
  // Neither a lock nor a file that was only begun.
  assert.deepEqual(readdirSync(folder).toSorted(), ['ledger.db', 'secret', 'store.db'])
  const again = start(folder)
  await again.ready
  again.child.kill('SIGTERM')
  assert.equal((await again.ended).code, 0)
})

test('absolute links have the actual port, and only its owner can read the data folder', async (t) => {
  const folder = temporary(t)
  const { child, ready, ended } = start(folder)
  const { address } = await ready
  const { data } = (await (await fetch(`${address}/v1/meta`)).json()) as {
    data: { openapi: string }
  }
  assert.equal(data.openapi, `${address}/v1/openapi.json`)
  child.kill('SIGINT')
  assert.equal((await ended).code, 0)
  assert.equal(statSync(folder).mode & 0o077, 0)
  assert.equal(statSync(join(folder, 'store.db')).mode & 0o077, 0)
})
