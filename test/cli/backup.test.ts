import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openShell } from './shell.ts'
import { makeHome, type Ran } from './telegrep.ts'

const LINE =
  '{"channel": "late_news", "id": 7, "date": "2026-11-01T00:00:00Z", "text": "The bridge is open"}'

describe('a backup', () => {
  const options = makeHome('telegrep-backup-')
  const folder = options.cwd
  const shell = openShell(options)
  const telegrep = (line: string): Promise<Ran> => shell.run(`telegrep ${line}`)

  before(async () => {
    writeFileSync(join(folder, 'posts.ndjson'), LINE)
    const ran = await telegrep('import posts.ndjson')
    assert.equal(ran.code, 0, ran.stderr)
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('that is not finished is not restored, and the archive is left alone', async () => {
    mkdirSync(join(folder, 'killed/unfinished'), { recursive: true })
    cpSync(join(folder, 'data/store.db'), join(folder, 'killed/unfinished/store.db'))
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full/store.db'), '')
    for (const [name, said] of [
      ['killed', /there is no backup in .*killed, only one that is not finished: make it again/],
      ['full', /there is no backup in .*full$/m],
    ] as const) {
      const ran = await telegrep(`restore ${name}`)
      assert.match(ran.stderr, said)
      assert.equal(ran.code, 4)
    }
    assert.match((await telegrep('status')).stdout, /^posts +1, /m)
  })

  test('may be made in the folder of an interrupted one, but not over a finished one', async () => {
    mkdirSync(join(folder, 'again/unfinished'), { recursive: true })
    writeFileSync(join(folder, 'again/unfinished/store.db'), 'half')
    const ran = await telegrep('backup again --json')
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(readdirSync(join(folder, 'again')).toSorted(), ['ledger.db', 'store.db'])
    assert.match((await telegrep('status --data again')).stdout, /^posts +1, /m)
    assert.equal((await telegrep('restore again')).code, 0)
    assert.equal((await telegrep('backup again')).code, 1, 'not over another')
    assert.ok(!existsSync(join(folder, 'again/unfinished')))
  })
})
