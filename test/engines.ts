/** The real engines that test suites may use; `npm run engines -- env --test` prints both variables. */
export interface Engines {
  /** `postgres://…`, a superuser: each suite creates a schema of its own and drops it. */
  readonly databaseUrl: string
  /** `http://host:port[,host:port]`: each suite uses an index prefix of its own and deletes its indices. */
  readonly searchUrl: string
}

// Not the names that the program reads: a test that starts the program must not put it on a cluster by accident.
const DATABASE = 'TEST_DATABASE_URL'
const SEARCH = 'TEST_SEARCH_URL'

/** Why suites on real engines cannot run here; undefined when they can. `REQUIRE_SUITES=engines` makes that a failure. */
export function whyNoEngines(): string | undefined {
  const missing = [DATABASE, SEARCH].filter((name) => !process.env[name])
  if (missing.length === 0) return undefined
  const why = `no ${missing.join(' and ')}; see npm run engines -- --help`
  const required = (process.env['REQUIRE_SUITES'] ?? '').split(/[\s,]+/)
  if (required.includes('engines'))
    throw new Error(`REQUIRE_SUITES has engines, but there is ${why}`)
  return why
}

export function engines(): Engines {
  return { databaseUrl: address(DATABASE), searchUrl: address(SEARCH) }
}

function address(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: ask whyNoEngines() first`)
  return value
}
