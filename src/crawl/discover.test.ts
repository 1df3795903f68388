import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTemporary } from '../../test/open-temporary.ts'
import { createFakePlatform, postOf } from '../../test/fake-platform.ts'
import { DAY_MS } from '../model/time.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { addChannels } from './add-channels.ts'
import { admitCandidates } from './admit.ts'
import { judgeCandidate, sightingsOf } from './discover.ts'

const NOW = Date.UTC(2026, 8, 1)
const SOURCE = { id: 7, username: 'the_source', aliases: ['old_source'] }

const mention = (name: string) =>
  ({ type: 'mention', offset: 0, length: 1, url: `https://t.me/${name}` }) as const
const link = (url: string) => ({ type: 'link', offset: 0, length: 1, url }) as const

describe('discovery', () => {
  test('takes names from forwards, mentions and links, and skips what cannot be a channel', () => {
    const post = {
      ...postOf(1, NOW),
      forwardedFrom: {
        name: 'A',
        username: 'forwarded_one',
        postUrl: 'https://t.me/forwarded_one/5',
        author: null,
      },
      entities: [
        mention('mentioned_one'),
        mention('helper_bot'),
        mention('old_source'),
        link('https://t.me/linked_one/12'),
        link('https://t.me/+invite'),
        link('https://t.me/joinchat/x'),
        link('https://example.org/t.me/not_this'),
      ],
    }
    const person = {
      ...postOf(2, NOW),
      forwardedFrom: { name: 'B', username: 'a_person', postUrl: null, author: null },
    }
    assert.deepEqual(
      sightingsOf(SOURCE, [post, person], NOW).map(({ name, how }) => `${how} ${name}`),
      ['forward forwarded_one', 'mention mentioned_one', 'link linked_one'],
    )
  })

  test('takes at most twenty names from one visit', () => {
    const entities = Array.from({ length: 100 }, (_, i) => mention(`channel_${i}`))
    assert.equal(sightingsOf(SOURCE, [{ ...postOf(1, NOW), entities }], NOW).length, 20)
  })

  function pageOf(posts = 10, subscribers = 1_000) {
    const count = { value: subscribers, approx: false, raw: String(subscribers), asOf: NOW }
    const list = Array.from({ length: posts }, (_, i) =>
      postOf(i + 1, NOW - i * DAY_MS, `a text long enough to be compared ${i}`),
    )
    return {
      profile: {
        username: 'candidate',
        platformId: 5,
        title: 'Candidate',
        description: '',
        avatarUrl: null,
        verified: false,
        subscribers: count,
        counters: { photos: null, videos: null, files: null, links: null },
      },
      posts: list,
      numbers: list.map((post) => post.number),
      before: null,
      fetchedAt: NOW,
      parserVersion: 1,
      warnings: [],
    }
  }

  test('judges a candidate by its newest page', () => {
    const none = new Set<string>()
    const page = pageOf()
    assert.equal(judgeCandidate(page, none), 'admitted')
    assert.equal(judgeCandidate(pageOf(3), none), 'too_few_posts')
    assert.equal(judgeCandidate(pageOf(10, 20), none), 'too_small')
    assert.equal(judgeCandidate({ ...page, fetchedAt: NOW + 40 * DAY_MS }, none), 'too_quiet')
    const forwardedFrom = { name: 'X', username: 'x_source', postUrl: 'u', author: null }
    const mirror = page.posts.map((post) => ({ ...post, forwardedFrom }))
    assert.equal(judgeCandidate({ ...page, posts: mirror }, none), 'mirror')
    const texts = new Set(page.posts.map((post) => post.text))
    assert.equal(judgeCandidate(page, texts), 'clone')
  })

  test('admits what two channels name, probes it once, and never admits clones or removed channels', async () => {
    const clock = createManualClock(NOW)
    const store = await openTemporary(clock)
    const platform = createFakePlatform(clock)
    await addChannels(store, ['original_one', 'second_one'], clock)
    const original = (await store.archive.channel('original_one'))!
    const second = (await store.archive.channel('second_one'))!
    const { posts, profile } = pageOf()
    await store.archive.record({
      channelId: original.id,
      at: NOW,
      capture: 'crawl',
      parserVersion: 1,
      profile: { ...profile, username: 'original_one', platformId: 1, title: 'Copied words' },
      posts,
      deleted: [],
    })
    for (const [i, name] of ['good_one', 'clone_one', 'removed_one', 'named_once'].entries()) {
      const channel = platform.add(name, 100 + i)
      const title = name === 'clone_one' ? 'Copied words' : name
      channel.profile = { ...profile, username: name, platformId: 100 + i, title }
      channel.posts = posts.map((post) =>
        name === 'clone_one' ? post : { ...post, text: `${post.text} by ${name}` },
      )
      const sighting = { name, how: 'forward', at: NOW } as const
      await store.frontier.addSightings([{ ...sighting, sourceId: original.id }])
      if (name === 'named_once') continue
      await store.frontier.addSightings([{ ...sighting, sourceId: second.id }])
    }
    await store.removals.removeChannel('removed_one', 'asked for', NOW)
    const decided: string[] = []
    const options = {
      store,
      source: platform.source,
      clock,
      mayUseReserve: async () => true,
      onDecided: ({ name, verdict }: { name: string; verdict: string }) =>
        decided.push(`${name} ${verdict}`),
    }
    const { signal } = new AbortController()
    await admitCandidates(options, signal)
    await admitCandidates(options, signal)
    assert.deepEqual(decided.toSorted(), ['clone_one clone', 'good_one admitted'])
    assert.equal(platform.asked.length, 2)
    assert.equal((await store.archive.channel('good_one'))?.status, 'queued')
    assert.equal(await store.archive.channel('clone_one'), undefined)
  })

  test('postpones an unreadable candidate for a day so that the others get their turn', async () => {
    const clock = createManualClock(NOW)
    const store = await openTemporary(clock)
    const platform = createFakePlatform(clock)
    await addChannels(store, ['original_one', 'second_one'], clock)
    for (const source of ['original_one', 'second_one']) {
      const { id: sourceId } = (await store.archive.channel(source))!
      const sightings = Array.from({ length: 7 }, (_, i) => {
        return { name: `candidate_${i}`, how: 'forward', at: NOW, sourceId } as const
      })
      await store.frontier.addSightings(sightings)
    }
    const decided: string[] = []
    const onDecided = ({ verdict }: { verdict: string }) => decided.push(verdict)
    const mayUseReserve = async () => true
    const options = { store, source: platform.source, clock, mayUseReserve, onDecided }
    const round = () => admitCandidates(options, new AbortController().signal)
    const asked = () => new Set(platform.asked.map(({ name }) => name)).size

    platform.answers.push({ kind: 'unreachable', what: 'network', detail: 'reset' })
    await round()
    platform.answers.push({ kind: 'throttled', sign: 'status', retryAfterMs: null })
    await round()
    assert.deepEqual([decided, platform.asked.length, asked()], [[], 2, 1], 'it keeps its place')
    platform.answers.push(
      { kind: 'empty', profile: null },
      { kind: 'broken', what: 'layout_unknown' },
      { kind: 'unreachable', what: 'status', detail: 'redirected although readable' },
      { kind: 'empty', profile: null },
      { kind: 'empty', profile: null },
    )
    await round()
    assert.deepEqual(decided, ['empty', 'broken', 'unreachable', 'empty', 'empty'])
    await round()
    assert.deepEqual([decided.slice(5), asked()], [['nobody', 'nobody'], 7])
    await round()
    assert.equal(platform.asked.length, 9)
    await clock.advance(DAY_MS)
    await round()
    assert.equal(platform.asked.length, 14, 'the five are asked for again')
  })
})
