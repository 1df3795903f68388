import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openShell } from './shell.ts'
import { makeHome, runOnTerminal, type Ran, type RunOptions } from './telegrep.ts'

const LATE_LINE =
  '{"channel": "late_news", "id": 1, "date": "2026-11-01T00:00:00Z", "text": "Late"}'

describe('the input of commands', () => {
  const options = makeHome('telegrep-input-')
  const folder = options.cwd
  const shell = openShell(options)
  const telegrep = (line: string, more?: Partial<RunOptions>): Promise<Ran> =>
    shell.run(`telegrep ${line}`, more)
  after(async () => {
    await shell[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('add prints a line for each channel and a summary', async () => {
    writeFileSync(join(folder, 'names.txt'), 'durov # him\nt.me/some_longer_name\nno__name\n')
    const ran = await telegrep('add names.txt alpha_news nothing.txt --data added')
    assert.equal(ran.code, 3)
    assert.deepEqual(ran.stdout.split('\n'), [
      'durov             added; the crawler reads it at its next chance',
      'some_longer_name  added; the crawler reads it at its next chance',
      'no__name          not the name of a channel: expected 4 to 32 letters, digits or single underscores, beginning with a letter',
      'alpha_news        added; the crawler reads it at its next chance',
      'nothing.txt       there is no such file',
      '',
    ])
    assert.match(ran.stderr, /^3 added, 2 rejected$/m)
    const again = await telegrep('add durov --data added')
    assert.deepEqual([again.stdout, again.stderr], ['durov  indexed already\n', ''])
  })

  test('Ctrl-C ends reading from a terminal or a pipe, and what was read so far is kept', async () => {
    const typed = { ...options, stopAt: /Ctrl-D ends the input/ }
    const added = await runOnTerminal('telegrep add - --data typed', typed)
    assert.equal(added.code, 130, added.stdout)
    assert.ok(!existsSync(join(folder, 'typed')), 'nothing was added')
    writeFileSync(join(folder, 'spoilt.ndjson'), `${LATE_LINE}\nspoilt\n`)
    const piped = { stopAt: /spoilt\.ndjson:2/ }
    const taken = await telegrep('import spoilt.ndjson - --data piped', piped)
    assert.equal(taken.code, 130, taken.stderr)
    assert.match(taken.stdout, /^1 added, .* 1 rejected; 1 channel$/m)
  })

  test('mcp on a terminal says that it waits for a client', async () => {
    const typed = { ...options, stopAt: /Waiting for MCP messages.*Ctrl-C ends it/ }
    assert.equal((await runOnTerminal('telegrep mcp --data typed', typed)).code, 0)
  })

  test('serve says how to add channels, and with channels, how to watch them being read', async () => {
    const dead = '--source-url http://127.0.0.1:9'
    const bare = await telegrep(`serve --data served ${dead}`, { stopAt: /demo --port 0/ })
    assert.match(bare.stderr, /No channel is indexed yet(?:.*\n){1,2}.* add channels\/start\.txt /)
    writeFileSync(join(folder, 'brought.ndjson'), `${LATE_LINE}\n`)
    await telegrep('import brought.ndjson --data brought')
    const brought = await telegrep(`serve --data brought ${dead}`, { stopAt: /demo --port 0/ })
    assert.match(brought.stderr, /^What was imported is not read from the platform\. /m)
    await telegrep('add durov --data served')
    const begun = await telegrep(`serve --data served ${dead}`, { stopAt: /telegrep -- status/ })
    assert.match(begun.stderr, /^Reading 1 channel; /m)
    assert.doesNotMatch(begun.stderr, /No channel/)
  })

  test('the key is taken from --key, else from TELEGREP_KEY', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401, { 'Content-Type': 'application/problem+json' }).end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const line = `search x --url http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { ...options.env, TELEGREP_KEY: 'tgr_env' }
    await telegrep(line, { env })
    await telegrep(`${line} --key tgr_line`, { env })
    await telegrep(line)
    server.close()
    assert.deepEqual(seen, ['Bearer tgr_env', 'Bearer tgr_line', undefined])
    assert.equal(
      (await telegrep('add durov --data keyed', { env })).code,
      0,
      'others do not mind it',
    )
  })

  test('remove --list shows removals with their dates, or says that there are none', async () => {
    await telegrep('add durov --data register')
    const none = await telegrep('remove --list --data register')
    assert.deepEqual([none.stdout, none.stderr], ['', 'The opt-out register is empty.\n'])
    await telegrep('remove durov --reason "asked by mail" --data register')
    const one = await telegrep('remove --list --data register')
    assert.match(one.stdout, /^removed .*\ndurov {4}\d{4}-\d\d-\d\dT[\d:]+Z {2}asked by mail\n$/)
  })

  test('a named pipe is read like a file, a folder is rejected', async () => {
    writeFileSync(join(folder, 'late.ndjson'), LATE_LINE)
    const piped = await telegrep('import <(cat late.ndjson) --data named')
    assert.equal(piped.code, 0, piped.stderr)
    const folded = await telegrep(`import ${folder} --data named`)
    assert.equal(folded.code, 4, folded.stdout)
    assert.match(folded.stderr, /is a folder/)
  })
})
