import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './engine-error.ts'
import type { EngineUser } from './places.ts'

/** A process that may be looked up later. Pids are reused, so its start time identifies it. */
export interface Process {
  readonly pid: number
  /** In clock ticks since the machine booted. */
  readonly since: string
}

/** A process of an engine. */
export interface Running extends Process {
  readonly log: string
}

export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly log: string
  readonly user: EngineUser
}

/** Starts a process that outlives this one; its output goes to its log. */
export async function launch({ command, args, env, folder, log, user }: Launch): Promise<Running> {
  const out = openSync(log, 'a')
  const child = spawn(command, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', out, out],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder, ...env },
    ...user,
  })
  closeSync(out)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (cause) => reject(new EngineError(`${command}: ${cause.message}`)))
  })
  child.unref()
  return { ...identify(child.pid as number), log }
}

/** When the process with this pid was started; undefined when there is none, or only a zombie. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may contain anything, so fields are counted from the last parenthesis; state and start time are fields 3 and
    // 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

export function identify(pid: number): Process {
  return { pid, since: startOf(pid) ?? 'gone' }
}

export function isAlive({ pid, since }: Process): boolean {
  return startOf(pid) === since
}

/** The processes of this name whose working directory is this folder, as far as this user may see. */
export function processesIn(folder: string, name: string): Process[] {
  if (!existsSync(folder)) return []
  const real = realpathSync(folder)
  const works = (pid: string) => {
    try {
      const isNamed = readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name
      return isNamed && readlinkSync(`/proc/${pid}/cwd`) === real
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && works(pid))
    .map((pid) => identify(Number(pid)))
}

/** Asks a process to end, and kills it if it does not. Does nothing to a process other than the one recorded. */
export async function halt(running: Process, signal: NodeJS.Signals): Promise<void> {
  for (const [each, patienceMs] of [
    [signal, 30_000],
    ['SIGKILL', 10_000],
  ] as const) {
    if (!isAlive(running)) return
    process.kill(running.pid, each)
    for (let waitedMs = 0; waitedMs < patienceMs && isAlive(running); waitedMs += 50)
      await sleep(50)
  }
  if (isAlive(running)) throw new EngineError(`process ${running.pid} does not end`)
}

/** Waits until `isReady` is true. If one of the processes ends, throws with the end of its log. */
export async function untilReady(
  name: string,
  processes: readonly Running[],
  isReady: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (!(await isReady())) {
    const dead = processes.find((each) => !isAlive(each))
    if (dead) throw new EngineError(`${name} ended while starting\n${tail(dead.log)}`)
    if (performance.now() > deadline) {
      const logs = processes.map((each) => tail(each.log)).join('\n')
      throw new EngineError(`${name} is not ready after ${READY_WITHIN_MS / 1000} s\n${logs}`)
    }
    await sleep(200)
  }
}

/** A node on two very busy cores has taken more than five minutes. */
const READY_WITHIN_MS = 1_200_000

function tail(log: string): string {
  if (!existsSync(log)) return `${log} is empty`
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-25)
  return [`the end of ${log}:`, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** A free port on the loopback address: the wanted one if it is free. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(wanted, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
