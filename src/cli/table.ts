import { displayWidth, type Printer } from './print.ts'

interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Shrinks when the table is wider than the terminal; the lowest number shrinks first. */
  readonly shrinks?: number
  /**
   * Left out if the table is then still too wide, the lowest number first: better than half a name, which no command
   * accepts, or a line that continues in the next.
   */
  readonly mayGo?: number
}

const GAP = 2
/** Narrower cells could not be told apart. */
const MIN_WIDTH = 7

/** Writes a table of items, as wide as the terminal at most. */
export function showTable<T>(
  items: readonly T[],
  columns: readonly (Column & { cell(item: T): string })[],
  print: Printer,
): void {
  const rows = items.map((item) => columns.map((column) => column.cell(item)))
  for (const line of tableLines(columns, rows, print.width)) print.line(line)
}

/** The lines of a table that fits `width` unless what must stay is wider; shrunken columns are cut with an ellipsis. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const widths = columns.map((column, i) =>
    rows.reduce(
      (widest, row) => Math.max(widest, displayWidth(row[i] ?? '')),
      displayWidth(column.title),
    ),
  )
  let excess = widths.reduce((sum, w) => sum + w, 0) + GAP * (columns.length - 1) - width
  const without = (gone: number) => {
    const rest = <T>(cells: readonly T[]) => cells.toSpliced(gone, 1)
    return tableLines(rest(columns), rows.map(rest), width)
  }
  const isEmpty = (i: number) => rows.every((row) => (row[i] ?? '') === '')
  const empty = excess > 0 ? orderedBy(columns, 'mayGo').find(isEmpty) : undefined
  if (empty !== undefined) return without(empty)
  for (const i of orderedBy(columns, 'shrinks')) {
    const spared = Math.max(0, Math.min(excess, (widths[i] as number) - MIN_WIDTH))
    widths[i] = (widths[i] as number) - spared
    excess -= spared
  }
  const gone = excess > 0 ? orderedBy(columns, 'mayGo')[0] : undefined
  if (gone !== undefined) return without(gone)
  const line = (cells: readonly string[]) =>
    columns
      .map((column, i) => {
        const text = cut(cells[i] ?? '', widths[i] as number)
        const space = ' '.repeat((widths[i] as number) - displayWidth(text))
        return column.align === 'right' ? space + text : text + space
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  return [line(columns.map((column) => column.title)), ...rows.map(line)]
}

/** The indices of the columns that shrink or may go, in the order in which they do. */
function orderedBy(columns: readonly Column[], by: 'shrinks' | 'mayGo'): number[] {
  const order = (i: number) => columns[i]?.[by] ?? Infinity
  return [...columns.keys()]
    .filter((i) => order(i) < Infinity)
    .toSorted((a, b) => order(a) - order(b))
}

/** The text in at most `width` columns, on one line. */
export function cut(text: string, width: number): string {
  const flat = text.replace(/\s+/g, ' ')
  if (displayWidth(flat) <= width) return flat
  let result = ''
  let used = 1
  for (const { segment } of new Intl.Segmenter().segment(flat)) {
    const w = displayWidth(segment)
    if (used + w > width) break
    result += segment
    used += w
  }
  return `${result}…`
}
