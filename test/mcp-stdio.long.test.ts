import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startService, type Service } from './start-service.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

interface ToldError {
  readonly code: number
}

/** How its process begins and ends; what it answers is in `mcp.test.ts`. */
describe('MCP over stdio', () => {
  let service: Service
  let env: NodeJS.ProcessEnv

  before(async () => {
    service = await startService()
    env = { ...process.env, TELEGREP_DATA: service.folder, TELEGREP_LOG: 'error' }
  })
  after(() => service[Symbol.asyncDispose]())

  test('all piped requests are answered before the process ends', async () => {
    const questions = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'pipe', version: '1' },
        },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_meta', arguments: {} } },
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: { name: 'get_meta', arguments: null },
      },
    ]
    const ran = spawnSync(process.execPath, [MAIN, 'mcp'], {
      env,
      input: questions.map((q) => JSON.stringify(q)).join('\n'),
    })
    const ids = ran.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; result?: object })
      .filter(({ result }) => result !== undefined)
      .map(({ id }) => id)
    assert.deepEqual(new Set(ids), new Set([1, 2, 3]), ran.stderr.toString())
    assert.equal(ran.status, 0)
  })

  test('SIGTERM ends the process while the client keeps the pipe open', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp'], { env })
    const ended = once(child, 'close')
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  test('an invalid line gets an error and the next line is still answered', () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const input = ['hello', '', '{"id":7', '{"id":8}', ping].join('\n')
    const ran = spawnSync(process.execPath, [MAIN, 'mcp'], { env, input })
    const answers = ran.stdout.toString().trim().split('\n')
    const told = answers.map((line) => JSON.parse(line) as { id: unknown; error?: ToldError })
    assert.deepEqual(
      told.flatMap(({ error }) => error?.code ?? []).toSorted((a, b) => a - b),
      [-32700, -32700, -32600],
    )
    assert.ok(told.some(({ id }) => id === 1))
  })

  test('a line above 10 MiB ends the process with an explanation, even if the pipe stays open', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp'], { env })
    // The process may end before it has read everything.
    child.stdin.on('error', () => {})
    const ended = once(child, 'close')
    const told = once(child.stderr, 'data')
    child.stdin.write('x'.repeat(11 * 1024 * 1024))
    assert.match(String((await told)[0]), /expected lines of at most 10485760 bytes/)
    assert.deepEqual(await ended, [2, null])
  })
})
