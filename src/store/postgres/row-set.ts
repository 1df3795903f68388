import type { Value } from './database.ts'

type Cell = string | number | boolean | null

/** Passes rows as one list per column, so that any number of them takes one statement. */
export interface RowSet<Column extends string> {
  /** `a, b, c` */
  readonly columns: string
  /** `s.a, s.b, s.c`: a statement that names its columns keeps working when a later version adds one. */
  of(table: string): string
  /** `unnest($1::int[], …) as r (a, b, c)`, with placeholders numbered from `first`. */
  from(first?: number): string
  /**
   * The lists to pass. Of rows with the same key the last one counts, and rows are sorted by key, so that two writers never
   * deadlock. Without a key, rows stay as they are.
   */
  values(rows: readonly Readonly<Record<Column, Cell>>[]): Value[]
  /** `t.a = r.a and …` over the columns of the key. */
  is(table: string): string
  /** A statement that inserts rows, or overwrites those with the same key. */
  upsert(table: string): string
  /** A statement that overwrites the rows with the same key, aliased `t`; rows that do not exist are ignored. */
  update(table: string): string
}

/** Takes the key columns, if any, and the PostgreSQL type of each column. */
export function rowSet<Column extends string>(
  key: readonly NoInfer<Column>[],
  types: Readonly<Record<Column, string>>,
): RowSet<Column> {
  type Row = Readonly<Record<Column, Cell>>
  const names = Object.keys(types) as Column[]
  const columns = names.join(', ')
  const rest = names.filter((name) => !key.includes(name))
  const from = (first = 1) => {
    const lists = names.map((name, i) => `$${first + i}::${types[name]}[]`)
    return `unnest(${lists.join(', ')}) as r (${columns})`
  }
  const is = (table: string) => key.map((name) => `${table}.${name} = r.${name}`).join(' and ')
  const set = (source: string) => rest.map((name) => `${name} = ${source}.${name}`).join(', ')
  const byKey = (a: Row, b: Row) => {
    const name = key.find((each) => a[each] !== b[each])
    return name === undefined ? 0 : a[name]! < b[name]! ? -1 : 1
  }
  const inOrder = (rows: readonly Row[]) => {
    const last = new Map(rows.map((row) => [key.map((name) => row[name]).join(' '), row]))
    return [...last.values()].toSorted(byKey)
  }
  return {
    columns,
    of: (table) => names.map((name) => `${table}.${name}`).join(', '),
    from,
    values(rows) {
      const some = key.length === 0 ? rows : inOrder(rows)
      return names.map((name) => some.map((row) => row[name]))
    },
    is,
    upsert: (table) => `insert into ${table} (${columns}) select * from ${from()}
      on conflict (${key.join(', ')}) do update set ${set('excluded')}`,
    update: (table) => `update ${table} t set ${set('r')} from ${from()} where ${is('t')}`,
  }
}
