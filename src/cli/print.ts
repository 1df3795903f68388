import { stripVTControlCharacters } from 'node:util'
import { cutText } from '../model/cut-text.ts'

/** Where a command writes: results to stdout, everything else to stderr. Nothing else uses the two streams. */
export interface Printer {
  /** A result. */
  line(text?: string): void
  /** A result for programs. */
  json(value: unknown): void
  /** A message besides the result. */
  note(text: string): void
  /** A progress line, overwritten in place on a terminal and left out elsewhere; undefined clears it. */
  progress(text: string | undefined): void
  /** Whether `progress` shows anything. */
  readonly showsProgress: boolean
  /** For results. */
  readonly style: Style
  /** For notes: the two streams may lead to different places. */
  readonly noteStyle: Style
  /** Columns of the terminal that results are written to; 100 when there is none. */
  readonly width: number
  readonly isTerminal: boolean
}

/** The control code of each style; `mark` is for a match in a snippet. */
const CODES = { bold: '1', dim: '2', red: '31', green: '32', mark: '1;33' } as const

type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>

const CONTROLS =
  // oxlint-disable-next-line no-control-regex
  /(?!\u001b\[(?:[012]|3[12]|1;33)m)[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g

/** JSON escapes control characters below U+0020, but not these, which also control a terminal. */
const RAW_CONTROLS = /[\u007f-\u009f]/g
const escaped = (control: string) => `\\u00${control.charCodeAt(0).toString(16)}`

/** Removes control sequences, which names, posts and files may contain. Line ends, tabs and our own colours stay. */
export function stripControls(text: string): string {
  return text.replace(CONTROLS, '')
}

const MAX_FOREIGN = 300

/**
 * What a stranger's file says, as part of a line: without line ends, control sequences and characters that reorder text, without
 * our own colours too, and not endless. Otherwise it could write a line that looks like ours.
 */
export function foreign(text: string): string {
  return cutText(text, MAX_FOREIGN).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
}

/** The standard streams, or replacements for them. */
export interface Streams {
  readonly stdout: Stream
  readonly stderr: Stream
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'isTTY'>

export function createPrinter(
  options: { readonly color: boolean },
  { stdout, stderr }: Streams = process,
): Printer {
  let progressShown = false
  const clear = () => {
    if (progressShown) stderr.write('\r\u001b[K')
    progressShown = false
  }
  return {
    line(text = '') {
      clear()
      stdout.write(`${stripControls(text)}\n`)
    },
    json(value) {
      clear()
      stdout.write(`${JSON.stringify(value).replace(RAW_CONTROLS, escaped)}\n`)
    },
    note(text) {
      clear()
      stderr.write(`${stripControls(text)}\n`)
    },
    progress(text) {
      clear()
      if (text === undefined || !stderr.isTTY) return
      stderr.write(stripControls(text).slice(0, (stderr.columns ?? 100) - 1))
      progressShown = true
    },
    showsProgress: stderr.isTTY,
    style: createStyle(options.color && stdout.isTTY),
    noteStyle: createStyle(options.color && stderr.isTTY),
    // Some terminals report no width, or 0.
    width: (stdout.isTTY && stdout.columns) || 100,
    isTerminal: stdout.isTTY,
  }
}

function createStyle(color: boolean): Style {
  const styles = Object.entries(CODES).map(([name, code]) => [
    name,
    (text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text),
  ])
  return Object.fromEntries(styles) as Style
}

/** How many columns a text takes: East Asian wide characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0
  for (const char of stripVTControlCharacters(text)) {
    if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(char)) continue
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
        char,
      )
        ? 2
        : 1
  }
  return width
}
