import { createHash } from 'node:crypto'
import { createCache } from '../model/cache.ts'
import type { Clock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'
import type { Stamper } from './package.ts'

/**
 * Timestamps (RFC 3161): asking an authority for one. What it answers is packed as it is; `openssl ts -verify` checks it, this
 * program does not.
 */

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

/** A TimeStampReq in DER around the digest: version 1, SHA-256, no nonce, with the authority's certificate. */
const REQUEST_HEAD = Buffer.from('30390201013031300d060960864801650304020105000420', 'hex')
const REQUEST_TAIL = Buffer.from('0101ff', 'hex')

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
      return await request(url, createHash('sha256').update(signature).digest(), late.signal)
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

async function request(url: string, digest: Buffer, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query' },
    body: Buffer.concat([REQUEST_HEAD, digest, REQUEST_TAIL]),
    redirect: 'error',
    signal,
  })
  if (!response.ok || !response.body) throw new Error(`the authority answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.length
    if (length > MAX_ANSWER) throw new Error('the authority answered too much')
    chunks.push(chunk)
  }
  const stamp = Buffer.concat(chunks)
  // A stamp repeats the digest; a refusal, a page of an error or another's stamp does not.
  if (!stamp.includes(digest)) throw new Error('the authority answered something else')
  return stamp
}
