import { randomBytes } from 'node:crypto'
import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'
import type { Stamper } from './package.ts'
import { StampError, readStamp, stampRequest } from './timestamp.ts'

/** How long the authority may take; after that a package goes without its stamp. Half of the time that a request is given. */
const TIMEOUT_MS = 5_000
/**
 * After a timeout the authority is not asked for this long, and packages go without a stamp: otherwise each would wait and
 * hold up others.
 */
const REST_MS = 60_000
/** How many stamps are requested at once; a further package goes without. */
const MAX_ASKED = 4
const MAX_ANSWER = 64 * 1024

/**
 * Requests stamps from an authority. A stamp is cached, so that the same package requested again has the same bytes, and
 * callers cannot make the server burden the authority.
 */
export function createStamper(
  url: string,
  clock: Clock,
  onFailure: (reason: string) => void,
): Stamper {
  const known = createCache<string, Uint8Array>({ maxEntries: 1_000 })
  const asked = new Map<string, Promise<Uint8Array | undefined>>()

  let restsSince = -Infinity

  async function ask(signature: Uint8Array): Promise<Uint8Array | undefined> {
    using late = startDeadline(clock, TIMEOUT_MS, 'the authority did not answer in time')
    try {
      const stamp = await request(url, signature, late.signal)
      readStamp(stamp, signature)
      return stamp
    } catch (error) {
      if (late.signal.aborted) restsSince = clock.elapsed()
      onFailure((error as Error).message)
      return undefined
    }
  }

  return async (signature) => {
    const name = Buffer.from(signature).toString('base64')
    const held = known.get(name)
    if (held) return held
    let flight = asked.get(name)
    if (!flight) {
      const isResting = clock.elapsed() - restsSince < REST_MS
      if (isResting || asked.size >= MAX_ASKED) return undefined
      flight = ask(signature).finally(() => asked.delete(name))
      asked.set(name, flight)
    }
    const stamp = await flight
    if (stamp) known.set(name, stamp)
    return stamp
  }
}

async function request(
  url: string,
  signature: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query' },
    body: stampRequest(signature, randomBytes(16)) as Uint8Array<ArrayBuffer>,
    redirect: 'error',
    signal,
  })
  if (!response.ok || !response.body)
    throw new StampError(`the authority answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > MAX_ANSWER) throw new StampError('the authority answered too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
