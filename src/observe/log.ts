import { stripVTControlCharacters } from 'node:util'
import { pino, type Logger } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

interface LogOptions {
  /** A person reads it; by default, when stderr is a terminal. */
  readonly terminal?: boolean
  /** By default what the terminal can show and NO_COLOR allows. */
  readonly color?: boolean
}

/**
 * JSON lines to stderr, or one short line each on a terminal. Keys and query text are never given to it; the
 * redaction is a second net.
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

/** Kept for as long as they cannot be written; beyond it lines are lost. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024

function lines() {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES })
  // A full disk is tried again with the next line. Unheard, it would end the process.
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

/** `12:30:01 info visit finished  channel=12 posts=3` */
export function humanLine(record: Record<string, unknown>): string {
  const { level, time, msg, ...fields } = record
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${inline(value)}`)
  const at = typeof time === 'string' ? time.slice(11, 19) : ''
  const colour = COLOURS[String(level)] ?? DIM
  return `${DIM}${at}${RESET} ${colour}${String(level)}${RESET} ${String(msg)}  ${DIM}${rest.join(' ')}${RESET}`
}

function inline(value: unknown): string {
  // Names come from files and pages: what would steer the terminal is shown, not obeyed.
  if (typeof value === 'string')
    return /[\s"\p{Cc}]/u.test(value)
      ? JSON.stringify(value).replaceAll(/[\u007f-\u009f]/g, '\ufffd')
      : value
  if (typeof value === 'object' && value !== null && 'stack' in value) return String(value.stack)
  return JSON.stringify(value)
}
