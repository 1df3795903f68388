import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openStage as open } from '../../test/visit-stage.ts'
import { isMisread } from './trust.ts'

const WORDS = 'Привет, мир: это – «проверка» 12'

const MISREADINGS: Readonly<Record<string, (text: string) => string>> = {
  'utf-8 as latin-1': (text) => Buffer.from(text).toString('latin1'),
  'utf-8 as windows-1252': (text) => new TextDecoder('windows-1252').decode(Buffer.from(text)),
  'utf-8 as windows-1251': (text) => new TextDecoder('windows-1251').decode(Buffer.from(text)),
  'question marks': (text) => text.replaceAll(/[^\p{ASCII}]/gu, '?'),
  'replacement characters': (text) => text.replaceAll(/[^\p{ASCII}]/gu, '\uFFFD'),
}

describe('text decoded with a wrong charset', () => {
  for (const [name, misread] of Object.entries(MISREADINGS)) {
    test(`${name}: a whole page of it is a parser mismatch and edits no post`, async () => {
      const s = await open()
      s.platform.publish(s.channel, 6)
      s.channel.posts = s.channel.posts.map((post) =>
        post.number % 2 === 0 ? { ...post, text: `${WORDS} ${post.number}` } : post,
      )
      await s.visit()
      const clean = s.channel.posts
      s.channel.posts = clean.map((post) => ({ ...post, text: misread(post.text) }))
      s.platform.publish(s.channel, 1)
      await s.visit()
      assert.equal((await s.status()).reason, 'parser_mismatch')
      assert.equal((await s.archived()).length, 6)
      const post = await s.store.archive.post(s.id, 2)
      assert.deepEqual([post?.text, post?.revision], [`${WORDS} 2`, 1])
    })
  }

  test('in a single post leaves that post unchanged, and the rest of the page is read', async () => {
    const s = await open()
    s.platform.publish(s.channel, 4)
    s.channel.posts = s.channel.posts.map((post) => ({ ...post, text: `${WORDS} ${post.number}` }))
    await s.visit()
    const [first, second, ...rest] = s.channel.posts
    const mangled = Buffer.from(first!.text).toString('latin1')
    s.channel.posts = [{ ...first!, text: mangled }, { ...second!, text: 'Правка' }, ...rest]
    s.platform.publish(s.channel, 1)
    await s.visit()
    assert.equal((await s.archived()).length, 5)
    assert.equal((await s.store.archive.post(s.id, 1))?.text, `${WORDS} 1`)
    assert.equal((await s.store.archive.post(s.id, 2))?.text, 'Правка')
  })

  test('is not suspected where a text was really edited', () => {
    for (const [now, before] of [
      ['Пока, мир', 'Привет, мир'],
      ['Hello', WORDS],
      [`${WORDS} ?`, WORDS],
      ['как это \uFFFD вышло?', WORDS],
      ['', WORDS],
      ['naïve café', 'naive cafe'],
    ] as const) {
      assert.equal(isMisread(now, before), false, now)
    }
  })
})

describe('a post that is missing from its page but shown on its own', () => {
  async function stageWithHidden() {
    const s = await open()
    s.platform.publish(s.channel, 6)
    await s.visit()
    const hidden = s.channel.posts[2]!
    s.channel.posts = s.channel.posts.filter((post) => post !== hidden)
    const show = (post: Partial<typeof hidden>, platformId = 1000) =>
      s.platform.shownAlone.set(3, {
        kind: 'post',
        post: { ...hidden, ...post },
        platformId,
        parserVersion: 1,
      })
    return { ...s, show, hidden: () => s.store.archive.post(s.id, 3) }
  }

  test('is read from its own page', async () => {
    const s = await stageWithHidden()
    s.show({ text: 'edited' })
    await s.visit()
    const post = await s.hidden()
    assert.deepEqual([post?.text, post?.revision], ['edited', 2])
  })

  test('changes nothing if it belongs to another channel', async () => {
    const s = await stageWithHidden()
    s.show({ text: 'somebody else’s words' }, 2000)
    await s.visit()
    const post = await s.hidden()
    assert.deepEqual([post?.text, post?.revision, post?.deletedAt], ['post 3', 1, null])
  })

  test('is not edited if its text is missing there or in a wrong charset', async () => {
    for (const text of ['', Buffer.from('post 3 – so').toString('latin1')]) {
      const s = await stageWithHidden()
      s.show({ text: 'post 3 – so' })
      await s.visit()
      s.pass(2 * 24 * 3_600_000)
      s.show({ text })
      await s.visit()
      const post = await s.hidden()
      assert.deepEqual([post?.text, post?.revision, post?.deletedAt], ['post 3 – so', 2, null])
    }
  })
})

describe('a date out of order with the neighbouring posts', () => {
  const DAY = 86_400_000

  test('does not replace the archived date of a post', async () => {
    for (const [number, by] of [
      [1, DAY],
      [3, -3_000 * DAY],
      [3, DAY],
      [6, -DAY],
    ] as const) {
      const s = await open()
      s.platform.publish(s.channel, 6)
      await s.visit()
      const clean = s.channel.posts
      s.pass(2 * DAY)
      s.channel.posts = clean.map((post) =>
        post.number === number
          ? { ...post, publishedAt: post.publishedAt + by, text: 'edited' }
          : post,
      )
      await s.visit()
      const post = await s.store.archive.post(s.id, number)
      const { publishedAt } = clean[number - 1]!
      assert.deepEqual([post?.text, post?.publishedAt], ['edited', publishedAt], `${number} ${by}`)
    }
  })

  test('is replaced by a later one that is in order', async () => {
    const s = await open()
    s.platform.publish(s.channel, 6)
    const clean = s.channel.posts
    s.channel.posts = clean.map((post) =>
      post.number === 3 ? { ...post, publishedAt: post.publishedAt - DAY } : post,
    )
    await s.visit()
    s.channel.posts = clean
    await s.visit()
    assert.equal((await s.store.archive.post(s.id, 3))?.publishedAt, clean[2]!.publishedAt)
  })
})

describe('a page whose dates have all shifted', () => {
  const HOUR = 3_600_000
  async function openMoved() {
    const s = await open()
    s.platform.publish(s.channel, 6)
    await s.visit()
    const right = s.channel.posts
    s.channel.posts = right.map((p) => ({ ...p, publishedAt: p.publishedAt - 3 * HOUR }))
    const dates = async () =>
      Promise.all(
        right.map(async ({ number }) => (await s.store.archive.post(s.id, number))!.publishedAt),
      )
    const expected = right.map((post) => post.publishedAt)
    return { ...s, right, dates, expected }
  }

  test('changes no date, and is requested again within minutes', async () => {
    const s = await openMoved()
    const end = await s.visit()
    assert.equal(end.kind === 'doubted' && end.surprise, 'redated')
    assert.deepEqual(await s.dates(), s.expected)
    const { nextVisitAt } = await s.schedule()
    assert.ok(nextVisitAt <= s.clock.now() + 5 * 60_000)

    s.channel.posts = s.right
    s.pass(5 * 60_000)
    assert.equal((await s.visit()).kind, 'read')
    assert.equal((await s.schedule()).doubt, null)
  })

  test('by seconds only is read as usual', async () => {
    const s = await openMoved()
    s.channel.posts = s.right.map((post) => ({ ...post, publishedAt: post.publishedAt + 2_000 }))
    assert.equal((await s.visit()).kind, 'read')
  })

  test('is accepted after an hour, since the earlier dates may have been wrong', async () => {
    const s = await openMoved()
    for (let minutes = 0; minutes < 60; minutes += 5) {
      assert.equal((await s.visit()).kind, 'doubted')
      s.pass(5 * 60_000)
    }
    assert.equal((await s.visit()).kind, 'read')
    const moved = s.expected.map((at) => at - 3 * HOUR)
    assert.deepEqual(await s.dates(), moved)
  })
})
