import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, MINUTE, NOON, type OpenStore } from './samples.ts'

export function describeLivePages(open: OpenStore): void {
  describe('live pages', () => {
    test('concurrent requests for the same page share one fetch, and its failure', async () => {
      const { livePages } = (await open()).store
      const options = { maxAgeMs: 0, signal: new AbortController().signal }
      let fetches = 0
      const ask = (key: string) =>
        livePages.fetch(key, options, async () => {
          fetches++
          await new Promise((resolve) => setImmediate(resolve))
          if (key === 'broken|') throw new Error('no answer')
          return { text: key }
        })
      const pages = await Promise.all([ask('a|'), ask('a|'), ask('b|')])
      assert.deepEqual(
        pages.map(({ value }) => value.text),
        ['a|', 'a|', 'b|'],
      )
      assert.equal(fetches, 2)
      const failed = await Promise.allSettled([ask('broken|'), ask('broken|')])
      assert.ok(failed.every(({ status }) => status === 'rejected'))
      assert.equal(fetches, 3)
      await ask('a|')
      assert.equal(fetches, 4, 'a page of no age is fetched anew')
    })

    test('a request for a new page does not get an old one that another accepts', async () => {
      const { store, setNow } = await open()
      const { signal } = new AbortController()
      const ask = (maxAgeMs: number, text: string) =>
        store.livePages.fetch('a|', { maxAgeMs, signal }, async () => ({ text }))
      await ask(0, 'old')
      setNow(NOON + MINUTE / 2)
      const [, page] = await Promise.all([ask(MINUTE, 'new'), ask(0, 'new')])
      assert.equal(page.value.text, 'new')
    })

    test('a page that a clock ahead has dated is fetched anew once the clock is right', async () => {
      const { store, setNow } = await open()
      const { signal } = new AbortController()
      const ask = (text: string) =>
        store.livePages.fetch('a|', { maxAgeMs: MINUTE, signal }, async () => ({ text }))
      setNow(NOON + HOUR)
      await ask('old')
      setNow(NOON)
      assert.equal((await ask('new')).value.text, 'new')
    })
  })
}
