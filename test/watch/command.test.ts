import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { canRun, createCommands } from '../../src/watch/command.ts'
import { until } from '../until.ts'
import { messageOf, watchWith } from './samples.ts'

const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), 'telegrep-command-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('a command', () => {
  const run = async (argv: readonly string[], timeoutMs = 10_000, signal = never) =>
    createCommands(timeoutMs).send(
      watchWith({ command: { argv } }),
      await messageOf(['a storm; $(touch nothing)']),
      signal,
    )

  test('gets the message as JSON, its arguments unchanged, and no secrets', async () => {
    process.env['TELEGREP_SECRET'] = 'not for others'
    const file = join(folder, 'got')
    const script = `cat > "$1"; echo "$2 $TELEGREP_WATCH [$TELEGREP_SECRET]"`
    const result = await run(['sh', '-c', script, 'sh', file, '$HOME;`id`'])
    delete process.env['TELEGREP_SECRET']
    assert.deepEqual(result, { kind: 'sent', detail: 'exit code 0: $HOME;`id` storms []' })
    const got = JSON.parse(readFileSync(file, 'utf8')) as Record<string, never>
    assert.equal(got['id'], 'msg_1_2_abc')
    assert.equal(got['type'], 'post')
    assert.equal(got['data']!['post']['text'], 'a storm; $(touch nothing)')
  })

  test('is checked to exist and to be executable', async () => {
    writeFileSync(join(folder, 'text'), 'no program')
    assert.equal(await canRun(['sh', '-c', 'exit 1']), true)
    assert.equal(await canRun(['/bin/sh']), true)
    for (const file of ['nobody-s-program', join(folder, 'nobody'), join(folder, 'text')])
      assert.equal(await canRun([file]), false, file)
  })

  test('that fails, does not exist or prints too much is reported in one line', async () => {
    assert.deepEqual(await run(['sh', '-c', 'echo bad luck >&2; exit 3']), {
      kind: 'failed',
      detail: 'exit code 3: bad luck',
    })
    assert.deepEqual(await run([join(folder, 'nobody')]), {
      kind: 'failed',
      detail: 'cannot be run: ENOENT',
    })
    assert.deepEqual(await run(['/etc/passwd/x']), {
      kind: 'failed',
      detail: 'cannot be run: ENOTDIR',
    })
    assert.equal((await run(['true', 'a\0b'])).kind, 'failed')
    const loud = await run(['sh', '-c', 'yes | head -c 1000000'])
    assert.ok(loud.kind === 'sent' && loud.detail.length < 300)
    assert.equal((await run(['true'])).kind, 'sent', 'it need not read its input')
  })

  test('that takes too long is killed with all its children', async () => {
    const file = join(folder, 'alive')
    const script = `(while :; do date +%s%N > ${file}; sleep 0.05; done) & wait`
    assert.deepEqual(await run(['sh', '-c', script], 500), {
      kind: 'failed',
      detail: 'not done in 0.5 s',
    })
    writeFileSync(file, 'ended')
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(readFileSync(file, 'utf8'), 'ended')
  })

  test('may leave a process behind, which delays neither its end nor a shutdown', async () => {
    const file = join(folder, 'left')
    // In its own session it survives the end of the command, and keeps the pipes open.
    const leaving = `setsid sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 60' & echo left`
    const endLeft = async () => {
      await until(() => existsSync(file))
      return process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
    }
    assert.deepEqual(await run(['sh', '-c', leaving], 50_000), {
      kind: 'sent',
      detail: 'exit code 0: left',
    })
    assert.ok(await endLeft(), 'it was still there')
    rmSync(file)
    const stop = new AbortController()
    const running = run(['sh', '-c', `${leaving}; sleep 60`], 50_000, stop.signal)
    await until(() => existsSync(file))
    stop.abort(new Error('stopped'))
    await assert.rejects(running, /stopped/)
    assert.ok(await endLeft(), 'it was still there')
    await assert.rejects(run(['touch', file], 50_000, stop.signal), /stopped/, 'not even begun')
  })

  test('is ended at shutdown', async (t) => {
    const stop = new AbortController()
    const file = join(folder, 'begun')
    const script = `echo $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 600`
    const running = run(['sh', '-c', script], 600_000, stop.signal)
    await until(() => existsSync(file))
    const pid = Number(readFileSync(file, 'utf8'))
    assert.ok(isRunning(pid))
    t.after(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
    stop.abort(new Error('stopped'))
    await assert.rejects(running, /stopped/)
    await until(() => !isRunning(pid), 30_000)
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
