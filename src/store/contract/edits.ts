import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentSha256 } from '../../model/content-hash.ts'
import type { Edit } from '../../model/edit.ts'
import { makeMedia, type Post } from '../../model/post.ts'
import type { Reading } from '../archive.ts'
import type { EditQuery } from '../edits.ts'
import { planImportedHistories } from '../plan/imported-history.ts'
import type { Store } from '../store.ts'
import {
  ALL_EDITS,
  HOUR,
  MINUTE,
  NOON,
  addChannel,
  count,
  samplePost,
  sampleProfile,
  sampleReading,
  type OpenStore,
} from './samples.ts'

/** For example `number 3: 12 → 21`. */
function told({ number, kinds, named }: Edit): string {
  const changes = named.map(({ before, after }) => `${before ?? '–'} → ${after ?? '–'}`)
  return `${kinds.join(' ')} ${number}${changes.length > 0 ? `: ${changes.join(', ')}` : ''}`
}

/** All edits, fetched page by page. */
async function walked(store: Store, fields: Partial<EditQuery> = {}): Promise<string[]> {
  const found: string[] = []
  let after: string | null = null
  do {
    const query: EditQuery = { ...ALL_EDITS, limit: 2, ...fields, after }
    const page = await store.edits.list(query)
    assert.ok(page.items.length <= query.limit)
    found.push(...page.items.map(told))
    after = page.next
  } while (after !== null)
  return found
}

const read = (store: Store, channelId: number, at: number, fields: Partial<Reading>) =>
  store.archive.record(sampleReading(channelId, { at, ...fields }))

const said = (number: number, text: string, views = number * 10) =>
  samplePost(number, { text, views: count(views) })

/** Two channels. In the first, post 1 is edited twice, post 2 once, and post 3 is deleted; in the second, post 1 is edited. */
async function fill(store: Store): Promise<{ first: number; second: number }> {
  const first = (await addChannel(store, 'first')).id
  const second = (await addChannel(store, 'second')).id
  await read(store, first, NOON, {
    posts: [said(1, '12 were hurt'), said(2, 'they will come'), said(3, 'gone'), said(4, 'stays')],
  })
  await read(store, second, NOON, { posts: [said(1, 'the mayor Ivan spoke', 500)] })
  await read(store, first, NOON + HOUR, { posts: [said(1, '21 were hurt')] })
  await read(store, second, NOON + 2 * HOUR, { posts: [said(1, 'the mayor Anna spoke', 500)] })
  await read(store, first, NOON + 3 * HOUR, {
    posts: [said(1, '21 were saved'), said(2, 'they will not come')],
  })
  await read(store, first, NOON + 4 * HOUR, { deleted: [3] })
  return { first, second }
}

const ALL = [
  'deleted 3',
  'negation 2: will come → will not come',
  'text 1',
  'name 1: Ivan → Anna',
  'number 1: 12 → 21',
]

/** Edits and deletions in all channels. */
export function describeEdits(open: OpenStore): void {
  describe('edits', () => {
    test('are listed in the order they were noticed, latest first, page by page', async () => {
      const { store } = await open()
      const { first, second } = await fill(store)
      assert.deepEqual(await walked(store), ALL)
      assert.deepEqual(await walked(store, { limit: 1 }), ALL)
      assert.deepEqual(await walked(store, { channelIds: [second] }), [ALL[3]])
      assert.deepEqual(await walked(store, { channelIds: [second, first, 99] }), ALL)
      assert.deepEqual(await walked(store, { channelIds: [] }), [])
      const between = { since: NOON + 2 * HOUR, until: NOON + 4 * HOUR }
      assert.deepEqual(await walked(store, between), ALL.slice(1, 4))
    })

    test('are listed by views, each post once', async () => {
      const { store } = await open()
      const { first } = await fill(store)
      const byViews = [ALL[3], ALL[0], ALL[1], ALL[2]]
      assert.deepEqual(await walked(store, { order: 'views' }), byViews)
      assert.deepEqual(await walked(store, { order: 'views', kinds: ['number'] }), [ALL[4]])
      assert.deepEqual(await walked(store, { order: 'views', minViews: 25 }), byViews.slice(0, 2))
      await read(store, first, NOON + 5 * HOUR, {
        posts: [samplePost(1, { text: '21 were saved', views: count(9_000, NOON + 5 * HOUR) })],
      })
      assert.deepEqual(await walked(store, { order: 'views', limit: 1 }), [
        ALL[2],
        ...byViews.slice(0, 3),
      ])
    })

    test('are filtered by kind, language, and whether the post still exists', async () => {
      const { store } = await open()
      const { first } = await fill(store)
      assert.deepEqual(await walked(store, { kinds: ['number', 'deleted'] }), [ALL[0], ALL[4]])
      assert.deepEqual(await walked(store, { deleted: 'only' }), [ALL[0]])
      assert.deepEqual(await walked(store, { deleted: 'exclude' }), ALL.slice(1))
      assert.deepEqual(await walked(store, { lang: ['en'] }), [])
      await store.archive.saveDerived([
        {
          channelId: first,
          number: 2,
          revision: 2,
          language: 'en',
          languageWeight: 1,
          detectedLanguage: 'en',
          terms: [],
          has: [],
        },
      ])
      assert.deepEqual(await walked(store, { lang: ['fa', 'en'] }), [ALL[1]])
    })

    test('of one post are listed with the texts before and after each', async () => {
      const { store } = await open()
      const { first } = await fill(store)
      const edits = await store.edits.ofPost({ channelId: first, number: 1 })
      assert.deepEqual(edits.map(told), [ALL[4], ALL[2]])
      assert.deepEqual(
        edits.map(({ revision, at }) => [revision, at]),
        [
          [1, NOON + HOUR],
          [2, NOON + 3 * HOUR],
        ],
      )
      assert.deepEqual((await store.edits.ofPost({ channelId: first, number: 1 }, 1)).map(told), [
        ALL[2],
      ])
      const [deleted] = await store.edits.ofPost({ channelId: first, number: 3 })
      const texts = await store.edits.texts([...edits, deleted!])
      assert.deepEqual(
        texts.map(({ before, next }) => [before?.text, next?.text]),
        [
          ['12 were hurt', '21 were hurt'],
          ['21 were hurt', undefined],
          [undefined, undefined],
        ],
      )
      assert.deepEqual(await store.edits.ofPost({ channelId: first, number: 4 }), [])
      assert.deepEqual(await store.edits.texts([]), [])
    })

    test('lose their details when the post is deleted, and are erased when it is removed', async () => {
      const { store } = await open()
      const { first } = await fill(store)
      await read(store, first, NOON + 5 * HOUR, { deleted: [2] })
      const [edit, deletion] = await store.edits.ofPost({ channelId: first, number: 2 })
      assert.deepEqual(
        [edit, deletion].map((each) => told(each!)),
        ['negation 2', 'deleted 2'],
      )
      await store.removals.removePost('first', 1, 'asked', NOON)
      assert.deepEqual(await walked(store, { channelIds: [first] }), [
        'deleted 2',
        'deleted 3',
        'negation 2',
      ])
      await store.removals.removeChannel('first', 'asked', NOON)
      assert.deepEqual(await walked(store), [ALL[3]])
    })

    test('do not include the deletion of a post that came back', async () => {
      const { store } = await open()
      const { first } = await fill(store)
      await read(store, first, NOON + 5 * HOUR, { posts: [said(3, 'gone')] })
      assert.deepEqual(await store.edits.ofPost({ channelId: first, number: 3 }), [])
      await read(store, first, NOON + 6 * HOUR, { deleted: [3] })
      await read(store, first, NOON + 7 * HOUR, { posts: [said(3, 'back, with 5 words')] })
      const edits = await store.edits.ofPost({ channelId: first, number: 3 })
      assert.deepEqual(edits.map(told), ['text 3'])
    })

    test('do not include a state from before an edit, which some cache has kept', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'cached')
      const before = said(1, 'first')
      await read(store, id, NOON, { posts: [before] })
      await read(store, id, NOON + 1, { posts: [{ ...before, text: 'second', edited: true }] })
      const post = await store.archive.post(id, 1)
      const result = await read(store, id, NOON + 2, { posts: [before] })
      assert.deepEqual(result.changed, [])
      assert.deepEqual(await store.archive.post(id, 1), post)
    })

    test('do not include votes in buttons, new names of who is forwarded, and replies whose target is gone', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'voted')
      const post = (votes: string, name: string, fields: Partial<Post> = {}) =>
        samplePost(1, {
          buttons: [[{ text: votes, url: null }], [{ text: 'Open', url: 'https://example.com/' }]],
          forwardedFrom: { name, username: null, postUrl: null, author: null },
          ...fields,
        })
      const replyTo = { url: 'https://t.me/voted/7', author: null, text: null }
      const states = [
        post('👍', 'Ann', { replyTo }),
        post('👍 1', 'Ann', { replyTo }),
        post('👍 (۲)', 'Ann'),
        post(`👍 1${' '.repeat(1_000)}`, 'Ann'),
        post('👍 1.2K', 'Deleted Account'),
      ]
      for (const [i, state] of states.entries()) await read(store, id, NOON + i, { posts: [state] })
      assert.deepEqual(await walked(store), [])
      const now = await store.archive.post(id, 1)
      assert.deepEqual([now?.revision, now?.buttons[0]?.[0]?.text], [1, '👍 1.2K'])
      assert.equal(now?.contentSha256, contentSha256(states[4]!))
      const labels = ['👎 2', 'Buy: $100', 'Buy: $900', 'Comments (5)', '1️⃣', '2️⃣']
      for (const [i, label] of labels.entries()) {
        await read(store, id, NOON + HOUR + i, { posts: [post(label, 'Ann')] })
        assert.equal((await walked(store)).length, i + 1)
      }
    })

    test('include another medium after a page that left out the one before beside other words', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'reworded')
      const states = [
        ['one', 'a'],
        ['two', null],
        ['two', 'b'],
      ] as const
      for (const [i, [text, fileId]] of states.entries()) {
        const media = [makeMedia('video', { fileId })]
        await read(store, id, NOON + i, { posts: [samplePost(1, { text, media })] })
      }
      assert.equal((await walked(store)).length, 2)
    })

    test('do not include that a page tells more or less about the same medium', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'shown')
      const ids = [null, 'a', null, 'a', null, 'b', null]
      for (const [i, fileId] of ids.entries()) {
        const media = [makeMedia('video', { fileId, durationS: fileId === null ? null : 7 })]
        await read(store, id, NOON + i, { posts: [samplePost(1, { media })] })
        assert.deepEqual(await walked(store), ids.indexOf('b') <= i ? ['other 1'] : [])
        const now = await store.archive.post(id, 1)
        const known = ids.slice(0, i + 1).findLast((each) => each !== null) ?? null
        assert.deepEqual(
          [now?.media[0]?.fileId, now?.contentSha256 === contentSha256(now!)],
          [known, true],
        )
      }
    })

    test('have no details where earlier versions are kept as hashes', async () => {
      const { store } = await open({ versions: 'hash' })
      await fill(store)
      assert.deepEqual(
        (await walked(store)).toSorted(),
        ['deleted 3', 'negation 2', 'text 1', 'name 1', 'number 1'].toSorted(),
      )
    })

    test('are derived from an imported history', async () => {
      const { store } = await open()
      const { first } = await fill(store)
      const { id: channelId } = await addChannel(store, 'told')
      const post = (await store.archive.post(first, 1))!
      const versions = await store.archive.versions(post)
      const told = { post: { ...post, channelId, capture: 'import' } as const, versions }
      const { retention } = store
      await store.run((draft) =>
        planImportedHistories(draft, channelId, [told], { at: NOON + 9 * HOUR, retention }),
      )
      assert.deepEqual(await walked(store, { channelIds: [channelId] }), [ALL[2], ALL[4]])
    })

    test('move with the posts of a channel that is merged into another', async () => {
      const { store } = await open()
      const twin = (await addChannel(store, 'twin')).id
      await read(store, twin, NOON, { posts: [said(1, '12 were hurt'), said(2, 'gone')] })
      await read(store, twin, NOON + MINUTE, { posts: [said(1, '21 were hurt')], deleted: [2] })
      const known = (await addChannel(store, 'known')).id
      const profile = sampleProfile('known', { platformId: 7 })
      await read(store, known, NOON + HOUR, { profile })
      await read(store, twin, NOON + 2 * HOUR, {
        profile: sampleProfile('twin', { platformId: 7 }),
      })
      assert.deepEqual(await walked(store, { channelIds: [known] }), [
        'deleted 2',
        'number 1: 12 → 21',
      ])
      assert.deepEqual(await walked(store, { channelIds: [twin] }), [])
    })
  })
}
