import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import { UsageError, operandCounts, type Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { inputOf } from './operation-flags.ts'
import { readLine } from './read-line.ts'

const QUERIES = ['search', 'follow', 'live', 'changes', 'channel', 'post', 'channels']
const command = (name: string) => COMMANDS.find((c) => c.name === name) as Command
const words = (n: number) => Array.from({ length: n }, (_, i) => `word${i}`)

test('every command rejects too many or too few operands', async () => {
  for (const c of COMMANDS) {
    const [min, max] = operandCounts(c)
    if (max < Infinity)
      await assert.rejects(readLine(c, words(max + 1), {}), /expected .*; found .*"word0"/, c.name)
    if (min > 0) await assert.rejects(readLine(c, words(min - 1), {}), UsageError, c.name)
    assert.notEqual(await readLine(c, words(min), {}), 'help', c.name)
    if (max > 0) assert.match(c.operands!, /^[<[].+[>\]]$/, c.name)
  }
})

test('--help wins over too many operands', async () => {
  for (const c of COMMANDS) assert.equal(await readLine(c, [...words(9), '-h'], {}), 'help', c.name)
})

test('a path in a flag is relative to the caller’s folder, one in a variable to the working directory', async () => {
  const npm = { npm_lifecycle_event: 'x', npm_package_json: `${process.cwd()}/package.json` }
  const env = { ...npm, INIT_CWD: '/home/ann' }
  const dataOf = async (args: readonly string[], more = {}) => {
    const line = await readLine(command('status'), args, { ...env, ...more })
    return line === 'help' ? line : line.config.dataFolder
  }
  assert.equal(await dataOf(['--data', 'mine']), '/home/ann/mine')
  assert.equal(await dataOf(['--data', '/var/mine']), '/var/mine')
  assert.equal(await dataOf([], { TELEGREP_DATA: 'mine' }), `${process.cwd()}/mine`)
})

test('an invalid value is reported by the flag or the variable it came from', async () => {
  const read = readLine(command('serve'), ['--port', 'eighty'], { TELEGREP_CRAWL_RATE: 'slow' })
  await assert.rejects(read, /^ {2}--port accepts a port.*\n {2}TELEGREP_CRAWL_RATE accepts /m)
})

test('only queries accept --url, and only a complete address', async () => {
  for (const c of COMMANDS) {
    const read = readLine(c, [...words(operandCounts(c)[0]), '--url', 'http://localhost:1'], {})
    if (QUERIES.includes(c.name)) assert.equal(((await read) as { url: string }).url.length, 18)
    else await assert.rejects(read, /unknown option '--url'.*local data/, c.name)
  }
  for (const url of ['localhost:8080', 'ftp://x', 'x', '']) {
    await assert.rejects(readLine(command('search'), ['x', '--url', url], {}), /--url/, url)
  }
  await assert.rejects(readLine(command('search'), ['x', '--key', 'k'], {}), /with --url/)
})

test('a short flag that does not exist is not taken for a word to exclude', async () => {
  await assert.rejects(
    readLine(command('search'), ['snow', '-n', '3'], {}),
    /unknown option '-n'; did you mean --limit\?$/,
  )
})

test('a word to exclude that looks like a flag is rejected with a hint to quote the query', async () => {
  await assert.rejects(
    readLine(command('search'), ['bank', '--data', 'x', '-crypto', '--json', '--limit=3'], {}),
    /quote the query: search 'bank -crypto'$/,
  )
  // In some languages, a word is as short as a flag.
  for (const word of ['犬', 'я']) {
    const hint = new RegExp(`quote the query: search 'snow -${word}'$`)
    await assert.rejects(readLine(command('search'), ['snow', `-${word}`], {}), hint)
  }
  // The shell has taken the quotes away already.
  await assert.rejects(
    readLine(command('follow'), ['-crypto lang:en'], {}),
    /quote the query: follow -- '-crypto lang:en'$/,
  )
  const read = await readLine(command('follow'), ['--', '-crypto lang:en'], {})
  assert.ok(read !== 'help')
  assert.deepEqual(read.operands, ['-crypto lang:en'])
})

test('a flag without its value is named, with what was found and how a value with a hyphen is written', async () => {
  const refused = (args: string[], message: string) =>
    assert.rejects(readLine(command('export'), args, {}), { name: 'UsageError', message })
  await refused(
    ['--query', '-pie apple'],
    `expected a value after --query; found "-pie apple"; write --query='-pie apple' if that is the value`,
  )
  await refused(['--query', '--json'], 'expected a value after --query; found "--json"')
  await refused(['--since'], 'expected a value after --since; found nothing')
  await refused(
    ['--output', '-', '--nosuch'],
    `unknown option '--nosuch'; see npm run --silent telegrep -- export --help`,
  )
  const read = await readLine(command('export'), ['--query=-pie apple', '--output', '-'], {})
  assert.ok(read !== 'help' && read.flags['query'] === '-pie apple')
})

test('a boolean is given as --flag or --no-flag, never as a value', async () => {
  const channels = command('channels')
  for (const [flag, verified] of [
    ['--verified', true],
    ['--no-verified', false],
  ] as const) {
    const read = await readLine(channels, ['news', flag], {})
    assert.ok(read !== 'help')
    assert.deepEqual(inputOf(TYPED_CATALOGUE.list_channels, read.flags), { verified })
  }
  for (const args of [['--verified', 'false'], ['--verified=false']])
    await assert.rejects(readLine(channels, args, {}), /expected --verified or --no-verified/)
  const words = await readLine(channels, ['--', '--verified', 'false'], {})
  assert.ok(words !== 'help')
  assert.deepEqual(words.operands, ['--verified', 'false'])
})

test('a flag takes precedence over its variable', async () => {
  const read = await readLine(command('serve'), ['--port', '99'], { TELEGREP_PORT: '88' })
  assert.ok(read !== 'help' && read.config.port === 99)
})
