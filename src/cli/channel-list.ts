import { parseChannelName } from '../model/channel-name.ts'
import { channelLines } from '../operator-files.ts'

/** Headings of a column of channels, in any case. */
const HEADINGS =
  /^(?:user_?name|channel|channels|channel_?name|handle|telegram|link|url|t\.me|name|канал|ссылка)$/i
const DELIMITERS = [',', ';', '\t'] as const

/**
 * The channels of a file: one per line, with `#` before comments; or a table (CSV, also with semicolons or tabs), of which
 * the column named after channels is taken or, if none is, the one that holds the most of them.
 */
export function channelsIn(text: string): string[] {
  const whole = text.replace(/^\ufeff/, '')
  const rows = tableOf(whole)
  if (!rows) return channelLines(whole)
  const [head = [], ...rest] = rows
  const named = [...head.keys()].filter((i) => HEADINGS.test(head[i]!.trim()))
  const columns = named.length > 0 ? named : [...head.keys()]
  const column = fullest(rest.length > 0 ? rest : rows, columns)
  // The first row is a heading if it looks less like a channel than the rows below it.
  const below = rest.reduce((most, row) => Math.max(most, weight(row[column] ?? '')), 0)
  const isHead = named.length > 0 || weight(head[column] ?? '') < below
  const body = isHead ? rest : rows
  return body.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '')
}

function isChannel(cell: string): boolean {
  return parseChannelName(cell.trim()) !== undefined
}

/** A link or an @name is certainly a channel; a word may be anything. */
function weight(cell: string): number {
  if (!isChannel(cell)) return 0
  return /[@/]/.test(cell) ? 3 : 1
}

/** The column, among these, that holds the most channels. */
function fullest(rows: readonly (readonly string[])[], columns: readonly number[]): number {
  const sumOf = (column: number) => rows.reduce((sum, row) => sum + weight(row[column] ?? ''), 0)
  const sums = columns.map(sumOf)
  return columns[sums.indexOf(Math.max(...sums))] ?? 0
}

/** Undefined when the text is not a table. A delimiter in most lines makes it one. */
function tableOf(text: string): string[][] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [first = ''] = lines
  if (first.trimStart().startsWith('#')) return undefined
  const delimiter = DELIMITERS.find(
    (one) =>
      first.includes(one) && lines.filter((line) => line.includes(one)).length * 2 > lines.length,
  )
  if (delimiter !== undefined) return rowsOf(text, delimiter)
  // A single column under a heading is a table too.
  return /^"|^(?:user_?name|channel|handle|url|link)$/i.test(first.trim())
    ? rowsOf(text, ',')
    : undefined
}

/** RFC 4180, and the variants that spreadsheets write. */
function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some((each) => each.trim() !== '')) rows.push(row)
    row = []
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') cell += text[i++]!
      else isQuoted = false
    } else if (char === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (char === delimiter) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r') cell += char
  }
  endRow()
  return rows
}
