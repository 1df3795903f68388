import {
  areAllEmpty,
  type Database,
  type Queries,
  type Value,
} from '../src/store/postgres/database.ts'

/** What one statement read: how many rows of each table, whether used or filtered out. */
export interface Looked {
  readonly sql: string
  readonly rows: ReadonlyMap<string, number>
}

/**
 * A database that explains each statement before it runs it: the statement is executed with its values, under the plan of a
 * prepared statement, and rolled back. So it reports what is really read, not an estimate.
 */
export function explaining(db: Database, tell: (looked: Looked) => void): Database {
  let names = 0
  const explain = async (tx: Queries, sql: string, values: readonly Value[]) => {
    const name = `explained_${++names}`
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const [, , [answer]] = (await Promise.all([
      tx.script(`savepoint before_it; prepare ${name} as ${sql}`),
      tx.script(`set local statement_timeout = 0`),
      tx.all(`explain (analyze, timing off, format json) execute ${name}${given}`),
      tx.script(`rollback to before_it; release before_it; deallocate ${name}`),
    ])) as [void, void, { 'QUERY PLAN': readonly { readonly Plan: Node }[] }[], void]
    const rows = new Map<string, number>()
    countRows(answer!['QUERY PLAN'][0]!.Plan, rows)
    tell({ sql, rows })
  }
  const within = (tx: Queries): Queries => {
    const first = <T>(sql: string, values: readonly Value[], run: () => Promise<T>): Promise<T> => {
      // Sent in this order without waiting in between, like the statements of a transaction.
      const explained = areAllEmpty(values) ? undefined : explain(tx, sql, values)
      const answer = run()
      return Promise.all([explained, answer]).then(([, found]) => found)
    }
    return {
      all: (sql, ...values) => first(sql, values, () => tx.all(sql, ...values)),
      once: (sql, ...values) => first(sql, values, () => tx.once(sql, ...values)),
      get: (sql, ...values) => first(sql, values, () => tx.get(sql, ...values)),
      run: (sql, ...values) => first(sql, values, () => tx.run(sql, ...values)),
      script: (sql) => tx.script(sql),
    }
  }
  const alone: Queries = {
    all: (sql, ...values) => db.transaction((tx) => within(tx).all(sql, ...values)),
    once: (sql, ...values) => db.transaction((tx) => within(tx).once(sql, ...values)),
    get: (sql, ...values) => db.transaction((tx) => within(tx).get(sql, ...values)),
    run: (sql, ...values) => db.transaction((tx) => within(tx).run(sql, ...values)),
    script: (sql) => db.script(sql),
  }
  const transaction: Database['transaction'] = (work) => db.transaction((tx) => work(within(tx)))
  return {
    ...db,
    ...alone,
    slow: alone,
    heavy: alone,
    reserved: alone,
    transaction,
    longTransaction: transaction,
  }
}

interface Node {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Node[]
}

function countRows(node: Node, rows: Map<string, number>): void {
  const table = node['Relation Name']
  if (table !== undefined && node['Node Type'].includes('Scan')) {
    const passed =
      (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const looked = (node['Actual Rows'] + passed) * node['Actual Loops']
    rows.set(table, (rows.get(table) ?? 0) + looked)
  }
  for (const inner of node.Plans ?? []) countRows(inner, rows)
}

function literal(value: Value): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return quoted(String(value))
  const element = (each: (typeof value)[number]) =>
    each === null ? 'NULL' : `"${String(each).replace(/["\\]/g, '\\$&')}"`
  return quoted(`{${value.map(element).join(',')}}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
