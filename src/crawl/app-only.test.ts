import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStage as open } from '../../test/visit-stage.ts'
import { DAY_MS, HOUR_MS } from '../model/time.ts'

describe('posts whose text only the app shows', () => {
  test('have their text fetched once, and a page that hides it does not remove it', async () => {
    const s = await open()
    s.platform.publish(s.channel, 5)
    s.channel.profile = { ...s.channel.profile, description: 'About us' }
    s.channel.posts = s.channel.posts.map((post) =>
      post.number > 1 ? { ...post, text: '', orphan: true } : post,
    )
    for (const number of [2, 3, 4]) s.platform.words.set(number, `words ${number}`)
    s.platform.words.set(5, 'About\tus')
    await s.visit()
    const texts = async () =>
      Promise.all([1, 2, 3, 4, 5].map(async (n) => (await s.store.archive.post(s.id, n))?.text))
    assert.deepEqual(await texts(), ['post 1', 'words 2', 'words 3', 'words 4', ''])
    const asked = () => s.platform.asked.filter(({ number }) => number !== null).length
    assert.equal(asked(), 4)
    s.platform.words.clear()
    assert.equal((await s.visit()).kind, 'read')
    assert.deepEqual(await texts(), ['post 1', 'words 2', 'words 3', 'words 4', ''])
    assert.equal(asked(), 4, 'neither the known nor those without words are asked for again')
    assert.equal((await s.store.archive.post(s.id, 3))?.revision, 1)
  })

  test('do not count as edited when their text is found later', async () => {
    const s = await open()
    s.platform.publish(s.channel, 2)
    s.channel.posts[1] = { ...s.channel.posts[1]!, text: '', orphan: true }
    await s.visit()
    s.pass(DAY_MS + HOUR_MS)
    s.platform.words.set(2, 'late words')
    await s.visit()
    const post = await s.store.archive.post(s.id, 2)
    assert.equal(post?.text, 'late words')
    assert.deepEqual(await s.store.archive.versions({ channelId: s.id, number: 2 }), [])
  })

  test('cost at most ten extra requests per visit', async () => {
    const s = await open()
    s.platform.publish(s.channel, 20)
    s.channel.posts = s.channel.posts.map((post) => ({ ...post, text: '', orphan: true }))
    for (const { number } of s.channel.posts) s.platform.words.set(number, `words ${number}`)
    await s.visit()
    assert.equal(s.platform.asked.filter(({ number }) => number !== null).length, 10)
    assert.equal((await s.store.archive.post(s.id, 20))?.text, 'words 20')
    await s.visit()
    assert.equal((await s.store.archive.post(s.id, 1))?.text, 'words 1')
  })

  test('do not wait behind one whose page is never readable', async () => {
    const s = await open()
    s.platform.publish(s.channel, 3)
    s.channel.posts = s.channel.posts.map((post) => ({ ...post, text: '', orphan: true }))
    for (const number of [1, 2]) s.platform.words.set(number, `words ${number}`)
    const { source } = s.platform
    const words = source.words.bind(source)
    let asked = 0
    source.words = async (name, number, options) => {
      if (number !== 3) return words(name, number, options)
      asked++
      return { kind: 'broken', what: 'truncated' }
    }
    for (let i = 0; i < 4; i++) await s.visit()
    assert.equal((await s.store.archive.post(s.id, 1))?.text, 'words 1')
    assert.equal(asked, 2, 'a single failure may pass')
  })
})
