import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'

export type Env = Readonly<Record<string, string>>

/** A process of the program, to be killed, stopped and started again. */
export interface ProgramProcess {
  readonly name: string
  /** Undefined while it starts, and if it serves no API. */
  readonly address: string | undefined
  /** Increases with every start and every signal that ends it. */
  readonly life: number
  /** It has been sent SIGSTOP. */
  readonly isStopped: boolean
  /** How it ended, if nobody had asked it to. */
  readonly fault: string | undefined
  signal(signal: NodeJS.Signals): void
  kill(): Promise<void>
  /** Resolves once it reports that it is running. */
  start(): Promise<void>
  /** Asks it to end; resolves to its exit code. */
  stop(): Promise<number | null>
}

const START_MS = 120_000

export function createProcess(of: {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Env
  /** Its output is appended to this file. */
  readonly log: string
}): ProgramProcess {
  let child: ChildProcess | undefined
  let ended: Promise<number | null> = Promise.resolve(0)
  let address: string | undefined
  let fault: string | undefined
  let isMeant = true
  let life = 0
  let isStopped = false
  let said = ''

  async function start(): Promise<void> {
    said = ''
    isMeant = false
    isStopped = false
    life++
    const started = spawn('telegrep', [...of.args, '--json'], {
      env: { ...process.env, ...of.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const ready = Promise.withResolvers<string>()
    ended = once(started, 'exit').then(([code]) => code as number | null)
    void ended.then((code) => {
      address = undefined
      if (!isMeant) fault = `${of.name} ended by itself with ${code}: ${said.slice(-1500)}`
      ready.reject(new Error(fault ?? `${of.name} was ended`))
    })
    let out = ''
    started.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (out.includes('}')) ready.resolve(out)
    })
    started.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000)
      appendFileSync(of.log, chunk)
    })
    const late = setTimeout(() => ready.reject(new Error(`${of.name}: ${said}`)), START_MS)
    try {
      const told = JSON.parse(await ready.promise) as { address: string | null }
      address = told.address ?? undefined
    } finally {
      clearTimeout(late)
    }
  }

  return {
    name: of.name,
    get address() {
      return address
    },
    get fault() {
      return fault
    },
    get life() {
      return life
    },
    get isStopped() {
      return isStopped
    },
    signal(signal) {
      if (signal === 'SIGSTOP') isStopped = true
      child?.kill(signal)
      // Requests that were waiting meanwhile may still fail.
      if (signal === 'SIGCONT') setTimeout(() => (isStopped = false), 5_000)
    },
    async kill() {
      isMeant = true
      life++
      address = undefined
      child?.kill('SIGKILL')
      await ended
    },
    start,
    async stop() {
      isMeant = true
      life++
      address = undefined
      child?.kill('SIGCONT')
      child?.kill('SIGTERM')
      return ended
    },
  }
}
