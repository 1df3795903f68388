import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openShell, type Shell } from './shell.ts'
import { makeHome, type Ran, type RunOptions } from './telegrep.ts'

describe('restoring a backup', () => {
  let folder: string
  let options: RunOptions
  let shell: Shell
  const telegrep = (line: string): Promise<Ran> => shell.run(`telegrep ${line}`)
  const found = async () => {
    const ran = await telegrep('search flooded --json --limit 50')
    const { data } = JSON.parse(ran.stdout) as { data: { id: string }[] }
    return data.map(({ id }) => id).toSorted()
  }
  const importPosts = async (...ids: readonly string[]) => {
    const date = new Date(Date.now() - 3_600_000).toISOString()
    const lines = ids.map((id) => {
      const [channel, number] = id.split('/')
      return JSON.stringify({ channel, id: Number(number), date, text: 'The river flooded' })
    })
    writeFileSync(join(folder, 'posts.ndjson'), lines.join('\n'))
    const ran = await telegrep('import posts.ndjson')
    assert.equal(ran.code, 0, ran.stderr)
  }

  before(async () => {
    options = makeHome('telegrep-restore-')
    folder = options.cwd
    shell = openShell(options)
    await importPosts('alpha_news/1', 'alpha_news/2', 'beta_news/1')
    assert.equal((await telegrep('backup monday')).code, 0)
    await telegrep('remove beta_news --reason asked')
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is refused while a process has the store open, and works after a crash', async () => {
    const server = spawn('telegrep', ['serve', '--no-crawl'], {
      cwd: folder,
      env: { ...process.env, ...options.env },
    })
    await once(server.stderr, 'data')
    const refused = await telegrep('restore monday')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /the store is in use: stop every server/)
    await importPosts('gamma_news/8')
    server.kill('SIGKILL')
    await once(server, 'exit')
    assert.ok(existsSync(join(folder, 'data/store.db-wal')), 'the crash leaves a log')

    const ran = await telegrep('restore monday --json')
    assert.equal(ran.code, 0, ran.stderr)
    const { channels, posts } = JSON.parse(ran.stdout) as { channels: number; posts: number }
    assert.deepEqual([channels, posts], [1, 2], 'what was removed since does not come back')
    assert.ok(!existsSync(join(folder, 'data/restoring')))
    assert.match((await telegrep('status')).stdout, /^index +missing: .* reindex makes it$/m)
    assert.equal((await telegrep('reindex')).code, 0)
    assert.match((await telegrep('status')).stdout, /^index +up to date$/m)
    assert.deepEqual(await found(), ['alpha_news/1', 'alpha_news/2'])
    const checked = await telegrep('doctor --offline')
    assert.equal(checked.code, 0, checked.stdout)
  })

  test('from a damaged backup changes nothing', async () => {
    const before = await found()
    cpSync(join(folder, 'monday'), join(folder, 'bad'), { recursive: true })
    writeFileSync(join(folder, 'bad/store.db'), 'no database '.repeat(1000))
    cpSync(join(folder, 'monday'), join(folder, 'begun/unfinished'), { recursive: true })
    for (const [line, code, words] of [
      ['restore bad', 1, /not sound, so nothing was changed: .*\(file is not a database\)$/m],
      ['restore nowhere', 4, /there is no backup in .*nowhere$/m],
      ['restore begun', 4, /there is no backup in .*begun, only one that is not finished: make/],
      ['restore monday --data ./mistyped', 4, /there is no data in .*mistyped/],
    ] as const) {
      const ran = await telegrep(line)
      assert.match(ran.stderr, words, line)
      assert.equal(ran.code, code, line)
      assert.doesNotMatch(ran.stderr, /\n +at /, line)
    }
    assert.ok(!existsSync(join(folder, 'mistyped')))
    assert.deepEqual(await found(), before)
  })

  test('replaces a lost store, after doctor has named it', async () => {
    const file = join(folder, 'data/store.db')
    writeFileSync(file, 'no database '.repeat(1000))
    const ill = await telegrep('doctor --offline')
    assert.match(ill.stdout, /^bad +start .*store\.db.*\n(.*\n)*(bad|ok) +disk/)
    assert.doesNotMatch(ill.stdout + ill.stderr, /\n +at /)
    assert.equal(ill.code, 1)
    rmSync(file)
    for (const line of ['status', 'doctor --offline']) {
      const { stdout, stderr, code } = await telegrep(line)
      const gone = /store\.db is missing, and it held posts before; restore it from a backup/
      assert.match(stdout + stderr, gone, line)
      assert.equal(code, 1, line)
    }
    const ran = await telegrep('restore monday')
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stderr, /holds the backup's 2 posts of 1 channel,/)
  })
})
