import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { makeHome, runLine, type RunOptions } from './telegrep.ts'

describe('completion', () => {
  let options: RunOptions

  before(() => {
    options = makeHome('telegrep-completion-')
  })
  after(() => rmSync(options.cwd, { recursive: true, force: true }))

  test('in bash completes commands, flags and their values', async () => {
    const script = `
      eval "$(telegrep completion bash)"
      offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _telegrep; echo "\${COMPREPLY[*]}"; }
      offer telegrep se
      offer telegrep keys ro
      offer telegrep watch re
      offer telegrep watch add --ed
      offer telegrep serve --p
      offer telegrep crawl --crawl-r
      offer telegrep search x --sort ''
      offer telegrep search x --sort newest --format c
      offer telegrep completion z
      offer telegrep verify x --key b
      offer telegrep serve --data b`
    const ran = await runLine(script, options)
    assert.equal(ran.stderr, '')
    assert.deepEqual(ran.stdout.trim().split('\n'), [
      'serve search',
      'rotate',
      'remove resend',
      '--edits --edited',
      '--port',
      '--crawl-rate',
      'relevance newest oldest views',
      'csv',
      'zsh',
      'bin',
      'bin',
    ])
  })

  test('for zsh has commands, flags and values with their descriptions', async () => {
    const { stdout } = await runLine('telegrep completion zsh', options)
    assert.match(stdout, /^#compdef telegrep\n/)
    assert.match(stdout, /firsts=\('serve:API, web page, .*'watch:add, list, test/)
    assert.match(stdout, /watch\) seconds=\('add:save a search and be notified .*'list:list the/)
    const search = /^ {4}'search'\) (.*) ;;$/m.exec(stdout)?.[1] ?? ''
    assert.match(search, /'--sort\[order; .*?\]:value:\(relevance newest oldest views\)'/)
    assert.match(search, /'--has\[.*?\]:value:_values -s , value photo video /)
    assert.match(stdout, /'watch add'\) _arguments '--name\[what you call it\]:value:' /)
  })

  test('for fish has the same, and --json wraps the script', async () => {
    const ran = await runLine('telegrep completion fish --json', options)
    const { script } = JSON.parse(ran.stdout) as { script: string }
    assert.match(script, /behind serve' -l port -x -d 'port to listen/)
    assert.match(script, /behind serve' -l data -r -d /)
    assert.match(
      script,
      /behind search' -l sort -x -a 'relevance newest oldest views' -d 'order; `relevance`/,
    )
    assert.match(script, /-n '__telegrep_at watch' -a test -d 'send a test now/)
  })

  for (const [shell, line] of [
    ['zsh', 'telegrep completion zsh | zsh -n'],
    ['fish', 'telegrep completion fish | fish --no-execute /dev/stdin'],
  ] as const) {
    const isHere = spawnSync(shell, ['--version']).error === undefined
    const skip = isHere ? false : `${shell} is not installed`
    test(`for ${shell} is valid syntax`, { skip }, async () => {
      const { code, stderr } = await runLine(line, options)
      assert.deepEqual([code, stderr], [0, ''])
    })
  }
})
