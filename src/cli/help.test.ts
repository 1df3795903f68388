import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { commandHelp, shownFlags } from './help.ts'

const PAGE = { width: 80, style: new Proxy({}, { get: () => (text: string) => text }) as never }

test('help lists every flag of its examples and never uses the names of API parameters', async () => {
  let seen = 0
  for (const command of COMMANDS) {
    const { name, examples } = command
    const flags = Object.keys(await shownFlags(command))
    for (const [, args = ''] of Object.keys(examples).join('\n').matchAll(lineOf(name)))
      for (const [, flag = ''] of args.matchAll(/ --([\w-]+)/g)) {
        assert.ok(flags.includes(flag), `${name} --${flag}`)
        seen++
      }
    assert.doesNotMatch(await commandHelp(command, PAGE), /`q`|`\w+=|Last-Event-ID/, name)
  }
  assert.ok(seen > 20, `${seen} flags in examples`)
})

test('help of follow says nothing about pages of results, which it does not have', async () => {
  const follow = COMMANDS.find(({ name }) => name === 'follow')!
  assert.doesNotMatch(await commandHelp(follow, PAGE), /clipped|poll with|`total`|the reply/i)
})

/** What follows a command's name, up to the next command of the line. */
function lineOf(name: string): RegExp {
  return new RegExp(`telegrep ${name}\\b([^|&>\\n]*)`, 'g')
}

test('help indents the continuation of a long list of values and describes both --flag and --no-flag', async () => {
  const help = async (name: string) =>
    commandHelp(
      COMMANDS.find((command) => command.name === name)!,
      PAGE,
    )
  assert.match(await help('search'), /^ {2}--has <photo\|.*\|\n {6}\w+.*>$/m)
  const channels = await help('channels')
  assert.match(channels, /^ {2}--verified +only verified channels$/m)
  assert.match(channels, /^ {2}--no-verified +only unverified ones$/m)
})
