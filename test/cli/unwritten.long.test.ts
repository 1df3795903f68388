import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { until } from '../until.ts'
import { makeHome, runLine } from './telegrep.ts'

const FULL = '/dev/full'
const LINE =
  '{"channel": "late_news", "id": 7, "date": "2026-11-01T00:00:00Z", "text": "The bridge is open"}'

/** Chosen here, because the address is printed nowhere. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

describe('a full disk', { skip: existsSync(FULL) ? false : 'needs /dev/full' }, () => {
  const { cwd, env } = makeHome('telegrep-unwritten-')
  const full = openSync(FULL, 'w')
  after(() => {
    closeSync(full)
    rmSync(cwd, { recursive: true, force: true })
  })
  const start = (line: string, stdout: 'pipe' | number, stderr: 'pipe' | number) =>
    spawn('telegrep', line.split(' '), {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout, stderr],
    })

  test('where the log is written does not end a service', async () => {
    const port = await freePort()
    const server = start(`serve --no-crawl --port ${port}`, full, full)
    const exited = once(server, 'exit')
    const answers = async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/v1/languages`).catch(() => undefined)
      return reply?.status === 200
    }
    await until(answers)
    assert.ok(await answers())
    server.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  })

  test('where the output of a command is written is reported in one sentence', async () => {
    writeFileSync(join(cwd, 'posts.ndjson'), LINE)
    await once(start('import posts.ndjson', 'pipe', 'pipe'), 'exit')
    const child = start('export', full, 'pipe')
    let told = ''
    child.stderr!.on('data', (chunk) => (told += String(chunk)))
    const [code] = (await once(child, 'close')) as [number]
    assert.match(told, /^telegrep: .*no space left on device[^\n]*\n$/m)
    assert.doesNotMatch(told, /\n +at /)
    assert.equal(code, 1)
  })
})

const isMountable = spawnSync('unshare', ['-rm', 'true']).status === 0
const skip = isMountable ? false : 'needs to mount a disk'
test(
  'on a read-only disk a service ends with one sentence that names the folder',
  { skip },
  async (t) => {
    const { cwd, env } = makeHome('telegrep-unwritten-')
    t.after(() => rmSync(cwd, { recursive: true, force: true }))
    const [disk, data] = [join(cwd, 'disk'), join(cwd, 'disk', 'data')]
    const home = { cwd, env: { ...env, TELEGREP_DATA: data } }
    mkdirSync(disk)
    writeFileSync(join(cwd, 'posts.ndjson'), LINE)
    const serve = () => {
      const mount = `mount --bind ${disk} ${disk} && mount -o remount,ro,bind ${disk}`
      return runLine(`unshare -rm sh -c '${mount} && telegrep serve'`, {
        ...home,
        timeoutMs: 60_000,
      })
    }
    for (const what of ['to be made', 'filled before']) {
      if (what === 'filled before') await runLine('telegrep import posts.ndjson', home)
      const { code, stderr } = await serve()
      assert.equal(stderr, `telegrep: TELEGREP_DATA ${data}: the disk is read-only\n`, what)
      assert.equal(code, 1)
    }
  },
)
