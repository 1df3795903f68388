import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf, NOW, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { until } from '../../../test/until.ts'
import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { WINDOW_MS } from '../search-index.ts'

const skip = whyNoEngines() ?? false

test('words of what was removed leave the files in the night', { skip }, async () => {
  await using world = await setUp()
  const { location, client, names, clock, pass, search } = world
  await using writer = await openIndexWriter(location, clock)
  const words = ['xylophone', 'zeppelin', 'quixotic']
  // Each word is among so many others that the engine would not rewrite a segment for its sake.
  const others = Array.from({ length: 42 }, (_, i) => `other${i}`)
  const puts = [...words, ...others].map((word, i) =>
    documentOf(i + 1, { channelId: i + 1, toks: [word], stems: [word] }),
  )
  for (const part of [0, 1, 2]) {
    await writer.apply({ puts: puts.filter((_, i) => i % 3 === part) })
  }
  await writer.apply({ removals: [puts[0]!], removedChannels: [2] })
  /** How many posts the files hold with each word, deleted ones included. */
  async function left(): Promise<number[]> {
    const week = names.week(1, WEEK)
    const doc = { _index: week, doc: { w: words.join(' ') }, fields: ['w'], term_statistics: true }
    const asked = { method: 'POST', path: '/_mtermvectors', body: { docs: [doc] } } as const
    const answer = await client.request(asked)
    const [found] = (answer.body as { docs: { term_vectors?: { w?: Vector } }[] }).docs
    return words.map((word) => found?.term_vectors?.w?.terms[word]?.doc_freq ?? 0)
  }
  assert.deepEqual(await left(), [1, 1, 1])
  // The night is in the local time of the machine.
  while (new Date(clock.now()).getHours() !== 3) pass(HOUR_MS)
  // The engine learns every half a minute which of the replaced posts nobody needs any more: one of the nights is after that.
  await until(async () => {
    pass(DAY_MS)
    await writer.expire(NOW - WINDOW_MS)
    return `${await left()}` === '0,0,1'
  })
  pass(NOW - clock.now())
  assert.deepEqual(
    await search(),
    puts.slice(2).map(({ number }) => number),
  )
})

interface Vector {
  readonly terms: Readonly<Record<string, { readonly doc_freq?: number }>>
}
