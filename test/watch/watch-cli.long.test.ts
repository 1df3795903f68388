import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import RssParser from 'rss-parser'
import { Webhook } from 'standardwebhooks'
import { testWatch } from '../../src/cli/commands/watch-test.ts'
import { createPrinter } from '../../src/cli/print.ts'
import { addChannel, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { openShell, type Shell } from '../cli/shell.ts'
import { makeHome, type RunOptions } from '../cli/telegrep.ts'
import { startService, type Service } from '../start-service.ts'
import { until } from '../until.ts'
import { startReceiver, type Receiver } from './receiver.ts'

/** The code blocks of a language under a heading of the recipes. */
function blocks(heading: string, language: string): string[] {
  const text = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8')
  const [, part = ''] = text.split(new RegExp(`^## ${heading}$`, 'm'))
  const [own = ''] = part.split(/^## /m)
  return [...own.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map((m) => m[1]!)
}

describe('watches on the command line, and the recipes in the docs', () => {
  let service: Service
  let receiver: Receiver
  let home: RunOptions
  let shell: Shell
  const run = (line: string) => shell.run(line)

  before(async () => {
    receiver = await startReceiver()
    receiver.answer = (response) => response.end('{"ok":true}')
    service = await startService({ world: { channels: 1 } })
    home = makeHome('telegrep-recipes-')
    writeFileSync(join(home.cwd, 'bot-token'), '12345:token\n')
    home = { ...home, env: { ...home.env, TELEGREP_DATA: service.folder } }
    shell = openShell(home)
    await publish(1, 'The election is near')
    await service.settled()
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    rmSync(home.cwd, { recursive: true, force: true })
  })

  async function publish(number: number, text: string): Promise<void> {
    const { store } = service.app
    const known = await store.archive.channel('newsroom')
    const { id } = known ?? (await addChannel(store, 'newsroom', Date.now()))
    const posts = [samplePost(number, { text, publishedAt: Date.now() - 1000 })]
    await store.archive.record(sampleReading(id, { at: Date.now(), posts }))
  }

  /** Runs the lines of a recipe against our own receivers; resolves to what the last of them printed. */
  async function follow(heading: string): Promise<string> {
    const lines = blocks(heading, 'bash')
      .join('')
      .replaceAll(/http:\/\/127\.0\.0\.1:5678/g, receiver.url)
      .replaceAll(/(https:\/\/hooks\.slack\.com)(\S+)/g, `${receiver.url}$2 --allow-private`)
    const ran = await run(`set -e\n${lines}`)
    assert.equal(ran.code, 0, `${lines}\n${ran.stdout}\n${ran.stderr}`)
    return ran.stdout
  }

  test('n8n: a running service posts matches with a valid signature', async () => {
    const secret = (await follow('n8n')).trim()
    await publish(2, 'The election is tomorrow')
    const isOurs = ({ path }: { path: string }) => path === '/webhook/telegrep'
    await until(() => receiver.received.some(isOurs))
    const { body, headers } = receiver.received.find(isOurs)!
    const told = new Webhook(secret).verify(body, headers as Record<string, string>)
    assert.equal((told as { data: { post: { id: string } } }).data.post.id, 'newsroom/2')
    const [code] = blocks('n8n', 'js')
    const tools = { require: createRequire(import.meta.url), Buffer }
    const isGenuine = runInNewContext(`${code}\nisGenuine`, tools) as (
      headers: object,
      body: string,
      secret: string,
    ) => boolean
    assert.equal(isGenuine(headers, body, secret), true)
    assert.equal(isGenuine(headers, `${body} `, secret), false)
  })

  test('a Telegram bot: sends to the chat', async () => {
    const [lines = ''] = blocks('A Telegram bot', 'bash')
    const [added, tested] = lines.trim().split(/\n(?=telegrep watch test)/)
    const ran = await run(`set -e\n${added}`)
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(tested, 'telegrep watch test bot')
    // In this process, where the Bot API can be another one than Telegram's.
    const { config } = service.app
    const bot = { origin: receiver.url, token: '12345:token' }
    const printed: string[] = []
    const exit = await testWatch({
      operands: ['bot'],
      flags: {},
      json: false,
      folder: home.cwd,
      url: null,
      config: { ...config, senders: { ...config.senders, bot } },
      secrets: { secret: null, key: null },
      print: { ...createPrinter({ color: false }), line: (text = '') => void printed.push(text) },
      signal: new AbortController().signal,
    })
    assert.equal(exit, 'ok')
    assert.match(printed.join('\n'), /telegram {2}sent/)
    const sent = receiver.received.find(({ path }) => path === '/bot12345:token/sendMessage')
    assert.match(sent!.body, /"chat_id":"@mychannel"/)
  })

  test('Slack: gets a body with nothing but a text', async () => {
    assert.match(await follow('Slack'), /webhook {3}sent/)
    const sent = receiver.received.find(({ path }) => path.startsWith('/services/'))
    assert.deepEqual(Object.keys(JSON.parse(sent!.body) as object), ['text'])
  })

  test('a cron line: appends new posts to a file', async () => {
    await until(async () => {
      await follow('A cron line')
      return readFileSync(join(home.cwd, 'election.ndjson'), 'utf8').includes('newsroom/2')
    })
  })

  test('a feed reader: reads the matches, at an address that cannot be guessed', async () => {
    const [rss = '', json = ''] = (await follow('A feed reader')).trim().split('\n')
    const here = (address: string) => address.replace(/^https?:\/\/[^/]+/, service.url)
    await publish(3, 'The election was yesterday <b>')
    const reader = new RssParser()
    await until(async () => (await reader.parseURL(here(rss))).items.length > 0)
    const feed = await reader.parseURL(here(rss))
    assert.deepEqual(
      feed.items.map(({ link }) => link),
      ['https://t.me/newsroom/3'],
    )
    const items = (await (await fetch(here(json))).json()) as { items: { url: string }[] }
    assert.equal(items.items[0]?.url, 'https://t.me/newsroom/3')
    const other = here(rss).replace(/\/[\w-]+\.rss$/, `/${'x'.repeat(32)}.rss`)
    assert.equal((await fetch(other)).status, 404)
  })

  test('watch add --everything watches all posts', async () => {
    const added = await run('telegrep watch add --everything --name all --feed')
    assert.equal(added.code, 0, added.stderr)
    const [rss = ''] = added.stdout.trim().split('\n')
    assert.match((await run('telegrep watch list')).stdout, /^all +everything +feed/m)
    const listed = JSON.parse((await run('telegrep watch list --json')).stdout) as {
      name: string
      query: object
    }[]
    const { query } = listed.find(({ name }) => name === 'all')!
    assert.deepEqual(query, { everything: true })
    await publish(4, 'Something else altogether')
    const address = rss.replace(/^https?:\/\/[^/]+/, service.url)
    const items = async () => (await new RssParser().parseURL(address)).items
    await until(async () => (await items()).some(({ link }) => link === 'https://t.me/newsroom/4'))
    assert.equal((await run('telegrep watch remove all')).code, 0)
  })

  test('watch load reads a file relative to the folder of the caller', async () => {
    const below = join(home.cwd, 'below')
    mkdirSync(below)
    writeFileSync(
      join(below, 'mine.json'),
      JSON.stringify([{ name: 'ferries', q: 'ferry', feed: true, once_per_story: true }]),
    )
    const npm = `npm_lifecycle_event=telegrep npm_package_json=${join(home.cwd, 'package.json')}`
    const loaded = await run(`${npm} INIT_CWD=${below} telegrep watch load mine.json`)
    assert.equal(loaded.code, 0, loaded.stderr)
    assert.match((await run('telegrep watch list')).stdout, /^ferries +ferry +feed/m)
    assert.equal((await run('telegrep watch load mine.json')).code, 4)
  })

  test('watch load names the invalid watch in a file, and says how a malformed query was read', async () => {
    const load = (...watches: readonly object[]) => {
      writeFileSync(join(home.cwd, 'some.json'), JSON.stringify(watches))
      return run('telegrep watch load some.json')
    }
    const whole = { name: 'whole', q: '(ferry OR', feed: true }
    const wrong = await load(whole, { name: 'half', q: 'ferry' })
    assert.match(wrong.stderr, /^telegrep: some\.json, watch half: expected whom to tell/m)
    const nameless = await load(whole, { q: 'ferry', feed: true })
    assert.match(nameless.stderr, /some\.json, watch number 2: expected a name/)
    assert.deepEqual([wrong.code, nameless.code], [2, 2])
    const loaded = await load(whole)
    assert.match(loaded.stderr, /^whole: expected a word or group after OR.*read as: \(ferry\)$/m)
    assert.equal((await run('telegrep watch remove whole')).code, 0)
  })

  test('watch add warns about a missing program and saves the watch all the same', async () => {
    const there = await run(`telegrep watch add ferry --name there --command 'cat -u'`)
    assert.doesNotMatch(there.stderr, /no program/)
    const away = await run(`telegrep watch add ferry --name away --command '/no/such/file x'`)
    assert.equal(away.code, 0, away.stderr)
    assert.match(away.stderr, /There is no program \/no\/such\/file here that can be run/)
  })

  test('watch add reports mistakes and saves nothing', async () => {
    const fails = async (line: string, code: number, words: RegExp) => {
      const ran = await run(line)
      assert.equal(ran.code, code, `${line}\n${ran.stderr}`)
      assert.match(ran.stderr, words, line)
    }
    const to = '--name wrong --feed'
    await fails(
      `telegrep watch add 'election' --name wrong`,
      2,
      /to tell: --webhook <address>, .* or --feed, such as/,
    )
    await fails(`telegrep watch add 'election' ${to} --digest 1s`, 2, /digest of 1m to 24h/)
    await fails(`telegrep watch add '(a OR' --strict ${to}`, 2, /expected|closed|parenthes/i)
    await fails(`telegrep watch add 'x' --name wrong --webhook http://127.0.0.1:1/`, 2, /private/)
    await fails(`telegrep watch add ${to}`, 2, /words to look for.*--everything tells every post/)
    await fails(`telegrep watch add election --everything ${to}`, 2, /found both/)
    await fails(`telegrep watch add x --name ,x --feed`, 2, /digits, dots, - and _/)
    await fails(`telegrep watch remove nobody`, 4, /no watch nobody/)
    const listed = await run('telegrep watch list --json')
    const watches = JSON.parse(listed.stdout) as { name: string }[]
    assert.ok(!watches.some(({ name }) => name === 'wrong'))
    assert.ok(!listed.stdout.includes('whsec_') && !listed.stdout.includes('/services/'))
  })
})
