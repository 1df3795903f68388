import { spawn, type ChildProcess } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { payloadOf } from './message.ts'
import type { Sender, SendResult } from './sender.ts'

/**
 * Runs a program of the operator, without a shell, with the message as JSON on its standard input. Exit code 0 means
 * received. It inherits nothing of our environment, which holds secrets; its PATH is a fixed one.
 */

const TIMEOUT_MS = 30_000
/** How long after its exit the rest of its output may take to arrive. */
const LAST_WORDS_MS = 500
const MAX_OUTPUT = 2_000
const PATH = '/usr/local/bin:/usr/bin:/bin'

export function createCommands(timeoutMs = TIMEOUT_MS): Sender {
  return {
    async send({ name, sinks: { command } }, message, signal) {
      const [file, ...args] = command?.argv ?? []
      if (file === undefined) return { kind: 'gone', detail: 'the watch has no command any more' }
      signal.throwIfAborted()
      const input = `${JSON.stringify({ id: message.id, ...payloadOf(message) })}\n`
      let child: ChildProcess
      try {
        // A process group of its own, so that the processes it started are killed with it.
        child = spawn(file, args, {
          detached: true,
          env: { PATH, LANG: 'C.UTF-8', TELEGREP_WATCH: name },
          stdio: ['pipe', 'pipe', 'pipe'],
        })
      } catch (error) {
        return cannotBeRun(error as Error)
      }
      return endOf(child, { input, timeoutMs, signal })
    },
  }
}

/** Whether the program exists on this machine and may be run. */
export async function canRun([file = '']: readonly string[]): Promise<boolean> {
  const places = file.includes('/') ? [file] : PATH.split(':').map((folder) => join(folder, file))
  for (const place of places) {
    if (await access(place, constants.X_OK).then(...YES_OR_NO)) return true
  }
  return false
}

const YES_OR_NO = [() => true, () => false] as const

/** Only the code is told: the error's message may contain the arguments. */
function cannotBeRun({ code, name }: NodeJS.ErrnoException): SendResult {
  return { kind: 'failed', detail: `cannot be run: ${code ?? name}` }
}

/** Waits for the program's exit, not for its pipes: a process that it leaves behind may keep those open for ever. */
async function endOf(
  child: ChildProcess,
  options: { readonly input: string; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<SendResult> {
  const { input, timeoutMs, signal } = options
  const { promise: ended, resolve, reject } = Promise.withResolvers<SendResult>()
  let output = ''
  const hear = (piece: Buffer) => {
    if (output.length < MAX_OUTPUT) output += piece.toString('utf8')
  }
  const judge = (code: number | null, killedBy: string | null) =>
    resolve(resultOf(code, killedBy, output))
  const late = setTimeout(() => {
    resolve({ kind: 'failed', detail: `not done in ${timeoutMs / 1000} s` })
  }, timeoutMs)
  let lastWords: NodeJS.Timeout | undefined
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  child.on('error', (error) => resolve(cannotBeRun(error)))
  child.on('exit', (...how) => (lastWords = setTimeout(judge, LAST_WORDS_MS, ...how)))
  child.on('close', judge)
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  // A program may exit without reading all of its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  try {
    return await ended
  } finally {
    clearTimeout(late)
    clearTimeout(lastWords)
    signal.removeEventListener('abort', stop)
    if (child.exitCode === null && child.signalCode === null) killGroup(child)
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy()
  }
}

function resultOf(code: number | null, killedBy: string | null, output: string): SendResult {
  const how = code === null ? `ended by ${killedBy}` : `exit code ${code}`
  const said = output
    .slice(0, 200)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const detail = `${how}${said === '' ? '' : `: ${said}`}`
  return { kind: code === 0 ? 'sent' : 'failed', detail }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}
