import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { until } from '../until.ts'
import { makeHome, runLine } from './telegrep.ts'

test('of two indexer processes one stands by, and takes over when the other ends', async (t) => {
  const home = makeHome('telegrep-index-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const first = startIndexer(home.env!)
  t.after(() => first.child.kill('SIGKILL'))
  await until(() => first.stdout().includes('"indexing":true'))
  const imported = (number: number, word: string) => {
    const date = new Date(Date.now() - 60_000).toISOString()
    const line = JSON.stringify({ channel: 'durov', id: number, date, text: `a ${word} post` })
    return runLine('telegrep import - --json', { ...home, input: line })
  }
  const isFound = async (word: string) =>
    (await runLine(`telegrep search ${word} --json`, home)).stdout.includes(`a ${word} post`)
  await until(async () => (await imported(1, 'quince')).stdout.includes('by the running server'))
  await until(() => isFound('quince'))

  const second = startIndexer(home.env!)
  t.after(() => second.child.kill('SIGKILL'))
  await until(() => second.stderr().includes('worker stands by'))
  first.child.kill('SIGTERM')
  const [code] = (await once(first.child, 'exit')) as [number | null]
  assert.equal(code, 0, first.stderr())
  await until(async () => (await imported(2, 'medlar')).stdout.includes('by the running server'))
  await until(() => isFound('medlar'))
  second.child.kill('SIGTERM')
  assert.deepEqual((await once(second.child, 'exit'))[0], 0)
})

function startIndexer(env: Readonly<Record<string, string>>) {
  const child = spawn('telegrep', ['index', '--json'], {
    env: { ...process.env, ...env, TELEGREP_LOG: 'info' },
  })
  const told = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (told.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (told.stderr += chunk.toString()))
  return { child, stdout: () => told.stdout, stderr: () => told.stderr }
}
