import { spawn } from 'node:child_process'
import { payloadOf } from './message.ts'
import type { Sender, SendResult } from './sender.ts'

/**
 * Runs a program of the operator's, without a shell, and gives it the message as JSON on its standard input. Exit code 0 is a
 * receipt. It sees nothing of our environment, which holds secrets, but where programs are found.
 */

const TIMEOUT_MS = 30_000
const MAX_OUTPUT = 2_000
const PATH = '/usr/local/bin:/usr/bin:/bin'

export function createCommands(timeoutMs = TIMEOUT_MS): Sender {
  return {
    async send({ name, sinks: { command } }, message, signal) {
      const [file, ...args] = command?.argv ?? []
      if (file === undefined) return { kind: 'gone', detail: 'the watch has no command any more' }
      return new Promise<SendResult>((resolve, reject) => {
        // A group of its own, so that what it started ends with it.
        const child = spawn(file, args, {
          detached: true,
          env: { PATH, LANG: 'C.UTF-8', TELEGREP_WATCH: name },
          stdio: ['pipe', 'pipe', 'pipe'],
        })
        const end = () => {
          try {
            if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
          } catch {
            // It has ended by itself.
          }
        }
        let output = ''
        const hear = (piece: Buffer) => {
          if (output.length < MAX_OUTPUT) output += piece.toString('utf8')
        }
        let isLate = false
        const timer = setTimeout(() => {
          isLate = true
          end()
        }, timeoutMs)
        signal.addEventListener('abort', end, { once: true })
        const done = (result: SendResult) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          if (signal.aborted) reject(signal.reason as Error)
          else resolve(result)
        }
        child.stdout.on('data', hear)
        child.stderr.on('data', hear)
        child.on('error', (error: NodeJS.ErrnoException) => {
          done({ kind: 'failed', detail: `cannot be run: ${error.code ?? error.message}` })
        })
        child.on('close', (code, killedBy) => {
          if (isLate) return done({ kind: 'failed', detail: `not done in ${timeoutMs / 1000} s` })
          const said = output
            .slice(0, 200)
            .replaceAll(/[\s\p{Cc}]+/gu, ' ')
            .trim()
          const how = code === null ? `ended by ${killedBy}` : `exit code ${code}`
          const detail = `${how}${said === '' ? '' : `: ${said}`}`
          return done({ kind: code === 0 ? 'sent' : 'failed', detail })
        })
        // A program may end without reading all of it.
        child.stdin.on('error', () => {})
        child.stdin.end(`${JSON.stringify({ id: message.id, ...payloadOf(message) })}\n`)
      })
    },
  }
}
