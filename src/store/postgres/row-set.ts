import type { Value } from './database.ts'

type Cell = string | number | boolean | null

/** Rows of known columns as one list a column, so that any number of them is one statement. */
interface RowSet<Column extends string> {
  /** `a, b, c` */
  readonly columns: string
  /** `s.a, s.b, s.c`: a statement that names what it reads goes on when a later version adds a column. */
  of(table: string): string
  /** `unnest($1::int[], …) as r (a, b, c)`, counting from the value given. */
  from(first?: number): string
  values(rows: readonly Readonly<Record<Column, Cell>>[]): Value[]
  /** `a = excluded.a, …` for all columns but those. */
  excluded(...except: readonly Column[]): string
  /** `a = r.a, …` for all columns but those. */
  assigned(...except: readonly Column[]): string
}

/** Types by column, as PostgreSQL names them. */
export function rowSet<Column extends string>(
  types: Readonly<Record<Column, string>>,
): RowSet<Column> {
  const names = Object.keys(types) as Column[]
  const columns = names.join(', ')
  const set = (from: string, except: readonly Column[]) =>
    names
      .filter((name) => !except.includes(name))
      .map((name) => `${name} = ${from}.${name}`)
      .join(', ')
  return {
    columns,
    of: (table) => names.map((name) => `${table}.${name}`).join(', '),
    from(first = 1) {
      const lists = names.map((name, i) => `$${first + i}::${types[name]}[]`)
      return `unnest(${lists.join(', ')}) as r (${columns})`
    },
    values: (rows) => names.map((name) => rows.map((row) => row[name])),
    excluded: (...except) => set('excluded', except),
    assigned: (...except) => set('r', except),
  }
}
