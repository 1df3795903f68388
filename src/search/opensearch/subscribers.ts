import type { EngineSession } from './engine-session.ts'
import { bitmapOf } from './bitmap.ts'
import { expectOk, IndexUnavailableError, type Client } from './client.ts'
import { writerDeadline } from './control.ts'
import type { Names } from './names.ts'

const PAGE = 10_000
/** How many bitmaps are cached; each is valid until a channel crosses its number. */
const KEPT = 16

interface Hit {
  readonly sort: readonly number[]
  readonly fields: { readonly ch: readonly [number]; readonly subs: readonly [number] }
}

/**
 * How many subscribers each channel has. They are kept here, since a field of posts would have to be rewritten in every
 * post whenever the number changes; before each use only what has changed since is read. All callers share one read,
 * which outlives them: the first one covers every channel and may take longer than a search.
 */
export function createSubscribers(client: Client, names: Names, page = PAGE) {
  const counts = new Map<number, number>()
  /** By the least number asked for, until a channel crosses it. */
  const bitmaps = new Map<number, string>()
  /** Everything before this batch has been read. */
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
        // The last batch is read again: a part of it may have become visible later.
        query: { range: { seq: { gte: seen } } },
        docvalue_fields: ['ch', 'subs'],
        sort: [{ seq: 'asc' }, { ch: 'asc' }],
        ...(after && { search_after: after }),
      },
      deadline: writerDeadline(),
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

  /** Continues where a failed attempt stopped. */
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

  /** False if it takes too long for this caller. */
  async function hasCaughtUp({ deadline, signal }: EngineSession): Promise<boolean> {
    signal?.throwIfAborted()
    reading ??= catchUp().finally(() => (reading = undefined))
    // The error reaches whoever awaits `reading`; there may be nobody left.
    reading.catch(() => undefined)
    const late = Promise.withResolvers<false>()
    const left = deadline - performance.now()
    // If all have been read once, old numbers are better than no answer.
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

  /** Channels with at least this many subscribers, for `matching`; undefined if any number is enough. */
  return async (least: number, session: EngineSession): Promise<string | undefined> => {
    if (least <= 0) return undefined
    if (!(await hasCaughtUp(session)) && !isWhole) {
      throw new IndexUnavailableError('the subscribers of its channels are being read')
    }
    return bitmapFrom(least)
  }
}
