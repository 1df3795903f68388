import { stripVTControlCharacters } from 'node:util'
import { pino, type Logger } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

interface LogOptions {
  /** Whether a person reads it; by default, when stderr is a terminal. */
  readonly terminal?: boolean
  /** By default, if the terminal has colours and NO_COLOR does not forbid them. */
  readonly color?: boolean
}

/**
 * Writes JSON lines to stderr, or short readable lines on a terminal. Keys and query text are never passed to it; the
 * redaction is a second safeguard.
 */
export function createLog(level: LogLevel, given: LogOptions = {}): Logger {
  const { terminal = process.stderr.isTTY, color = terminal && process.stderr.hasColors() } = given
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['key', 'authorization', 'headers.authorization', 'headers["x-api-key"]', 'q'],
  }
  return pino(options, terminal ? humanStream(color) : lines())
}

/** Lines that cannot be written are kept up to this size; beyond it, lines are lost. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024

function lines() {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES })
  // After an error, such as a full disk, the next line is tried again. Without a listener the error would end the process.
  destination.on('error', () => {})
  return destination
}

const COLOURS: Readonly<Record<string, string>> = {
  error: '\u001b[31m',
  warn: '\u001b[33m',
  info: '\u001b[32m',
}
const DIM = '\u001b[2m'
const RESET = '\u001b[0m'

function humanStream(color: boolean): { write(line: string): void } {
  return {
    write(line) {
      const text = humanLine(JSON.parse(line) as Record<string, unknown>)
      process.stderr.write(`${color ? text : stripVTControlCharacters(text)}\n`)
    },
  }
}

/** For example `12:30:01 info visit finished  channel=12 posts=3`. */
export function humanLine(record: Record<string, unknown>): string {
  const { level, time, msg, ...fields } = record
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${inline(value)}`)
  const at = typeof time === 'string' ? time.slice(11, 19) : ''
  const colour = COLOURS[String(level)] ?? DIM
  return `${DIM}${at}${RESET} ${colour}${String(level)}${RESET} ${String(msg)}  ${DIM}${rest.join(' ')}${RESET}`
}

function inline(value: unknown): string {
  // Names come from files and pages: control characters are escaped, so that they cannot steer the terminal.
  if (typeof value === 'string')
    return /[\s"\p{Cc}]/u.test(value)
      ? JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, '\ufffd')
      : value
  if (typeof value === 'object' && value !== null && 'stack' in value) return String(value.stack)
  return JSON.stringify(value)
}
