import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { EngineError } from './engine-error.ts'
import { identify, isAlive, type Process, type Running } from './processes.ts'

/** What an instance consists of. Written as soon as a process is started, so that `stop` always finds it. */
export interface InstanceRecord {
  postgres?: PostgresRecord
  opensearch?: OpenSearchRecord
}

export interface PostgresRecord {
  readonly port: number
  readonly password: string
  readonly running: Running
}

export interface OpenSearchRecord {
  readonly heapMb: number
  readonly nodes: readonly NodeRecord[]
}

export interface NodeRecord {
  readonly httpPort: number
  readonly transportPort: number
  readonly running?: Running
}

export interface Instance extends Disposable {
  readonly record: InstanceRecord
  save(): void
}

export function readRecord(folder: string): InstanceRecord {
  const file = join(folder, 'instance.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as InstanceRecord) : {}
}

/** Opens the instance for changes. Only one process at a time may start or stop it. */
export function openInstance(folder: string): Instance {
  const lock = join(folder, 'lock')
  takeLock(lock)
  const record = readRecord(folder)
  return {
    record,
    save() {
      const file = join(folder, 'instance.json')
      // It contains a password.
      writeFileSync(`${file}.new`, JSON.stringify(record, undefined, 2), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    [Symbol.dispose]: () => rmSync(lock, { force: true }),
  }
}

function takeLock(lock: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(lock, 'wx')
      writeFileSync(file, JSON.stringify(identify(process.pid)))
      closeSync(file)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const owner = JSON.parse(readFileSync(lock, 'utf8') || '{}') as Partial<Process>
      const { pid, since } = owner
      if (pid !== undefined && since !== undefined && isAlive({ pid, since })) {
        throw new EngineError(`process ${pid} is starting or stopping this instance; wait for it`)
      }
      rmSync(lock, { force: true })
    }
  }
  throw new EngineError(`${lock} cannot be taken; delete it`)
}
