import { cell, EXCEL_MARK } from '../../operations/render/csv.ts'
import { viewTime } from '../../operations/views/common.ts'
import type { CellValue, Column, ExportedPost } from './columns.ts'
import type { Output, PostWriter } from './output.ts'

export const EXPORT_FORMATS = ['ndjson', 'csv', 'excel', 'parquet'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export async function openExportWriter(
  format: ExportFormat,
  output: Output,
  columns: readonly Column[],
): Promise<PostWriter> {
  switch (format) {
    case 'ndjson':
      return createNdjsonWriter(output)
    case 'csv':
      return createCsvWriter(output, columns)
    case 'excel':
      return createCsvWriter(output, columns, EXCEL_MARK)
    case 'parquet': {
      // Loaded only when needed.
      const { createParquetWriter } = await import('./parquet.ts')
      return createParquetWriter(output, columns)
    }
  }
}

function createNdjsonWriter(output: Output): PostWriter {
  return {
    write: (posts) =>
      output.write(Buffer.from(posts.map((post) => `${JSON.stringify(post)}\n`).join(''))),
    end: async () => {},
  }
}

/** RFC 4180. Cells that a spreadsheet would run start with an apostrophe, as in the API's CSV. */
function createCsvWriter(output: Output, columns: readonly Column[], mark = ''): PostWriter {
  let isBegun = false
  async function write(posts: readonly ExportedPost[]): Promise<void> {
    const rows = posts.map((post) =>
      columns.map((column) => cell(csvValue(column, column.value(post)))).join(','),
    )
    if (!isBegun) rows.unshift(`${mark}${columns.map(({ name }) => name).join(',')}`)
    isBegun = true
    await output.write(Buffer.from(rows.map((row) => `${row}\r\n`).join('')))
  }
  return {
    write,
    async end() {
      if (!isBegun) await write([])
    },
  }
}

function csvValue({ type }: Column, value: CellValue): string | number | null {
  if (value === null) return null
  switch (type) {
    case 'time':
      return viewTime(value as number)
    case 'list':
      return (value as readonly string[]).join(' ')
    case 'json':
      return JSON.stringify(value)
    case 'boolean':
      return String(value as boolean)
    case 'text':
    case 'integer':
      return value as string | number
  }
}
