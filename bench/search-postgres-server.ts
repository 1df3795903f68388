/**
 * A PostgreSQL server of the benchmark's own: data and socket in one folder, no port, tuned for warm reads by one core.
 * It is used through psql, so that nothing else has to be installed.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { systemClock } from '../src/model/clock.ts'

export interface PostgresServer extends AsyncDisposable {
  /** A session that reads its script as it is written. */
  open(): PostgresSession
  /** Runs a script in a session of its own. */
  run(script: string): Promise<string>
}

export interface PostgresSession {
  /** Waits while the server cannot take more input. */
  write(script: string): Promise<void>
  /** Resolves to what was printed; rejects with the first error. */
  end(): Promise<string>
}

const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '2GB',
  work_mem: '64MB',
  maintenance_work_mem: '1GB',
  effective_cache_size: '8GB',
  random_page_cost: '1.1',
  jit: 'off',
  // One core, as a search of ours uses.
  max_parallel_workers_per_gather: '0',
  // Loading writes no log; nothing can be lost that the benchmark cannot make again.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  fsync: 'off',
  autovacuum: 'off',
  client_min_messages: 'error',
}

/** The newest version installed by Debian's packages. */
export function findPostgres(): string {
  const found = globSync('/usr/lib/postgresql/*/bin').toSorted(
    (a, b) => versionOf(b) - versionOf(a),
  )
  if (found[0] === undefined) {
    throw new Error(
      'no PostgreSQL in /usr/lib/postgresql: give its folder, --postgres <bin folder>',
    )
  }
  return found[0]
}

function versionOf(bin: string): number {
  return Number(bin.split('/').at(-2))
}

export async function openPostgres(bin: string, where: string): Promise<PostgresServer> {
  const folder = resolve(where)
  const owner = ownerOfServer()
  mkdirSync(folder, { recursive: true })
  if (owner) chownSync(folder, owner.uid, owner.gid)
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    // A locale that knows letters beyond ASCII; otherwise such words would not be lower-cased.
    const how = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8']
    execFileSync(join(bin, 'initdb'), how, { ...owner, cwd: folder, stdio: 'pipe' })
  }
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
  const args = ['-D', folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const server = spawn(join(bin, 'postgres'), args, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const log = collect(server)
  const open = () => openSession(join(bin, 'psql'), folder)
  const run = async (script: string) => {
    const session = open()
    await session.write(script)
    return session.end()
  }
  for (let tries = 0; ; tries++) {
    try {
      await run('select 1;')
      break
    } catch (cause) {
      if (server.exitCode !== null || tries === 100) {
        server.kill('SIGQUIT')
        throw new Error(`PostgreSQL did not start: ${log.text}`, { cause })
      }
      await systemClock.sleep(200)
    }
  }
  return {
    open,
    run,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
  }
}

/** PostgreSQL refuses to run as root; its packages create a user for it. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const of = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: of('-u'), gid: of('-g') }
}

function collect(child: ChildProcess): { readonly text: string } {
  let last = ''
  child.stderr!.on('data', (chunk: Buffer) => (last = (last + chunk.toString()).slice(-2000)))
  return {
    get text() {
      return last
    },
  }
}

function openSession(psql: string, folder: string): PostgresSession {
  const how = ['-h', folder, '-U', 'postgres', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1', '-XqAt']
  const child = spawn(psql, how, { stdio: 'pipe' })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  // psql may end before it has read everything; `end` reports why.
  child.stdin.on('error', () => {})
  return {
    write: (script) => new Promise((done) => child.stdin.write(script, () => done())),
    async end() {
      child.stdin.end()
      const [printed, complaints, [code]] = await ended
      if (code !== 0) throw new Error(`psql: ${complaints.trim()}`)
      return printed
    },
  }
}
