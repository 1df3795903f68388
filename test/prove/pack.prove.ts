import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** `npm pack`, installed into an empty folder, serves, searches the demo and speaks MCP, on plain Node ≥ 24. */
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'telegrep-pack-'))
const port = 20_000 + (process.pid % 20_000)
const url = `http://127.0.0.1:${port}`
const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] }).toString()

try {
  npm(['pack', '--silent', '--pack-destination', folder], root)
  const [archive] = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  assert.ok(archive)
  writeFileSync(join(folder, 'package.json'), '{ "name": "elsewhere", "private": true }')
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', `./${archive}`], folder)
  const main = join(folder, 'node_modules/telegrep/dist/main.js')
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [main, ...args], { cwd: folder }).toString()
  console.log(`installed telegrep ${run('--version').trim()}`)

  const demo = spawn(process.execPath, [main, 'demo', '--channels', '8', '--port', String(port)], {
    cwd: folder,
    stdio: 'ignore',
  })
  try {
    const found = await eventually(async () => {
      const reply = await fetch(`${url}/v1/search?has=link&limit=1`)
      const { data } = (await reply.json()) as { data: unknown[] }
      return data.length > 0 ? data : undefined
    })
    assert.ok(found)
    assert.match(run('search', 'has:link', '--limit', '1', '--url', url), /t\.me/)
    const page = await fetch(url)
    assert.match(await page.text(), /Search public Telegram channels/)
    const reference = await fetch(`${url}/docs.md`)
    assert.match(await reference.text(), /^# API/)
    const errors = await fetch(`${url}/errors.md`)
    assert.match(await errors.text(), /^# Errors/)
    console.log('the demo serves API, page and reference, and the command line searches it')
  } finally {
    demo.kill('SIGINT')
    const code = await new Promise((resolve) => demo.once('exit', resolve))
    assert.equal(code, 0, 'the demo ends well')
  }

  const client = new Client({ name: 'pack', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], cwd: folder }),
  )
  const { tools } = await client.listTools()
  await client.close()
  assert.ok(tools.some(({ name }) => name === 'search_posts'))
  console.log(`it speaks MCP: ${tools.map((tool) => tool.name).join(', ')}`)

  writeFileSync(
    join(folder, 'use.mjs'),
    "import { createClient, followSearch } from 'telegrep/client'; console.log(typeof (createClient && followSearch))",
  )
  assert.equal(
    execFileSync(process.execPath, ['use.mjs'], { cwd: folder }).toString().trim(),
    'function',
  )
  const guide = readFileSync(join(root, 'docs/client.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
  assert.ok(blocks.length > 2)
  writeFileSync(join(folder, 'guide.mts'), blocks.join('\n'))
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict']
  const options = ['--target', 'es2024', '--module', 'nodenext', '--types', '', 'guide.mts']
  execFileSync(process.execPath, [...tsc, ...options], { cwd: folder, stdio: 'inherit' })
  console.log('telegrep/client can be imported, and the code of its guide compiles')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let i = 0; i < 120; i += 1) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    await sleep(500)
  }
  throw new Error('nothing was found within a minute')
}
