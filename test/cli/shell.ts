import { fork } from 'node:child_process'
import { once } from 'node:events'
import { runLine, type Ran, type RunOptions } from './telegrep.ts'

/** A command line of `telegrep` alone, without pipes and the like. */
const PLAIN = /^telegrep (?:[^|&;<>$*#"']|"[^"$]*"|'[^']*')+$/
/** Commands that use the standard streams directly, or run until they are stopped. */
const OWN_PROCESS =
  /^telegrep (?:serve|demo|crawl|index|follow|mcp|export(?!.*--output)|(?:add|import) -)(?: |$)/
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g

export interface Shell extends AsyncDisposable {
  /** In a separate process if any option is given. */
  run(line: string, more?: Partial<RunOptions>): Promise<Ran>
}

/**
 * Runs lines one after the other as a shell would; plain `telegrep` lines run in one process that loads the program once.
 * That process has to end by itself when no line is left, so commands must leave nothing open.
 */
export function openShell(options: Pick<RunOptions, 'cwd' | 'env'>): Shell {
  let started: ReturnType<typeof start> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function runHere(line: string): Promise<Ran> {
    // Started late: if all tests of a file are skipped, nobody would end it.
    const { child, ended } = (started ??= start(options))
    const [, ...argv] = [...line.matchAll(WORD)].map(([word]) => unquoted(word))
    child.send(argv)
    const [answer] = (await Promise.race([
      once(child, 'message'),
      ended.then(() => Promise.reject(new Error(`the process of the command line ended: ${line}`))),
    ])) as [Ran]
    return answer
  }

  return {
    run(line, more) {
      if (more || !PLAIN.test(line) || OWN_PROCESS.test(line))
        return runLine(line, { ...options, ...(more ?? { input: '' }) })
      const ran = turn.then(() => runHere(line))
      turn = ran.catch(() => {})
      return ran
    },
    async [Symbol.asyncDispose]() {
      await turn
      if (started?.child.connected) started.child.disconnect()
      await started?.ended
    },
  }
}

function start({ cwd, env }: Pick<RunOptions, 'cwd' | 'env'>) {
  const child = fork(new URL('shell-child.ts', import.meta.url), {
    cwd,
    env: { ...process.env, ...env },
    execArgv: [],
  })
  return { child, ended: once(child, 'exit') }
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, a: string = '', b: string = '') => a + b)
}
