/** Pages that a platform serves now and then in place of the right one: they do no harm, however long it lasts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCrawler } from '../../test/open-crawler.ts'
import { openStage, START } from '../../test/visit-stage.ts'
import type { Post } from '../model/post.ts'
import { HOUR_MS, SECOND_MS } from '../model/time.ts'
import { createManualClock } from '../simulator/clocks.ts'
import type { ChannelPage, NoPage, PageOutcome } from '../telegram/source.ts'

type Stage = Awaited<ReturnType<typeof openStage>>

const WORDS = 'Привет, мир: это – «проверка»'

/** A channel of 60 posts that was read, one of them in two versions. */
async function openRead(): Promise<Stage> {
  const s = await openStage()
  s.platform.publish(s.channel, 60, START - HOUR_MS)
  s.channel.posts = s.channel.posts.map((post) => ({ ...post, text: `${WORDS} ${post.number}` }))
  await s.visit()
  edit(s, 50, 'corrected')
  await s.visit()
  return s
}

function edit(s: Stage, number: number, text: string): void {
  s.channel.posts = s.channel.posts.map((post) =>
    post.number === number ? { ...post, text, edited: true } : post,
  )
}

/** What must not be lost of what was archived before the fault. */
async function kept(s: Stage): Promise<readonly unknown[]> {
  const refs = Array.from({ length: 60 }, (_, i) => ({ channelId: s.id, number: i + 1 }))
  const posts = await s.store.archive.posts(refs)
  return posts.map((post) => [post?.text, post?.revision, post?.publishedAt, post?.deletedAt])
}

/** From now on each page is changed like this; single posts are shown as they are. */
function distort(s: Stage, change: (page: ChannelPage) => ChannelPage | NoPage) {
  const { source } = s.platform
  const { page } = source
  source.page = async (...asked) => {
    const outcome = await page(...asked)
    if (outcome.kind !== 'page') return outcome
    const changed = change(outcome.page)
    return 'kind' in changed ? changed : { kind: 'page', page: changed }
  }
  return () => {
    source.page = page
  }
}

const eachPost = (change: (post: Post) => Post) => (page: ChannelPage) => ({
  ...page,
  posts: page.posts.map(change),
})

const misread = (charset: string) =>
  eachPost((post) => ({
    ...post,
    text: new TextDecoder(charset).decode(Buffer.from(post.text)),
  }))

const DISTORTED: Readonly<Record<string, (page: ChannelPage) => ChannelPage | NoPage>> = {
  'an empty page': () => ({ kind: 'empty', profile: null }),
  'half a page, without its newest posts': (page) => ({
    ...page,
    posts: page.posts.slice(0, 10),
    numbers: page.numbers.slice(0, 10),
  }),
  'half a page, without its oldest posts': (page) => ({
    ...page,
    posts: page.posts.slice(10),
    numbers: page.numbers.slice(10),
  }),
  'a new layout that nobody can read': () => ({ kind: 'broken', what: 'layout_unknown' }),
  'a new layout without texts': eachPost((post) => ({ ...post, text: '' })),
  'a new layout with other dates': eachPost((post) => ({
    ...post,
    publishedAt: post.publishedAt + 3 * HOUR_MS,
  })),
  'a new layout with ids in another form': (page) => ({
    ...page,
    profile: { ...page.profile, platformId: 1_000_000_001_000 },
  }),
  'texts in another charset': misread('windows-1251'),
}

for (const [title, change] of Object.entries(DISTORTED))
  test(`${title}, for days: nothing is lost or changed, and all is read afterwards`, async () => {
    const s = await openRead()
    const before = await kept(s)
    const restore = distort(s, change)
    for (let hours = 0; hours < 72; hours += 3) {
      s.pass(3 * HOUR_MS)
      s.platform.publish(s.channel, 3)
      // Other channels are shown in the same way.
      await s.visit({ isAlone: true })
      assert.deepEqual(await kept(s), before, `${hours} hours later`)
    }
    restore()
    for (let i = 0; i < 3; i++) await s.visit()
    const { status, reason, username } = await s.status()
    assert.deepEqual([status, reason, username], ['active', null, 'daily_news'])
    assert.deepEqual(await kept(s), before)
    assert.deepEqual(
      await s.archived(),
      s.channel.posts.map(({ number }) => number),
    )
    assert.deepEqual(await s.gaps(), [])
  })

test('pages of an old cache, for days: nothing is lost or changed, and all is read afterwards', async () => {
  const s = await openStage()
  s.platform.publish(s.channel, 45, START - HOUR_MS)
  await s.visit()
  const { page } = s.platform.source
  const cached = new Map<number | null, PageOutcome>()
  for (const before of [null, 26, 6])
    cached.set(before, await page('daily_news', before, { purpose: 'visit' }))
  s.platform.publish(s.channel, 15)
  edit(s, 42, 'corrected')
  await s.visit()
  const before = await kept(s)
  assert.equal((await s.store.archive.post(s.id, 42))?.text, 'corrected')
  s.platform.source.page = async (...asked) => cached.get(asked[1]) ?? page(...asked)
  for (let hours = 0; hours < 72; hours += 3) {
    s.pass(3 * HOUR_MS)
    s.platform.publish(s.channel, 1)
    await s.visit()
    assert.deepEqual(await kept(s), before, `${hours} hours later`)
  }
  s.platform.source.page = page
  for (let i = 0; i < 2; i++) await s.visit()
  assert.deepEqual(await kept(s), before)
  assert.equal((await s.archived()).length, 84)
})

describe('a page that contradicts the archive', () => {
  test('is looked at again six hours later, and says so', async () => {
    const s = await openRead()
    const restore = distort(s, DISTORTED['a new layout without texts']!)
    s.pass(HOUR_MS)
    await s.visit()
    const { status, reason } = await s.status()
    assert.deepEqual([status, reason], ['unavailable', 'parser_mismatch'])
    const { nextVisitAt, earliestVisitAt, lastFailure } = await s.schedule()
    const wait = 6 * HOUR_MS
    assert.deepEqual([nextVisitAt - s.clock.now(), earliestVisitAt - s.clock.now()], [wait, wait])
    assert.equal(lastFailure, 'contradictory')
    restore()
    assert.equal((await s.visit()).kind, 'read')
    assert.equal((await s.status()).reason, null)
  })

  test('is used for nothing even if only an older page can tell', async () => {
    const s = await openRead()
    const restore = distort(s, DISTORTED['a new layout without texts']!)
    s.pass(HOUR_MS)
    s.platform.publish(s.channel, 30)
    assert.equal((await s.visit()).kind, 'failed')
    assert.equal((await s.archived()).length, 60)
    assert.equal((await s.schedule()).newestNumber, 60)
    restore()
    await s.visit()
    assert.equal((await s.archived()).length, 90)
  })
})

/** Two channels, of which the first one's name is taken at times; the second shows that the platform is well. */
async function openTwo() {
  const clock = createManualClock(START)
  const s = await openCrawler(clock)
  const [first, other] = await s.add('first_news', 'second_news')
  s.platform.publish(first!, 5)
  s.platform.publish(other!, 5)
  /** Visits these channels, one after the other. */
  const visit = async (...ids: number[]) => {
    const crawler = s.start()
    for (const id of ids) {
      await s.store.frontier.makeDue(id, s.clock.now())
      await s.pass(5 * SECOND_MS)
    }
    await crawler.stop()
  }
  const { id } = (await s.store.archive.channel('first_news'))!
  const second = (await s.store.archive.channel('second_news'))!.id
  await visit(second, id)
  const own = { profile: first!.profile, posts: [...first!.posts] }
  return {
    ...s,
    /** Lets hours pass, with a visit in each. */
    async hours(count: number, channelId = id) {
      for (let i = 0; i < count; i++) {
        await clock.advance(HOUR_MS)
        await visit(second, channelId)
      }
    },
    known: async () => (await s.store.archive.channelsById([id]))[0]!,
    taken() {
      const posts = own.posts.map((post) => ({ ...post, text: `of another ${post.number}` }))
      Object.assign(first!, { profile: { ...own.profile, platformId: 666 }, posts })
    },
    /** The name shows its own channel again, with one more post. */
    restore() {
      Object.assign(first!, own)
      s.platform.publish(first!, 1)
      own.posts = [...first!.posts]
    },
    id,
  }
}

describe('a page of another channel under the name', () => {
  test('changes nothing for hours, nor anything if the right one comes back', async () => {
    const s = await openTwo()
    for (let i = 0; i < 2; i++) {
      s.taken()
      await s.hours(4)
      const { username, status, reason, posts } = await s.known()
      assert.deepEqual([username, status, reason], ['first_news', 'unavailable', 'parser_mismatch'])
      assert.equal(posts, 5 + i)
      s.restore()
      await s.hours(1)
      assert.equal((await s.known()).status, 'active')
    }
    assert.equal((await s.store.archive.totals()).channels, 2)
    assert.deepEqual((await s.store.archive.post(s.id, 3))?.text, 'post 3')
    assert.deepEqual(s.crashes, [])
  })

  test('is believed six hours later, and takes no post from the channel that had the name', async () => {
    const s = await openTwo()
    s.taken()
    await s.hours(8)
    const former = await s.known()
    assert.deepEqual([former.status, former.reason, former.posts], ['gone', 'name_taken', 5])
    const taker = await s.store.archive.channel('first_news')
    assert.deepEqual([taker?.platformId, taker?.posts], [666, 5])
    assert.equal((await s.store.archive.post(s.id, 3))?.revision, 1)

    s.restore()
    await s.hours(8, taker!.id)
    const back = await s.store.archive.channel('first_news')
    assert.deepEqual([back?.id, back?.posts], [s.id, 6])
    assert.deepEqual(s.crashes, [])
  })

  test('is not believed while no other channel can be read', async () => {
    const s = await openTwo()
    s.taken()
    s.hiding.add('second_news')
    await s.hours(30)
    assert.equal((await s.known()).reason, 'parser_mismatch')
    s.hiding.delete('second_news')
    await s.hours(1)
    assert.equal((await s.known()).reason, 'name_taken')
  })
})
