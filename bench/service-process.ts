import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { systemClock } from '../src/model/clock.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')

export interface Service {
  readonly port: number
  /** Measured from the start of the process. */
  readonly readyMs: number
  readonly firstSearchMs: number
  /** Processor time until the first search was answered; null where there is no /proc. */
  readonly startCpuMs: number | null
  cpuMs(): number | null
  rssMb(): number | null
  stop(): Promise<void>
}

export interface ServiceOptions {
  readonly folder: string
  readonly port: number
  readonly args?: readonly string[]
  readonly sourceUrl?: string
}

/** Starts the service as an operator does. By default nobody listens at the address from which it reads channels. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  const child = spawn(
    process.execPath,
    [MAIN, 'serve', ...(options.args ?? [])].concat([
      '--port',
      String(options.port),
      '--data',
      options.folder,
      '--source-url',
      options.sourceUrl ?? 'http://127.0.0.1:9',
      '--log',
      'error',
    ]),
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while ((await ask(options.port, '/readyz')) !== 200) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    await systemClock.sleep(3)
  }
  const readyMs = elapsed()
  await ask(options.port, '/v1/search?q=news+report')
  return {
    port: options.port,
    readyMs,
    firstSearchMs: elapsed(),
    startCpuMs: cpuMs(child.pid!),
    cpuMs: () => cpuMs(child.pid!),
    rssMb: () => rssMb(child.pid!),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A key that may ask as fast as the service answers, up to 60 000 requests a minute. */
export function createKey(folder: string): string {
  const args = [MAIN, 'keys', 'create', '--tier', 'unlimited', '--json', '--data', folder]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as { key: string }).key
}

export function ask(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<number>((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', () => resolve(0))
  })
}

function rssMb(pid: number): number | null {
  const kb = procFile(pid, 'status')?.match(/VmRSS:\s+(\d+)/)?.[1]
  return kb === undefined ? null : Math.round(Number(kb) / 1000)
}

const TICKS_PER_S = 100
function cpuMs(pid: number): number | null {
  const fields = procFile(pid, 'stat')?.split(') ')[1]?.split(' ')
  if (!fields) return null
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S
}

function procFile(pid: number, name: string): string | undefined {
  const path = `/proc/${pid}/${name}`
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
