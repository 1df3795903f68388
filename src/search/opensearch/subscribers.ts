import type { Asking } from './ask.ts'
import { bitmapOf } from './bitmap.ts'
import { expectOk, type Client } from './client.ts'
import type { Names } from './names.ts'

const PAGE = 10_000

interface Hit {
  readonly sort: readonly number[]
  readonly fields: { readonly ch: readonly [number]; readonly subs: readonly [number] }
}

/**
 * How many subscribers each channel has. Kept here, since a field of its posts would have to be written anew in all of them
 * whenever it moves; before each use only what has changed since is read.
 */
export function createSubscribers(client: Client, names: Names) {
  const counts = new Map<number, number>()
  let seen = 0

  async function catchUp({ deadline, signal }: Asking): Promise<void> {
    let after: readonly number[] | undefined
    for (;;) {
      const answer = await client.request({
        method: 'POST',
        path: `/${names.channels}/_search?filter_path=hits.hits.fields,hits.hits.sort`,
        body: {
          size: PAGE,
          _source: false,
          // Of the last batch all are read again: a part of it may have come later.
          query: { range: { seq: { gte: seen } } },
          docvalue_fields: ['ch', 'subs'],
          sort: [{ seq: 'asc' }, { ch: 'asc' }],
          ...(after && { search_after: after }),
        },
        deadline,
        signal,
      })
      if (answer.status === 404) return
      const hits = expectOk<{ hits?: { hits?: readonly Hit[] } }>(answer).hits?.hits ?? []
      for (const { fields } of hits) counts.set(fields.ch[0], fields.subs[0])
      after = hits.at(-1)?.sort
      if (hits.length < PAGE) {
        seen = after?.[0] ?? seen
        return
      }
    }
  }

  /** Channels with at least so many, for `matching`; undefined when all have. */
  return async (least: number, asking: Asking): Promise<string | undefined> => {
    if (least <= 0) return undefined
    await catchUp(asking)
    return bitmapOf([...counts].flatMap(([channel, count]) => (count >= least ? [channel] : [])))
  }
}
