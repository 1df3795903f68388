import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { makeHome, runLine } from './telegrep.ts'
import type { RunOptions } from './telegrep.ts'

describe('completion', () => {
  let options: RunOptions

  before(() => {
    options = makeHome('telegrep-completion-')
  })
  after(() => rmSync(options.cwd, { recursive: true, force: true }))

  test('bash is offered commands, all flags the help shows, and the words a flag takes', async () => {
    const script = `
      eval "$(telegrep completion bash)"
      offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _telegrep; echo "\${COMPREPLY[*]}"; }
      offer telegrep se
      offer telegrep keys ro
      offer telegrep serve --p
      offer telegrep crawl --crawl-r
      offer telegrep search x --sort ''
      offer telegrep search x --sort newest --format c
      offer telegrep serve --data b`
    const ran = await runLine(script, options)
    assert.equal(ran.stderr, '')
    assert.deepEqual(ran.stdout.trim().split('\n'), [
      'serve search',
      'rotate',
      '--port',
      '--crawl-rate',
      'relevance newest oldest views',
      'csv',
      'bin',
    ])
  })

  test('fish is offered the same, and JSON holds the script', async () => {
    const ran = await runLine('telegrep completion fish --json', options)
    const { script } = JSON.parse(ran.stdout) as { script: string }
    assert.match(script, /seen_subcommand_from serve' -l port -r\n/)
    assert.match(
      script,
      /seen_subcommand_from search' -l sort -x -a 'relevance newest oldest views'/,
    )
  })
})
