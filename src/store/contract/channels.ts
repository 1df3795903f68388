import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Channel } from '../../model/channel.ts'
import type { ChannelQuery } from '../archive.ts'
import type { Store } from '../store.ts'
import {
  DAY,
  NOON,
  addChannel,
  browse,
  count,
  drained,
  ended,
  samplePost,
  sampleProfile,
  sampleReading,
  take,
  type OpenStore,
} from './samples.ts'

/** Channels: names that change owners, profiles, listings. */
export function describeChannels(open: OpenStore): void {
  describe('channels', () => {
    test('a channel is found by its name in any case, and adding it again reports it as known', async () => {
      const { store } = await open()
      const channel = await addChannel(store, 'Durov')
      assert.deepEqual((await store.archive.channel('dUROV'))?.id, channel.id)
      const again = await store.archive.addChannel('DUROV', { at: NOON + 1, status: 'queued' })
      assert.equal(again.outcome, 'known')
      assert.equal(await store.archive.channel('nobody'), undefined)
      const many = await store.archive.channelsByName(['nobody', 'Durov', 'durov'])
      assert.deepEqual(
        many.map((found) => found?.id),
        [undefined, channel.id, channel.id],
      )
      const ids = [999, channel.id]
      assert.deepEqual(
        (await store.archive.channelsById(ids)).map((c) => c.id),
        [channel.id],
      )
    })

    test('a profile is stored with its counts, each with its own date', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'profile')
      const counters = { photos: count(5), videos: null, files: count(1), links: null }
      const profile = sampleProfile('Profile', { platformId: 42, verified: true, counters })
      await store.archive.record(sampleReading(id, { profile }))
      await drained(store)
      const later = sampleProfile('Profile', {
        platformId: 42,
        title: 'New title',
        subscribers: count(120, NOON + 1),
        counters: { photos: count(6, NOON + 1), videos: null, files: null, links: null },
      })
      await store.archive.record(sampleReading(id, { at: NOON + 1, profile: later }))
      const channel = await store.archive.channel('profile')
      assert.deepEqual(
        [channel?.username, channel?.title, channel?.verified, channel?.platformId],
        ['Profile', 'New title', false, 42],
      )
      assert.deepEqual(channel?.subscribers, count(120, NOON + 1))
      assert.deepEqual(channel?.counters.files, count(1))
      assert.equal(channel?.lastVisitedAt, NOON + 1)
      assert.deepEqual(await drained(store), [`channel ${id}`])
    })

    test('a former name leads to the renamed channel until another channel shows it', async () => {
      const { store } = await open()
      const first = await read(store, 'before', { platformId: 1 })
      await show(store, first, sampleProfile('after', { platformId: 1 }), NOON + 1)
      const renamed = await store.archive.channel('BEFORE')
      assert.deepEqual(
        [renamed?.id, renamed?.username, renamed?.aliases],
        [first.id, 'after', ['before']],
      )
      const second = await read(store, 'second', { platformId: 2 })
      await show(store, second, sampleProfile('before', { platformId: 2 }), NOON + 2)
      assert.equal((await store.archive.channel('before'))?.id, second.id)
      assert.deepEqual((await store.archive.channel('after'))?.aliases, [])
    })

    test('a former name is released when a channel that is not known shows it, a present one is not', async () => {
      const { store } = await open()
      const first = await read(store, 'before', { platformId: 1 })
      await show(store, first, sampleProfile('after', { platformId: 1 }), NOON + 1)
      const release = (name: string, platformId: number) =>
        store.archive.releaseName(name, { platformId, at: NOON + 2 })
      await release('after', 2)
      await release('before', 1)
      await release('nobody', 2)
      assert.deepEqual((await store.archive.channel('after'))?.aliases, ['before'])
      await release('BEFORE', 2)
      assert.equal(await store.archive.channel('before'), undefined)
      assert.deepEqual((await store.archive.channel('after'))?.aliases, [])
      const added = await store.archive.addChannel('before', { at: NOON + 3, status: 'queued' })
      assert.equal(added.outcome, 'added')
    })

    test('a name that shows another numeric id becomes another channel', async () => {
      const { store } = await open()
      const old = await read(store, 'wanders', { platformId: 1 })
      await store.archive.record(sampleReading(old.id, { posts: [samplePost(1, { text: 'old' })] }))
      const profile = sampleProfile('wanders', { platformId: 2 })
      const posts = [samplePost(1, { text: 'new' })]
      await store.archive.record(sampleReading(old.id, { at: NOON + 1, profile, posts }))
      const heir = await store.archive.channel('wanders')
      assert.ok(heir && heir.id !== old.id)
      assert.equal((await store.archive.post(heir.id, 1))?.text, 'new')
      assert.equal((await store.archive.post(old.id, 1))?.text, 'old')
      const [former] = await store.archive.channelsById([old.id])
      assert.deepEqual(
        [former?.status, former?.reason, former?.nextVisitAt],
        ['gone', 'name_taken', null],
      )
      assert.notEqual(heir.nextVisitAt, null, 'the heir is visited from now on')
      await store.frontier.makeDue(old.id, NOON + 2)
      assert.equal(
        await store.frontier.schedule(old.id),
        undefined,
        'nobody can visit the nameless',
      )
    })

    test('a channel added under a second name is merged into its known self, imports included', async () => {
      const { store } = await open()
      const known = await read(store, 'known', { platformId: 7 })
      await store.archive.record(
        sampleReading(known.id, { posts: [samplePost(1, { text: 'read' })] }),
      )
      const twin = await addChannel(store, 'twin')
      const imported = [samplePost(1, { text: 'imported' }), samplePost(2)]
      await store.archive.record(sampleReading(twin.id, { capture: 'import', posts: imported }))
      const profile = sampleProfile('twin', { platformId: 7 })
      await store.archive.record(
        sampleReading(twin.id, { at: NOON + 1, profile, posts: [samplePost(3)] }),
      )
      const joined = await store.archive.channel('twin')
      assert.deepEqual(
        [joined?.id, joined?.username, joined?.aliases],
        [known.id, 'twin', ['known']],
      )
      assert.equal(joined?.posts, 3)
      assert.equal((await store.archive.post(known.id, 1))?.text, 'read')
      assert.deepEqual(await store.archive.channelsById([twin.id]), [])
    })

    test('merging two names of one channel merges the versions, deletions and dates of each post', async () => {
      const { store } = await open()
      const { archive } = store
      const known = await read(store, 'known', { platformId: 7 })
      const twin = await addChannel(store, 'twin')
      const say = (channelId: number, at: number, text: string, numbers: readonly number[]) =>
        archive.record(
          sampleReading(channelId, { at, posts: numbers.map((n) => samplePost(n, { text })) }),
        )
      await say(twin.id, NOON + 1, 'first', [1, 2, 3, 4])
      await say(known.id, NOON + 2, 'second', [2, 4])
      await say(twin.id, NOON + 3, 'third', [1, 2])
      await say(known.id, NOON + 4, 'third', [2])
      await archive.record(sampleReading(twin.id, { at: NOON + 5, deleted: [3, 4] }))
      const profile = sampleProfile('twin', { platformId: 7 })
      await archive.record(sampleReading(twin.id, { at: NOON + 6, profile }))
      const told = async (number: number) => {
        const post = await archive.post(known.id, number)
        const versions = await archive.versions({ channelId: known.id, number })
        return [post?.text, ...versions.toReversed().map((version) => version.text)]
      }
      assert.deepEqual(await told(1), ['third', 'first'])
      assert.deepEqual(await told(2), ['third', 'second', 'first'])
      assert.deepEqual(await told(3), [''])
      assert.deepEqual(await told(4), ['', null], 'deleted last, so its wordings are gone, too')
      const [one, two, three, four] = await archive.posts(
        [1, 2, 3, 4].map((number) => ({ channelId: known.id, number })),
      )
      assert.deepEqual([one?.revision, two?.revision], [2, 3])
      assert.deepEqual([one?.firstCapturedAt, two?.firstCapturedAt], [NOON + 1, NOON + 1])
      assert.deepEqual([three?.deletedAt, four?.deletedAt], [NOON + 5, NOON + 5])
      assert.equal((await archive.channel('known'))?.posts, 2)
      await say(known.id, NOON + 7, 'fourth', [2])
      assert.deepEqual(await told(2), ['fourth', 'third', 'second', 'first'])
      assert.deepEqual(await store.verify(), [])
    })

    test('every order of a listing can be paged to its end without repeats', async () => {
      const { store } = await open()
      const names = ['alpha', 'bravo', 'charlie', 'delta', 'echo_x', 'foxtrot', 'golf']
      for (const [i, name] of names.entries()) {
        const channel = await read(store, name, {
          platformId: i + 1,
          subscribers: i === 3 ? null : count((i * 3) % 5),
          verified: i % 2 === 0,
        })
        const posts = Array.from({ length: i % 4 }, (_, n) =>
          samplePost(n + 1, { publishedAt: NOON - ((i * 5 + n) % 7) * DAY }),
        )
        await store.archive.record(sampleReading(channel.id, { posts }))
      }
      const sorts: ChannelQuery['sort'][] = [
        'subscribers',
        'posts_per_day',
        'newest_post',
        'added',
        'username',
        'relevance',
      ]
      for (const sort of sorts) {
        const all = (await store.archive.channels(browse({ sort }))).items
        assert.deepEqual(all.map((c) => c.username).toSorted(), names)
        assert.deepEqual(await walkChannels(store, browse({ sort, limit: 2 })), all)
      }
      const bySubscribers = (await store.archive.channels(browse())).items
      assert.deepEqual(
        bySubscribers.map((c) => c.subscribers?.value ?? -1),
        bySubscribers.map((c) => c.subscribers?.value ?? -1).toSorted((a, b) => b - a),
      )
      const verified = await walkChannels(
        store,
        browse({ verified: true, sort: 'username', limit: 1 }),
      )
      assert.deepEqual(
        verified.map((c) => c.username),
        ['alpha', 'charlie', 'echo_x', 'golf'],
      )
      const few = await walkChannels(store, browse({ maxSubscribers: 1, minSubscribers: 0 }))
      assert.deepEqual(few.map((c) => c.username).toSorted(), ['alpha', 'charlie', 'foxtrot'])
      const lively = await walkChannels(store, browse({ activeSince: NOON - DAY }))
      assert.deepEqual(
        lively.map((c) => c.username),
        ['delta'],
      )
    })

    test('words match channels by name first, then title, then description', async () => {
      const { store } = await open()
      const described = { platformId: 1, title: 'Gazette', description: 'all the MÉTÉO' }
      await read(store, 'described', { ...described, subscribers: count(900) })
      await read(store, 'titled', { platformId: 2, title: 'La météo', subscribers: count(5) })
      await read(store, 'agro_meteora', { platformId: 3, title: 'x', subscribers: count(500) })
      await read(store, 'agrometeo', { platformId: 6, title: 'x', subscribers: count(700) })
      await read(store, 'untold', { platformId: 7, title: 'Agrometeo', subscribers: count(800) })
      await read(store, 'meteo', { platformId: 4, title: 'x', subscribers: count(1) })
      await read(store, 'other', { platformId: 5 })
      const query = browse({ words: ['meteo'], sort: 'relevance', limit: 1 })
      const found = await walkChannels(store, query)
      assert.deepEqual(
        found.map((c) => c.username),
        ['meteo', 'agro_meteora', 'titled', 'agrometeo', 'described'],
      )
      const both = await store.archive.channels(browse({ words: ['la', 'meteo'] }))
      assert.deepEqual(
        both.items.map((c) => c.username),
        ['titled'],
      )
    })

    test('a name matches by any three letters, a text without spaces by any part', async () => {
      const { store } = await open()
      await read(store, 'Morning_Harbour', {
        platformId: 1,
        title: '港口新聞頻道',
        subscribers: null,
      })
      await read(store, 'other', { platformId: 2, title: 'Harbours', description: '港口' })
      const names = async (...words: string[]) => {
        const page = await store.archive.channels(browse({ words, sort: 'username' }))
        return page.items.map((channel) => channel.username)
      }
      assert.deepEqual(await names('arbo'), ['Morning_Harbour'])
      assert.deepEqual(await names('ngh'), ['Morning_Harbour'], 'across its underscore')
      assert.deepEqual(await names('morningharbour'), ['Morning_Harbour'])
      assert.deepEqual(await names('ha'), ['Morning_Harbour', 'other'], 'two letters begin a word')
      assert.deepEqual(await names('ar'), [])
      assert.deepEqual(await names('新闻'), ['Morning_Harbour'], 'in either way of writing')
      assert.deepEqual(await names('新聞'), ['Morning_Harbour'])
      assert.deepEqual(await names('口'), ['Morning_Harbour', 'other'])
      assert.deepEqual(await names('港口', 'harb'), ['Morning_Harbour', 'other'])
      assert.deepEqual(await names('港口', 'ning'), ['Morning_Harbour'])
    })

    test('a channel is found by its current words only, and not at all once removed', async () => {
      const { store } = await open()
      const channel = await read(store, 'changes', { platformId: 1, title: 'Lanterns' })
      const names = async (word: string) => {
        const page = await store.archive.channels(browse({ words: [word], sort: 'relevance' }))
        return page.items.map(({ username }) => username)
      }
      await show(
        store,
        channel,
        sampleProfile('moved', { platformId: 1, title: 'Torch' }),
        NOON + 1,
      )
      assert.deepEqual(await names('lantern'), [])
      assert.deepEqual(await names('anges'), [])
      assert.deepEqual(await names('torch'), ['moved'])
      await store.removals.removeChannel('moved', 'asked', NOON + 2)
      assert.deepEqual(await names('torch'), [])
      assert.deepEqual(await store.verify(), [])
    })

    test('status and reason are stored and can be filtered by', async () => {
      const { store } = await open()
      const { id } = await addChannel(store, 'closed')
      await addChannel(store, 'waiting')
      const visit = (await take(store)).find(({ channel }) => channel.id === id)!
      const closed = ended(visit, { status: 'unavailable', reason: 'preview_disabled' })
      await store.frontier.settle(visit.lease, closed)
      const { items } = await store.archive.channels(browse({ status: ['unavailable'] }))
      assert.deepEqual(
        items.map((c) => [c.username, c.reason]),
        [['closed', 'preview_disabled']],
      )
      const totals = await store.archive.totals()
      assert.deepEqual(totals.channelsByStatus, { unavailable: 1, queued: 1 })
    })
  })
}

async function read(
  store: Store,
  name: string,
  fields: Parameters<typeof sampleProfile>[1],
): Promise<Channel> {
  const channel = await addChannel(store, name)
  await show(store, channel, sampleProfile(name, fields), NOON)
  return (await store.archive.channel(name))!
}

async function show(
  store: Store,
  channel: Channel,
  profile: ReturnType<typeof sampleProfile>,
  at: number,
): Promise<void> {
  await store.archive.record(sampleReading(channel.id, { at, profile }))
}

async function walkChannels(store: Store, query: ChannelQuery): Promise<Channel[]> {
  const found: Channel[] = []
  for (let after = query.after; ;) {
    const page = await store.archive.channels({ ...query, after })
    found.push(...page.items)
    if (page.next === null) return found
    after = page.next
  }
}
