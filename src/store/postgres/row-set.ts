import type { Value } from './database.ts'

type Cell = string | number | boolean | null
type Row = readonly Cell[]

/** The names in `a int, b text`. */
type NamesIn<Columns extends string> = Columns extends `${infer First},${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : Columns extends `${' ' | '\n'}${infer Trimmed}`
    ? NamesIn<Trimmed>
    : Columns extends `${infer Name} ${string}`
      ? Name
      : never

/** The field of a row that holds a column: `firstSeenAt` for `first_seen_at`. */
type FieldOf<Column extends string> = Column extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<FieldOf<Rest>>}`
  : Column

/** A row as the rest of the program has it, or with its columns under their own names. Whatever else it has is left out. */
type RowOf<Column extends string> = Readonly<
  { [C in Column as FieldOf<C>]: Cell } | { [C in Column]: Cell }
>

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
  values(rows: readonly RowOf<Column>[]): Value[]
  /** `t.a = r.a and …` over the columns of the key. */
  is(table: string): string
  /** A statement that inserts rows, or overwrites those with the same key. */
  upsert(table: string): string
  /** A statement that overwrites the rows with the same key, aliased `t`; rows that do not exist are ignored. */
  update(table: string): string
}

/** Takes the columns as a table declares them, `a int, b text`, and which of them are the key, if any. */
export function rowSet<Declared extends string>(
  declared: Declared,
  key: readonly NamesIn<NoInfer<Declared>>[] = [],
): RowSet<NamesIn<Declared>> {
  const typed = declared.split(',').map((column) => column.trim().split(' ') as [string, string])
  const names = typed.map(([name]) => name)
  const columns = names.join(', ')
  const rest = names.filter((name) => !(key as readonly string[]).includes(name))
  const from = (first = 1) => {
    const lists = typed.map(([, type], i) => `$${first + i}::${type}[]`)
    return `unnest(${lists.join(', ')}) as r (${columns})`
  }
  const is = (table: string) => key.map((name) => `${table}.${name} = r.${name}`).join(' and ')
  const set = (source: string) => rest.map((name) => `${name} = ${source}.${name}`).join(', ')
  const fields = names.map((name) =>
    name.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()),
  )
  const cellsOf = (row: Readonly<Record<string, Cell>>): Row =>
    names.map((name, i) => (name in row ? row[name]! : row[fields[i]!]!))
  const places = key.map((name) => names.indexOf(name))
  const byKey = (a: Row, b: Row) => {
    const place = places.find((each) => a[each] !== b[each])
    return place === undefined ? 0 : a[place]! < b[place]! ? -1 : 1
  }
  const inOrder = (rows: readonly Row[]) => {
    const last = new Map(rows.map((row) => [places.map((place) => row[place]).join(' '), row]))
    return [...last.values()].toSorted(byKey)
  }
  return {
    columns,
    of: (table) => names.map((name) => `${table}.${name}`).join(', '),
    from,
    values(rows) {
      const cells = rows.map(cellsOf)
      const some = key.length === 0 ? cells : inOrder(cells)
      return names.map((_name, i) => some.map((row) => row[i]!))
    },
    is,
    upsert: (table) => `insert into ${table} (${columns}) select * from ${from()}
      on conflict (${key.join(', ')}) do update set ${set('excluded')}`,
    update: (table) => `update ${table} t set ${set('r')} from ${from()} where ${is('t')}`,
  }
}
