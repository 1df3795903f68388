import type { Asking } from './ask.ts'
import { bitmapOf } from './bitmap.ts'
import { expectOk, IndexUnavailableError, type Client } from './client.ts'
import { soon } from './control.ts'
import type { Names } from './names.ts'

const PAGE = 10_000
/** So many answers are kept until a channel passes their number. */
const KEPT = 16

interface Hit {
  readonly sort: readonly number[]
  readonly fields: { readonly ch: readonly [number]; readonly subs: readonly [number] }
}

/**
 * How many subscribers each channel has. Kept here, since a field of its posts would have to be written anew in all of them
 * whenever it moves; before each use only what has changed since is read. All who ask share one reading, which outlives them:
 * the first one goes over every channel and may last longer than a search.
 */
export function createSubscribers(client: Client, names: Names, page = PAGE) {
  const counts = new Map<number, number>()
  /** By the least number asked for, until a channel passes it. */
  const bitmaps = new Map<number, string>()
  /** All up to the batch before this one were read. */
  let seen = 0
  let isWhole = false
  let reading: Promise<void> | undefined

  async function readPage(after: readonly number[] | undefined): Promise<readonly Hit[]> {
    const answer = await client.request({
      method: 'POST',
      path: `/${names.channels}/_search?filter_path=hits.hits.fields,hits.hits.sort`,
      body: {
        size: page,
        _source: false,
        // Of the last batch all are read again: a part of it may have come later.
        query: { range: { seq: { gte: seen } } },
        docvalue_fields: ['ch', 'subs'],
        sort: [{ seq: 'asc' }, { ch: 'asc' }],
        ...(after && { search_after: after }),
      },
      deadline: soon(),
    })
    if (answer.status === 404) return []
    return expectOk<{ hits?: { hits?: readonly Hit[] } }>(answer).hits?.hits ?? []
  }

  function note(channel: number, count: number): void {
    const before = counts.get(channel) ?? 0
    counts.set(channel, count)
    for (const least of bitmaps.keys()) {
      if (before >= least !== count >= least) bitmaps.delete(least)
    }
  }

  /** Goes on where one before it has failed. */
  async function catchUp(): Promise<void> {
    for (let after: readonly number[] | undefined; ;) {
      const hits = await readPage(after)
      for (const { fields } of hits) note(fields.ch[0], fields.subs[0])
      after = hits.at(-1)?.sort
      seen = after?.[0] ?? seen
      if (hits.length < page) break
    }
    isWhole = true
  }

  /** False where it lasts too long for whoever asks. */
  async function hasCaughtUp({ deadline, signal }: Asking): Promise<boolean> {
    signal?.throwIfAborted()
    reading ??= catchUp().finally(() => (reading = undefined))
    // Whoever waits for it is told, and there may be nobody left.
    reading.catch(() => undefined)
    const late = Promise.withResolvers<false>()
    const left = deadline - performance.now()
    // What was read before is better than no answer.
    const timer = setTimeout(() => late.resolve(false), isWhole ? left / 4 : left)
    const onAbort = () => late.reject(signal!.reason as Error)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([reading.then(() => true), late.promise])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  function bitmapFrom(least: number): string {
    const kept = bitmaps.get(least)
    if (kept !== undefined) return kept
    const made = bitmapOf([...counts].flatMap(([ch, count]) => (count >= least ? [ch] : [])))
    if (bitmaps.size >= KEPT) bitmaps.clear()
    bitmaps.set(least, made)
    return made
  }

  /** Channels with at least so many, for `matching`; undefined when all have. */
  return async (least: number, asking: Asking): Promise<string | undefined> => {
    if (least <= 0) return undefined
    if (!(await hasCaughtUp(asking)) && !isWhole) {
      throw new IndexUnavailableError('the subscribers of its channels are being read')
    }
    return bitmapFrom(least)
  }
}
