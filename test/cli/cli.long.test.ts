import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { COMMANDS } from '../../src/cli/commands.ts'
import { displayWidth } from '../../src/cli/print.ts'
import { createProcess } from '../cluster/program-process.ts'
import { until } from '../until.ts'
import { openShell, type Shell } from './shell.ts'
import { makeHome, runLine, runOnTerminal, type Ran, type RunOptions } from './telegrep.ts'

describe('the command line', { concurrency: 2 }, () => {
  let folder: string
  let options: RunOptions
  let shell: Shell
  const telegrep = (line: string, more?: Partial<RunOptions>): Promise<Ran> =>
    shell.run(`telegrep ${line}`, more)

  before(async () => {
    options = makeHome('telegrep-cli-')
    folder = options.cwd
    shell = openShell(options)
    const lines = Array.from({ length: 40 }, (_, i) => ({
      channel: i % 2 === 0 ? 'alpha_news' : 'beta_news',
      id: i + 1,
      date: new Date(Date.now() - i * 3_600_000).toISOString(),
      text: `The river flooded the old town again, report ${i}`,
      title: i % 2 === 0 ? 'Alpha' : 'Бета 新闻',
    }))
    writeFileSync(join(folder, 'good.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'))
    const ran = await telegrep('import good.ndjson --json')
    assert.equal(ran.code, 0, ran.stderr)
    assert.deepEqual(JSON.parse(ran.stdout), {
      added: 40,
      changed: 0,
      unchanged: 0,
      rejected: 0,
      channels: 2,
      too_old: 0,
      joined: 0,
      searchable: 'now',
    })
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('help lists every command, and shows usage, examples and exit codes of one', async () => {
    const general = await telegrep('--help')
    assert.equal(general.code, 0)
    for (const { name } of COMMANDS) assert.ok(general.stdout.includes(name), name)
    for (const line of ['keys --help', 'help keys']) {
      const family = await telegrep(line)
      assert.equal(family.code, 0, line)
      assert.match(family.stdout, /^Commands\n {2}keys create +make an API key/)
    }
    const one = await telegrep('import --help')
    assert.match(one.stdout, /Usage\n {2}telegrep import <file…\|->/)
    assert.match(one.stdout, /Examples\n {2}telegrep import posts\.ndjson/)
    assert.match(one.stdout, /Exit codes\n[^]* 3 +some of the input was rejected/)
  })

  test('help of every command, in either form, prints without running it, within 80 columns', async () => {
    const script = `
      import { runCli } from '${new URL('../../src/cli/cli.ts', import.meta.url).href}'
      import { COMMANDS } from '${new URL('../../src/cli/commands.ts', import.meta.url).href}'
      const { signal } = new AbortController()
      await runCli([], {}, signal)
      for (const { name } of COMMANDS) {
        await runCli(['help', ...name.split(' ')], {}, signal)
        await runCli([...name.split(' '), '--help'], {}, signal)
      }`
    writeFileSync(join(folder, 'help.ts'), script)
    const ran = await runLine(`'${process.execPath}' help.ts`, options)
    assert.equal(ran.stderr, '')
    for (const { name } of COMMANDS)
      assert.equal(ran.stdout.split(`\ntelegrep ${name} — `).length, 3, name)
    for (const line of ran.stdout.split('\n')) assert.ok(displayWidth(line) <= 80, line)
    assert.match(ran.stdout, /--sort <relevance\|newest\|oldest\|views>/)
    assert.match(ran.stdout, /--port <port> +port to listen on \(8080\)/)
  })

  test('--version and --help load little more than the table of commands', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
      const { runCli } = await import('${new URL('../../src/cli/cli.ts', import.meta.url).href}')
      const { signal } = new AbortController()
      await runCli(['--version'], {}, signal)
      await runCli(['--help'], {}, signal)
      console.error(loaded.filter((url) => !/^node:|src\\/(?:cli|text|version|model\\/(?:time|cut-text))/.test(url)).join())`
    writeFileSync(join(folder, 'loaded.ts'), script)
    const ran = await runLine(`'${process.execPath}' loaded.ts`, options)
    assert.match(ran.stdout, /^\d+\.\d+\.\d+\n/)
    assert.equal(ran.stderr, '\n')
  })

  test('a typing error gets a suggestion and exit code 2', async () => {
    for (const [line, words] of [
      ['serch x', /there is no command "serch"; did you mean search\?/],
      ['search x --sotr newest', /did you mean --sort\?/],
      ['search x --sort newset', /--sort: expected one of .*did you mean newest\?/],
      ['keys create', /expected --tier/],
      ['search', /expected words to search for/],
      ['search --data ./mistyped --limit 3', /expected words to search for/],
      ['live', /expected live <channel>; found nothing/],
      ['keys', /keys create, keys list, keys rotate, keys revoke/],
      ['key list', /there is no command "key"; did you mean keys\?/],
      [
        'watch lsit',
        /expected one of watch add, .*; found "watch lsit"; did you mean watch list\?/,
      ],
      ['watch xyz', /expected one of watch add, .*, watch load; found "watch xyz"$/m],
      ['-p 80', /there is no command "-p"; see /],
      ['--hlep', /there is no command "--hlep"; did you mean --help\?/],
      ['search x --format csv --json', /--json and --format csv/],
    ] as const) {
      const ran = await telegrep(line)
      assert.equal(ran.stdout, '', line)
      assert.match(ran.stderr, words, line)
      assert.equal(ran.code, 2, line)
    }
  })

  test('a port in use ends the start with one message', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const ran = await telegrep(`serve --no-crawl --port ${port}`)
    server.close()
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is in use`))
    assert.doesNotMatch(ran.stderr, /at .*\.ts:/)
  })

  test('in a pipe results are plain text and notes go to stderr', async () => {
    const ran = await telegrep('search floods --limit 2')
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.stdout, stripVTControlCharacters(ran.stdout))
    assert.match(ran.stdout, /The river flooded the old town/)
    assert.match(ran.stderr, /40 posts match; searched 40 posts of 2 channels/)
    const some = await telegrep('search floods zebra --limit 2')
    assert.match(
      some.stderr,
      /^no post contains all the words, these contain some; searched 40 posts/,
    )
  })

  test('on a terminal matches are highlighted and tables fit its width', async () => {
    const found = await runOnTerminal('telegrep search floods --limit 1', options)
    assert.ok(
      found.stdout.includes('\u001b[1;33mflooded\u001b[0m'),
      JSON.stringify(found.stdout.slice(0, 400)),
    )
    const listed = await runOnTerminal('telegrep channels', options)
    const lines = stripVTControlCharacters(listed.stdout).split(/\r?\n/)
    assert.ok(lines.some((line) => line.includes('Бета 新闻')))
    for (const line of lines) assert.ok(displayWidth(line) <= 80, `${displayWidth(line)}: ${line}`)
    const narrow =
      'telegrep channels; telegrep channel alpha_news; telegrep status; telegrep doctor --offline 2>doctor.txt'
    const shown = await runOnTerminal(`stty cols 60; ${narrow}`, options)
    for (const line of stripVTControlCharacters(shown.stdout).split(/\r?\n/))
      assert.ok(displayWidth(line) <= 60 || line.includes('telegrep-cli-'), line)
    const apart = await runOnTerminal('telegrep serch 2>note.txt', options)
    assert.equal(apart.code, 2)
    const note = readFileSync(join(folder, 'note.txt'), 'utf8')
    assert.equal(note, stripVTControlCharacters(note), 'a file gets no escapes')
    const plain = await runOnTerminal('NO_COLOR=1 telegrep search floods --limit 1', options)
    assert.ok(!plain.stdout.includes('\u001b[1;33m'))
  })

  test('control characters in files do not reach the terminal', async () => {
    writeFileSync(join(folder, 'names.txt'), '\u001b]0;owned\u0007\u001b[2Jx\n')
    writeFileSync(join(folder, 'bad.ndjson'), '{"a": \u001b[2J}\n')
    for (const line of ['add names.txt', 'import bad.ndjson']) {
      const ran = await telegrep(line)
      assert.equal(ran.code, 3, ran.stderr)
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(ran.stdout + ran.stderr, /[\u0007\u001b]/, line)
    }
  })

  test('a pipe closed early by its reader is not a failure', async () => {
    const ran = await runLine('telegrep export | head -n 1', options)
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(ran.stdout.trim().split('\n').length, 1)
  })

  test('Ctrl-C ends a service cleanly, within seconds', async () => {
    const ran = await telegrep('serve --no-crawl', { stopAt: /answers on/ })
    // A process that takes longer would end itself with 130.
    assert.equal(ran.code, 0, ran.stderr)
  })

  test('commands that only read report a folder without data and do not create it', async () => {
    for (const line of ['status', 'search x', 'doctor --offline', 'export', 'keys list']) {
      const ran = await telegrep(`${line} --data ./mistyped`)
      assert.equal(ran.code, 4, line)
      assert.match(ran.stderr, /there is no data in .*mistyped/)
    }
    assert.ok(!existsSync(join(folder, 'mistyped')))
  })

  test('expected failures are one sentence, never a stack trace', async () => {
    for (const [line, words] of [
      ['backup .', /is not empty/],
      ['backup good.ndjson', /good\.ndjson is a file/],
      ['add durov --data good.ndjson', /: --data .*good\.ndjson: a file stands there/],
      ['search x --url http://127.0.0.1:2', /http:\/\/127\.0\.0\.1:2 does not answer: .*REFUSED/],
    ] as const) {
      const ran = await telegrep(line)
      assert.equal(ran.code, 1, line)
      assert.match(ran.stderr, words, line)
      assert.doesNotMatch(ran.stderr, /\n +at /, line)
    }
  })

  test('arguments after -- are not flags', async () => {
    const ran = await telegrep("search -- --json 'has:x'")
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^telegrep: /)
  })

  test('with --json errors are JSON too', async () => {
    for (const [line, exitCode, code] of [
      ["search 'has:x' --json", 2, 'invalid_query'],
      ['channel nobody_here --json', 4, 'channel_not_indexed'],
      ['serch x --json', 2, 'usage'],
      ['backup . --json', 1, 'failed'],
    ] as const) {
      const ran = await telegrep(line)
      assert.deepEqual([ran.code, ran.stdout], [exitCode, ''], line)
      const problem = JSON.parse(ran.stderr) as { code: string; detail: string }
      assert.equal(problem.code, code, line)
      assert.ok(problem.detail.length > 0 && !problem.detail.includes('\n'), line)
    }
  })

  test('Ctrl-C ends an unfinished command with 130', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    const asked = new Promise((resolve) => server.once('request', resolve))
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const stopped = new AbortController()
    void asked.then(() => stopped.abort())
    const ran = await telegrep(`search x --url http://127.0.0.1:${port}`, {
      stopOn: stopped.signal,
    })
    server.closeAllConnections()
    server.close()
    assert.equal(ran.code, 130, ran.stderr)
    assert.equal(ran.stderr, '')
  })

  test('--all fetches every page', async () => {
    const ran = await telegrep('search floods --limit 15 --all --json')
    const pages = ran.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { data: unknown[] }).data.length)
    assert.deepEqual(pages, [15, 15, 10])
    const first = await telegrep('search floods --limit 15')
    assert.match(first.stderr, /more: --all/)
  })

  test('an empty store says how to fill it, and add names a missing list', async () => {
    const added = await telegrep('add durov nosuchfile.txt --data ./empty')
    assert.equal(added.code, 3)
    assert.match(added.stdout, /durov +added.*\nnosuchfile\.txt +there is no such file/)
    const ran = await telegrep('search x --data ./empty')
    assert.equal(ran.code, 0)
    assert.match(
      ran.stderr,
      /^No post is indexed yet, 1 channel to be read first:\n.* serve --data \S+ +reads, where none runs yet\n.* status /,
    )
  })

  test('invalid lines of an import are reported, valid ones are kept, and the exit code is 3', async () => {
    const good = { channel: 'gamma_news', id: 1, date: '2026-10-01T00:00:00Z', text: 'kept' }
    const lines = [
      JSON.stringify(good),
      '{"channel": "gamma_news", ',
      JSON.stringify({ ...good, id: 2, text: undefined }),
      JSON.stringify({ ...good, id: 3, date: '1999-01-01T00:00:00Z' }),
      JSON.stringify({ ...good, id: 4, text: 'x'.repeat(1_000_001) }),
      JSON.stringify(good),
      JSON.stringify({ ...good, id: 5 }),
      JSON.stringify({ ...good, text: 'another' }),
    ]
    writeFileSync(join(folder, 'bad.ndjson'), lines.join('\n'))
    const ran = await telegrep('import bad.ndjson')
    assert.equal(ran.code, 3)
    assert.match(ran.stdout, /2 added, 0 changed, 1 known already, 5 rejected/)
    for (const place of [
      'bad.ndjson:2: not JSON',
      'bad.ndjson:3: text: expected a string, found nothing',
      'bad.ndjson:4: date:',
      'bad.ndjson:5: ',
      'bad.ndjson:8: gamma_news/1 was already at bad.ndjson:1, and differs',
    ]) {
      assert.ok(ran.stderr.includes(place), `${place}\n${ran.stderr.slice(0, 2000)}`)
    }
    const told = await telegrep('import bad.ndjson --json')
    const [first] = told.stderr.trim().split('\n')
    const { code, where, detail } = JSON.parse(first!) as Record<string, string>
    assert.deepEqual([code, where], ['rejected', 'bad.ndjson:2'])
    assert.match(detail!, /not JSON/)
  })

  test('with --json, commands on something that does not exist print a JSON error and end with exit code 4', async () => {
    for (const line of [
      'import nothing.ndjson',
      'verify nothing.zip',
      'restore nothing',
      'migrate-store --from nothing --to elsewhere',
      'stats nobody_here',
      'export nobody_here',
      'backfill nobody_here',
      'channel nobody_here',
      'keys revoke tgr_nothing',
    ]) {
      const ran = await telegrep(`${line} --json`)
      assert.equal(ran.code, 4, `${line}: ${ran.stderr}`)
      const { code, detail } = JSON.parse(ran.stderr) as Record<string, string>
      assert.ok(code !== undefined && detail !== undefined, ran.stderr)
    }
  })

  test('importing a file of another kind prints one hint or 20 lines, not thousands', async () => {
    const messages = Array.from({ length: 100 }, (_, id) => ({ id, type: 'message', text: 'x' }))
    const whole = { name: 'Alpha', kind: 'notes', id: 1, notes: messages }
    writeFileSync(join(folder, 'result.json'), JSON.stringify(whole, null, 1))
    writeFileSync(join(folder, 'small.json'), JSON.stringify(whole))
    const ran = await telegrep('import result.json small.json good.ndjson')
    assert.equal(ran.code, 3)
    assert.deepEqual(ran.stderr.trim().split('\n'), [
      'result.json:1: expected one JSON object a line (jq -c . makes it so), or the result.json of Telegram Desktop; found an object over many lines',
      'small.json:1: channel: expected a username, found nothing beside name, kind, id, notes',
    ])
    assert.match(ran.stdout, /40 known already, 2 rejected/)
    writeFileSync(join(folder, 'list.txt'), 'no JSON\n'.repeat(1000))
    const flood = await telegrep('import list.txt')
    assert.equal(flood.stderr.trim().split('\n').length, 21)
    assert.match(flood.stderr, /… and 980 more\n$/)
  })

  test('a key can be created, used, rotated and revoked, and its secret is not stored on disk', async (t) => {
    const made = JSON.parse(
      (await telegrep('keys create --tier free --json --data ./keys')).stdout,
    ) as { key: string; prefix: string }
    assert.ok(made.key.startsWith(made.prefix))
    const listed = await telegrep('keys list --data ./keys')
    assert.ok(listed.stdout.includes(made.prefix))
    const args = ['serve', '--no-crawl', '--data', join(folder, 'keys')]
    const log = join(folder, 'keys.log')
    const server = createProcess({ name: 'keys', args, env: options.env!, log })
    await server.start()
    t.after(() => server.kill())
    /** What a server that runs meanwhile makes of a key: its tier, or the code of the refusal. */
    const used = async (key: string) => {
      const reply = await fetch(`${server.address}/v1/meta`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const { data, code } = (await reply.json()) as {
        data?: { tier: string; key: { prefix: string } }
        code?: string
      }
      return data ? `${data.tier} ${data.key.prefix}` : code
    }
    const free = `free ${made.prefix}`
    assert.equal(await used(made.key), free)
    assert.equal(
      await used(`${made.key.slice(0, -1)}${made.key.endsWith('a') ? 'b' : 'a'}`),
      'invalid_key',
    )
    const found = await runLine(
      `grep -r '${made.key.slice(made.prefix.length + 1)}' ./keys`,
      options,
    )
    assert.equal(found.code, 1, 'not found')
    const next = await telegrep(`keys rotate ${made.prefix} --json --data ./keys`)
    const rotated = JSON.parse(next.stdout) as { key: string; prefix: string }
    assert.equal(rotated.prefix, made.prefix)
    assert.notEqual(rotated.key, made.key)
    // A server that has just verified a key accepts it for some seconds more, whatever happens.
    assert.equal(await server.stop(), 0)
    await server.start()
    assert.equal(await used(rotated.key), free)
    assert.equal(await used(made.key), free, 'the first works until the next rotation')
    const third = await telegrep(`keys rotate ${made.prefix} --json --data ./keys`)
    await until(async () => (await used(made.key)) === 'invalid_key')
    assert.equal(await used(rotated.key), free)
    const revoked = await telegrep(`keys revoke ${made.key} --data ./keys`)
    assert.equal(revoked.stderr, `${made.prefix} is revoked: servers refuse it within 5 seconds.\n`)
    const { key: newest } = JSON.parse(third.stdout) as { key: string }
    for (const key of [rotated.key, newest])
      await until(async () => (await used(key)) === 'invalid_key')
    for (const given of [made.key, made.prefix.slice('tgr_'.length)]) {
      const late = await telegrep(`keys rotate ${given} --data ./keys`)
      assert.match(late.stderr, /the key tgr_.{8} is revoked for good; .* keys create --tier /)
      assert.equal(late.code, 1)
    }
  })

  test('remove rejects a malformed post link instead of erasing the channel', async () => {
    const data = '--data ./erasing'
    await telegrep(`import good.ndjson ${data}`)
    for (const link of ['/5/', '/5#x', '/5?comment=1', '/9999999999']) {
      const ran = await telegrep(`remove 'https://t.me/alpha_news${link}' --reason test ${data}`)
      assert.equal(ran.code, 2, `${link}\n${ran.stderr}`)
      assert.match(ran.stderr, /expected a channel such as durov, or a post/)
    }
    const one = await telegrep(
      `remove 'https://t.me/alpha_news/5?single' --reason test --json ${data}`,
    )
    assert.deepEqual(JSON.parse(one.stdout), {
      target: 'alpha_news/5',
      known: true,
      erased_posts: 1,
      forgotten: 'now',
    })
    const slip = await telegrep(`remove alhpa_news --reason test ${data}`)
    assert.match(slip.stderr, /alhpa_news was not archived here.*remove alhpa_news --undo/)
    // Repeating the removal, to be sure, must not suggest to undo it.
    const again = await telegrep(`remove alhpa_news --reason test ${data}`)
    assert.match(again.stderr, /alhpa_news is in the register since before/)
    assert.doesNotMatch(again.stderr, /--undo/)
    const status = await telegrep(`status --json ${data}`)
    const { index } = JSON.parse(status.stdout) as { index: { pending_changes: number } }
    assert.equal(index.pending_changes, 0)
    const left = await telegrep(`export alpha_news ${data}`)
    assert.equal(left.stdout.trim().split('\n').length, 19)
  })

  test('doctor checks the index, and requests to the platform have our User-Agent and count in the budget', async () => {
    const agents: (string | undefined)[] = []
    const server = createServer((request, response) => {
      agents.push(request.headers['user-agent'])
      response.writeHead(500).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const data = '--data ./doctored'
    await telegrep(`import good.ndjson ${data}`)
    const ran = await telegrep(`doctor --json --source-url http://127.0.0.1:${port} ${data}`)
    server.close()
    const bad = (text: string) =>
      (JSON.parse(text) as { findings: { check: string; ok: boolean }[] }).findings
        .filter(({ ok }) => !ok)
        .map(({ check }) => check)
    assert.deepEqual(bad(ran.stdout), ['source'])
    assert.equal(ran.code, 1)
    assert.match(agents[0] ?? '', /^telegrep\//)
    const status = await telegrep(`status --json ${data}`)
    const { requests } = JSON.parse(status.stdout) as { requests: { last_hour: number } }
    assert.equal(requests.last_hour, agents.length)
    rmSync(join(folder, 'doctored/index'), { recursive: true })
    assert.deepEqual(bad((await telegrep(`doctor --offline --json ${data}`)).stdout), ['index'])
  })
})
