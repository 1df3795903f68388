import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readRecord, type InstanceRecord } from '../../scripts/engines/instance.ts'
import { defaultCache, openPlaces } from '../../scripts/engines/places.ts'
import { processesIn } from '../../scripts/engines/processes.ts'

/** Engines that nobody else uses, to be killed, stopped and starved. */
export interface OwnEngines extends AsyncDisposable {
  readonly databaseUrl: string
  /** The origins of the OpenSearch nodes. */
  readonly nodes: readonly [string, ...string[]]
  /** Sends a signal to the process of a node. */
  signalNode(place: number, signal: NodeJS.Signals): void
  /** Sends a signal to the server and, by default, also to its sessions. */
  signalDatabase(signal: NodeJS.Signals, whom?: 'all' | 'server' | 'session'): void
  /** Starts what is not running. */
  mend(): Promise<void>
}

const NAME = 'prove'

/** Three nodes, so that one may fail; small heaps, since the machine has other work. */
export async function openEngines(): Promise<OwnEngines> {
  // A write queue of one: a batch for several weekly indices is rejected in part.
  const starved = ['--setting', 'thread_pool.write.queue_size=1']
  const start = ['start', '--name', NAME, '--nodes', '3', '--heap', '384', ...starved]
  // Engines that were already running are left running.
  const wereThere = await runEngines(['status', '--name', NAME]).then(
    () => true,
    () => false,
  )
  await runEngines(start)
  const places = openPlaces(defaultCache(), NAME)
  const record = () => readRecord(places.instance) as Required<InstanceRecord>
  const { postgres, opensearch } = record()
  const data = join(places.instance, 'postgres', 'data')
  const nodePids = () => record().opensearch.nodes.map(({ running }) => running!.pid)
  const databasePids = () => {
    const { pid } = record().postgres.running
    return [
      pid,
      ...processesIn(data, 'postgres')
        .map((each) => each.pid)
        .filter((each) => each !== pid),
    ]
  }
  return {
    databaseUrl: `postgres://telegrep:${postgres.password}@127.0.0.1:${postgres.port}/postgres`,
    nodes: opensearch.nodes.map(originOf) as [string, ...string[]],
    signalNode: (place, signal) => signalAll([nodePids()[place]!], signal),
    signalDatabase(signal, whom = 'all') {
      const [server, ...sessions] = databasePids()
      const chosen = { all: [server!, ...sessions], server: [server!], session: sessions.slice(-1) }
      signalAll(chosen[whom], signal)
    },
    mend: () => runEngines(start),
    async [Symbol.asyncDispose]() {
      // A stopped process cannot end.
      signalAll([...nodePids(), ...databasePids()], 'SIGCONT')
      if (!wereThere) await runEngines(['stop', '--name', NAME, '--forget'])
    },
  }
}

const originOf = ({ httpPort }: { readonly httpPort: number }) => `http://127.0.0.1:${httpPort}`

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

async function runEngines(args: readonly string[]): Promise<void> {
  const script = join(import.meta.dirname, '../../scripts/engines.ts')
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`engines ${args[0]} ended with ${String(code)}\n${told}`)
}
