import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

/**
 * 64 spenders in 4 processes ask for five times what the limits allow. The granted amount must be exactly the limit of one
 * long window and never more than that of any short one, even when processes are killed meanwhile.
 */

const PROCESSES = 4
const SPENDERS = 16
const WINDOW_MS = 250
const BLOCK = 3

interface Spent {
  readonly long: number
  /** Granted, by the start of the window. */
  readonly short: Readonly<Record<string, number>>
  readonly refused: number
}

export async function run({ limit = 2000 }: { limit?: number } = {}): Promise<{
  readonly granted: number
  readonly asked: number
  readonly windows: number
}> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-quota-'))
  try {
    await (await open(folder))[Symbol.asyncDispose]()
    const round = 1
    const children = Array.from({ length: PROCESSES }, () => start(folder, limit, round))
    const spent = await Promise.all(children.map((child) => child.spent))
    const granted = spent.reduce((sum, { long }) => sum + long, 0)
    const refused = spent.reduce((sum, report) => sum + report.refused, 0)
    assert.equal(granted, limit, 'the long window')
    await using store = await open(folder)
    assert.equal((await store.ledger.usage('one', `long-${round}`, LONG_MS))?.used, limit)

    const windows = new Map<string, number>()
    for (const { short } of spent) {
      for (const [window, amount] of Object.entries(short)) {
        windows.set(window, (windows.get(window) ?? 0) + amount)
      }
    }
    for (const [window, amount] of windows) {
      assert.ok(amount <= shortLimit(limit), `the window of ${window} granted ${amount}`)
    }
    await killSome(folder, limit)
    return { granted, asked: granted + refused, windows: windows.size }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A crash loses what was charged but not yet spent; it never raises the limit. */
async function killSome(folder: string, limit: number): Promise<void> {
  const round = 2
  const children = Array.from({ length: PROCESSES }, () => start(folder, limit, round))
  setTimeout(() => children[0]!.kill(), 150)
  setTimeout(() => children[1]!.kill(), 250)
  const spent = await Promise.all(children.map((child) => child.spent))
  const granted = spent.reduce((sum, { long }) => sum + long, 0)
  assert.ok(granted <= limit, `${granted} were granted of ${limit}`)
  await using store = await open(folder)
  const usage = await store.ledger.usage('one', `long-${round}`, LONG_MS)
  assert.ok((usage?.used ?? 0) >= granted && (usage?.used ?? 0) <= limit)
}

const LONG_MS = 3_600_000

function start(folder: string, limit: number, round: number) {
  const args = [import.meta.filename, '--spend', folder, String(limit), String(round)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const spent = new Promise<Spent>((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve({ long: 0, short: {}, refused: 0 })
      else if (code === 0) resolve(JSON.parse(output) as Spent)
      else reject(new Error(`a spender ended with ${code}`))
    })
  })
  return { spent, kill: () => child.kill('SIGKILL') }
}

async function spend(folder: string, limit: number, round: number): Promise<Spent> {
  await using store = await open(folder)
  let long = 0
  let refused = 0
  const short: Record<string, number> = {}
  const share = Math.ceil((5 * limit) / (PROCESSES * SPENDERS * BLOCK))
  const spender = async () => {
    for (let i = 0; i < share; i++) {
      const amount = 1 + Math.floor(Math.random() * (2 * BLOCK - 1))
      const one = await store.ledger.charge({
        caller: 'one',
        policy: `long-${round}`,
        limit,
        windowMs: LONG_MS,
        starts: 'first',
        amount,
      })
      long += one.granted
      refused += amount - one.granted
      const two = await store.ledger.charge({
        caller: 'one',
        policy: 'short',
        limit: shortLimit(limit),
        windowMs: WINDOW_MS,
        starts: 'first',
        amount,
      })
      short[two.startedAt] = (short[two.startedAt] ?? 0) + two.granted
    }
  }
  await Promise.all(Array.from({ length: SPENDERS }, spender))
  return { long, short, refused }
}

function shortLimit(limit: number): number {
  return Math.ceil(limit / 20)
}

function open(folder: string): Promise<Store> {
  return openStore({ kind: 'sqlite', folder, retention: { deleted: 'redact', versions: 'keep' } })
}

if (import.meta.main) {
  const [first, folder, limit, round] = process.argv.slice(2)
  if (first === '--spend') {
    const spent = await spend(folder!, Number(limit), Number(round))
    process.stdout.write(JSON.stringify(spent))
  } else {
    const result = await run({ limit: Number(first ?? 2000) })
    console.log(
      `${PROCESSES * SPENDERS} spenders in ${PROCESSES} processes asked for ${result.asked}, were granted ` +
        `${result.granted}; ${result.windows} short windows, none exceeded`,
    )
  }
}
