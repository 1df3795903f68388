import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Sends SIGINT once this appears on either stream; on a terminal, types Ctrl-C. */
  readonly stopAt?: RegExp
  /** Sends SIGINT when aborted. */
  readonly stopOn?: AbortSignal
  readonly timeoutMs?: number
}

/** A folder whose `bin/telegrep` runs this checkout; to be put on the PATH. */
export function makeBin(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const script = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`
  writeFileSync(join(bin, 'telegrep'), script, { mode: 0o755 })
  return bin
}

/** A folder to run the command line in, with its data below it. */
export function makeHome(prefix: string): RunOptions {
  const cwd = mkdtempSync(join(tmpdir(), prefix))
  const env = {
    PATH: `${makeBin(cwd)}:${process.env['PATH']}`,
    TELEGREP_DATA: join(cwd, 'data'),
    TELEGREP_PORT: '0',
    TELEGREP_LOG: 'error',
  }
  return { cwd, env }
}

/** Runs a line as a shell would, in a pipe. */
export function runLine(line: string, options: RunOptions): Promise<Ran> {
  return run('bash', ['-c', `set -o pipefail; ${line}`], options)
}

/** Runs a line on a terminal of 80 columns, which `script` provides. */
export function runOnTerminal(line: string, options: RunOptions): Promise<Ran> {
  // With the shell named, because dash, unlike bash, dies of a Ctrl-C that the command it waits for has handled.
  const env = { ...options.env, SHELL: '/bin/bash' }
  return run('script', ['-qec', `stty cols 80 rows 24; ${line}`, '/dev/null'], { ...options, env })
}

function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      // A locale that is set but not installed would make bash warn on the error stream.
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...options.env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    let isStopped = false
    const signalAll = (signal: NodeJS.Signals) => {
      try {
        process.kill(-(child.pid as number), signal)
      } catch {
        // It has ended meanwhile.
      }
    }
    const look = () => {
      if (isStopped || !options.stopAt?.test(stdout + stderr)) return
      isStopped = true
      if (command === 'script') child.stdin.write('\x03')
      else signalAll('SIGINT')
    }
    options.stopOn?.addEventListener('abort', () => signalAll('SIGINT'))
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      look()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      look()
    })
    const timer = setTimeout(() => signalAll('SIGKILL'), options.timeoutMs ?? 300_000)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr })
    })
    child.stdin.on('error', () => {})
    if (options.input === undefined && options.stopAt) return
    child.stdin.end(options.input ?? '')
  })
}
