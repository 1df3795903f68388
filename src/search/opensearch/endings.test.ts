import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { openOnCluster } from '../../../test/open-on-cluster.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { analyze } from '../../text/analyze.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { PHRASE_ENDINGS } from './query-dsl.ts'

const NOW = Date.UTC(2026, 2, 14)

test(
  'an answer says so where a phrase may end in more words than are looked at',
  { skip: whyNoEngines() ?? false },
  async () => {
    await using opened = await openOnCluster()(createStillClock(NOW))
    const document = sampleDocument(createRandom(1), NOW, [])
    // In Chinese a character is found as the beginning of a pair, and there is a pair for each character that follows it.
    const said = (year: number, nth: number) => `${year}年${String.fromCodePoint(0x4e00 + nth)}`
    const postOf = (number: number, text: string) => {
      const toks = analyze(text, 'zh').tokens.map(({ tok }) => tok)
      return { ...document, channelId: 1, number, publishedAt: NOW - 1_000, toks, stems: toks }
    }
    const posts = Array.from({ length: 900 }, (_, i) => postOf(i + 1, said(2026, i)))
    // Of words with this beginning, each also has one that is looked at.
    const others = Array.from({ length: PHRASE_ENDINGS - 800 }, (_, i) =>
      postOf(901 + i, `${said(2026, 900 + i)}, ${said(2025, 1)}`),
    )
    const found = async () => {
      const root = { kind: 'word', text: '2026年', start: 0, end: 5 } as const
      const { total, reason } = await opened.index.search(plainSearch(NOW, { root }))
      return [total.value, reason]
    }
    await opened.writer.apply({ puts: posts })
    assert.deepEqual(await found(), [900, null])
    await opened.writer.apply({ puts: others.slice(0, PHRASE_ENDINGS - 900) })
    assert.deepEqual(await found(), [PHRASE_ENDINGS, null])
    await opened.writer.apply({ puts: others })
    const [total, reason] = await found()
    assert.ok(Number(total) < posts.length + others.length)
    assert.equal(reason, 'prefix')
  },
)
