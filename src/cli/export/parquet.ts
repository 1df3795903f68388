import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { CellValue, Column, ColumnType, ExportedPost } from './columns.ts'
import type { Output, PostWriter } from './output.ts'

/** A row group is held in memory until it is written; readers skip whole groups by their statistics. */
const ROWS_OF_GROUP = 5_000

type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

const ELEMENTS: Readonly<Record<Exclude<ColumnType, 'list'>, Omit<Element, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
}

/** Apache Parquet, one row group at a time: memory holds one of them, whatever the size of the file. */
export function createParquetWriter(output: Output, columns: readonly Column[]): PostWriter {
  const writer = new ByteWriter()
  const root: Element = { name: 'posts', num_children: columns.length }
  const parquet = new ParquetWriter({ writer, schema: [root, ...columns.flatMap(elementsOf)] })
  let waiting: ExportedPost[] = []

  async function flush(): Promise<void> {
    if (waiting.length > 0) {
      const columnData = columns.map((column) => ({
        name: column.name,
        data: waiting.map((post) => parquetValue(column.type, column.value(post))),
        offsetIndex: false,
      }))
      await parquet.write({ columnData, rowGroupSize: waiting.length })
      waiting = []
    }
    await handOver()
  }

  /** Empties the writer's buffer; positions in the file are counted separately. */
  async function handOver(): Promise<void> {
    const bytes = Buffer.from(writer.getBytes())
    writer.index = 0
    await output.write(bytes)
  }

  return {
    async write(posts) {
      waiting.push(...posts)
      if (waiting.length >= ROWS_OF_GROUP) await flush()
    },
    async end() {
      await flush()
      await parquet.finish()
      await handOver()
    },
  }
}

function elementsOf({ name, type }: Column): Element[] {
  if (type !== 'list') return [{ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }]
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...ELEMENTS.text },
  ]
}

function parquetValue(type: ColumnType, value: CellValue): unknown {
  if (value === null) return null
  switch (type) {
    case 'integer':
      return BigInt(value as number)
    case 'time':
      return new Date(value as number)
    case 'text':
    case 'boolean':
    case 'list':
    case 'json':
      return value
  }
}
