import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openLive as open } from '../../test/open-live.ts'

describe('a live read of several pages', () => {
  test('never repeats a post or shows one that is too new, if the platform ignores where to begin', async () => {
    const s = await open()
    const { source } = s.platform
    const page = source.page.bind(source)
    source.page = (name, before, read) => page(name, before === null ? null : before + 5, read)
    const overlapping = await s.read({ limit: 50 })
    assert.ok(overlapping.kind === 'read')
    assert.deepEqual(
      overlapping.posts.map((post) => post.number),
      Array.from({ length: 50 }, (_, i) => 65 - i),
    )
    source.page = (name, _before, read) => page(name, null, read)
    const fifty = await s.read({ limit: 50, maxAgeMs: 0 })
    assert.ok(fifty.kind === 'read')
    assert.equal(fifty.posts.length, 20)
    assert.equal(fifty.cutBy?.kind, 'broken')
    assert.equal((await s.read({ before: 11, maxAgeMs: 0 })).kind, 'broken')
  })

  test('shows no posts of another channel that takes the name over between two pages', async () => {
    const s = await open()
    const { source } = s.platform
    const page = source.page.bind(source)
    source.page = async (name, before, read) => {
      if (before !== null) s.channel.profile = { ...s.channel.profile, platformId: 4711 }
      return page(name, before, read)
    }
    for (let i = 0; i < 2; i++) {
      const fifty = await s.read({ limit: 50 })
      assert.ok(fifty.kind === 'read')
      assert.equal(fifty.posts.length, 20)
      assert.equal(fifty.cutBy?.kind, 'broken')
      assert.equal(s.live.cached(s.ask({ limit: 50 })), undefined)
    }
  })
})
