import { displayWidth } from './print.ts'

interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Shrinks first when the table is wider than the terminal. */
  readonly flexible?: boolean
}

const GAP = 2
const MIN_FLEXIBLE = 12

/** Lines of a table that fits `width`; the flexible column is cut with an ellipsis. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const natural = columns.map((column, i) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row[i] ?? ''))),
  )
  const excess = natural.reduce((sum, w) => sum + w, 0) + GAP * (columns.length - 1) - width
  const widths = natural.map((w, i) =>
    columns[i]?.flexible === true && excess > 0 ? Math.max(MIN_FLEXIBLE, w - excess) : w,
  )
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
