import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSimulator } from '../../src/simulator/server.ts'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'

type Env = Readonly<Record<string, string>>

function start(args: readonly string[], env: Env) {
  const child = spawn('telegrep', [...args, '--json'], { env: { ...process.env, ...env } })
  const told = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (told.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (told.stderr += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const ready = async (): Promise<{ address: string }> => {
    await eventually(async () => told.stdout.includes('}'), `${args.join(' ')} ${told.stderr}`)
    return JSON.parse(told.stdout) as { address: string }
  }
  return { child, told, ended, ready }
}

async function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const until = Date.now() + 90_000
  while (!(await isSo())) {
    assert.ok(Date.now() < until, what)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

test(
  'API, crawler and indexer work as separate processes without a data folder',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    const home = makeHome('telegrep-processes-')
    t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
    await using pair = await openPair({ store: 'postgres', index: 'opensearch' })
    await using simulator = await startSimulator({
      world: { seed: 'processes', channels: 5, days: 5, startAt: Date.now() },
    })
    const [name] = simulator.world.truth.readableNames(simulator.now())
    const list = join(home.cwd, 'list.txt')
    writeFileSync(list, `${name}\n`)
    const { TELEGREP_DATA: _, ...place } = home.env!
    const env: Env = {
      ...place,
      ...pair.env,
      TELEGREP_SOURCE_URL: simulator.url,
      TELEGREP_CHANNELS: list,
      TELEGREP_CRAWL_RATE: '100',
    }
    const index = start(['index'], env)
    const crawl = start(['crawl'], env)
    const apis = [start(['serve', '--no-crawl'], env), start(['serve', '--no-crawl'], env)]
    const all = [index, crawl, ...apis]
    t.after(() => all.forEach(({ child }) => child.kill('SIGKILL')))

    for (const api of apis) {
      const { address } = await api.ready()
      await eventually(async () => {
        const reply = await fetch(`${address}/v1/search?channel=${name}`)
        return reply.ok && ((await reply.json()) as { data: unknown[] }).data.length > 0
      }, 'posts that another process has read and a third has indexed are found')
      assert.equal((await fetch(`${address}/readyz`)).status, 200)
    }

    const odd = { ...home, env: { ...env, TELEGREP_SECRET: 'not the secret of the others' } }
    for (const line of ['telegrep serve --no-crawl', 'telegrep keys create --tier free']) {
      const { code, stderr } = await runLine(line, odd)
      assert.match(stderr, /^telegrep: TELEGREP_SECRET is not what the other processes/m)
      assert.equal(code, 1)
    }

    for (const { child } of all) child.kill('SIGTERM')
    // A process that takes longer than 9.5 s would end itself with 143.
    assert.deepEqual(await Promise.all(all.map(({ ended }) => ended)), [0, 0, 0, 0])
  },
)
