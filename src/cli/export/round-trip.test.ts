import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { whyNoEngines } from '../../../test/engines.ts'
import { openTemporary } from '../../../test/open-temporary.ts'
import { createSchemas } from '../../../test/postgres.ts'
import {
  ENTITY_TYPES,
  MEDIA_KINDS,
  makeMedia,
  type Capture,
  type Entity,
} from '../../model/post.ts'
import { viewArchivedPost } from '../../operations/views/archived-post.ts'
import { viewChannelCard } from '../../operations/views/channel.ts'
import { readPost } from '../../operations/views/read-post.ts'
import { makePost } from '../../store/contract/make-post.ts'
import type { Retention, Store } from '../../store/store.ts'
import { importPosts, type ImportItem } from '../import/import-posts.ts'
import { selectPosts } from './select-posts.ts'

const NOW = Date.UTC(2026, 10, 1)
const DAY = 86_400_000
const clock = { now: () => NOW, elapsed: () => NOW, sleep: async () => {} }
const { signal } = new AbortController()
const KEEP: Retention = { deleted: 'keep', versions: 'keep' }

/** Letters of several scripts, hidden characters, formatting, and characters with a meaning in CSV and JSON. */
const words = fc
  .array(
    fc.constantFrom('a', 'Ёж', '中文', '\u202e', '\u200b', '\n', '"', ',', '😀', '#tag', '\\'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(' '))
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const instant = fc.integer({ min: NOW - 300 * DAY, max: NOW - 200 * DAY })
const count = fc
  .record({ value: fc.nat(9_000_000), approx: fc.boolean(), asOf: instant })
  .map(({ value, approx, asOf }) => ({ value, approx, raw: approx ? '9M' : String(value), asOf }))
const url = fc.constantFrom('https://example.org/a?b=c', 'https://t.me/other/7', 'tg://x')
const media = fc
  .record({
    kind: fc.constantFrom(...MEDIA_KINDS),
    url: some(url),
    thumbnailUrl: some(url),
    width: some(fc.nat(4000)),
    height: some(fc.nat(4000)),
    durationS: some(fc.nat(900)),
    fileName: some(words),
    size: some(count),
    mime: some(fc.constant('video/mp4')),
    title: some(words),
    detail: some(words),
    latitude: some(fc.constantFrom(0, -33.5, 51.25)),
    longitude: some(fc.constantFrom(0, -70.25, 151)),
    round: fc.boolean(),
    tooBig: fc.boolean(),
    number: some(fc.integer({ min: 1, max: 99 })),
    fileId: some(fc.constantFrom('abc', 'def')),
  })
  .map(({ kind, ...known }) => makeMedia(kind, known))

function entitiesOf(text: string, types: readonly (typeof ENTITY_TYPES)[number][]): Entity[] {
  return types.map((type, i) => ({
    type,
    offset: i % text.length,
    length: 1,
    ...(type === 'text_link' || type === 'link' ? { url: 'https://example.org/' } : {}),
    ...(type === 'custom_emoji' ? { customId: '77' } : {}),
    ...(type === 'quote' ? { collapsed: true } : {}),
    ...(type === 'pre' ? { language: 'ts' } : {}),
  }))
}

const post = fc
  .record({
    number: fc.integer({ min: 1, max: 6 }),
    publishedAt: instant.map((at) => Math.floor(at / 1000) * 1000),
    text: words,
    types: fc.array(fc.constantFrom(...ENTITY_TYPES), { maxLength: 3 }),
    edited: fc.boolean(),
    media: fc.array(media, { maxLength: 2 }),
    poll: some(
      fc.record({
        question: words,
        type: fc.constant('Anonymous Poll'),
        options: fc.array(fc.record({ text: words, percent: some(fc.nat(100)) }), { maxLength: 2 }),
        voters: some(count),
      }),
    ),
    linkPreview: some(
      fc.record({
        url,
        siteName: some(words),
        title: some(words),
        description: some(words),
        imageUrl: some(url),
      }),
    ),
    buttons: fc.array(fc.array(fc.record({ text: words, url: some(url) }), { minLength: 1 }), {
      maxLength: 1,
    }),
    author: some(words),
    viaBot: some(fc.constant('gif')),
    reactions: fc.array(
      fc.record({
        emoji: some(fc.constant('👍')),
        customId: some(fc.constant('5265077361648368841')),
        paid: fc.boolean(),
        count,
      }),
      { maxLength: 2 },
    ),
    forwardedFrom: some(
      fc.record({
        name: words,
        username: some(fc.constant('other_one')),
        postUrl: some(url),
        author: some(words),
      }),
    ),
    replyTo: some(fc.record({ url, author: some(words), text: some(words) })),
    views: some(count),
    orphan: fc.boolean(),
    kind: fc.constantFrom('post', 'post', 'service'),
  })
  .map(({ types, ...known }) => makePost({ ...known, entities: entitiesOf(known.text, types) }))

const step = fc.record({
  channel: fc.constantFrom('alpha_news', 'beta_news'),
  posts: fc.array(post, { maxLength: 3 }),
  deleted: fc.subarray([1, 2, 3, 4, 5, 6], { maxLength: 1 }),
  capture: fc.constantFrom<Capture>('crawl', 'crawl', 'live', 'import'),
})
const history = fc.array(step, { minLength: 1, maxLength: 8 })

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Each step happens at a later time; milliseconds count. */
async function live(store: Store, steps: readonly Step[]): Promise<void> {
  let at = NOW - 100 * DAY
  for (const { channel, posts, deleted, capture } of steps) {
    const added = await store.archive.addChannel(channel, { at, status: 'queued' })
    if (added.outcome === 'removed') continue
    at += 3_600_123
    const numbers = new Map(posts.map((each) => [each.number, each]))
    await store.archive.record({
      channelId: added.channel.id,
      at,
      capture,
      parserVersion: capture === 'import' ? 0 : 2,
      profile: null,
      posts: [...numbers.values()],
      deleted,
    })
  }
}

async function exported(store: Store): Promise<string[]> {
  const all = { channels: [], query: null, since: null, until: null, deleted: true }
  const lines: string[] = []
  for await (const { posts } of selectPosts(store, all, { clock, signal })) {
    for (const { post: each, channel } of posts) {
      const versions = await store.archive.versions(each)
      lines.push(
        JSON.stringify(viewArchivedPost(each, viewChannelCard(channel, undefined), versions)),
      )
    }
  }
  // Another store numbers channels differently, so the order differs.
  return lines.sort()
}

async function take(store: Store, lines: readonly string[], isOwn: boolean) {
  async function* items(): AsyncGenerator<ImportItem> {
    for (const [i, line] of lines.entries())
      yield { where: `line ${i + 1}`, ...readPost(line, NOW) }
  }
  const rejected: string[] = []
  const sum = await importPosts(store, items(), {
    clock,
    signal,
    isOwn,
    onRejected: (where, reason) => rejected.push(`${where}: ${reason}`),
    onProgress: () => {},
  })
  assert.deepEqual(rejected, [])
  return sum
}

const asImport = (line: string) => line.replace(/"capture":"(?:crawl|live)"/, '"capture":"import"')

/** Into each kind of store and out of it again. */
async function holds(steps: readonly Step[], openOther: () => Promise<Store>): Promise<void> {
  await using first = await openTemporary(clock, KEEP)
  await live(first, steps)
  const lines = await exported(first)
  await using own = await openOther()
  await take(own, lines, true)
  assert.deepEqual(await exported(own), lines, 'an own export comes back as it was')
  await using other = await openTemporary(clock, KEEP)
  await take(other, lines, false)
  const theirs = lines.map(asImport).sort()
  assert.deepEqual(await exported(other), theirs, 'another’s differs in who captured it')
  const again = await take(other, lines, false)
  assert.deepEqual([again.added, again.changed], [0, 0])
  assert.deepEqual(await exported(other), theirs, 'taken again it changes nothing')
}

describe('an export followed by an import', () => {
  test('loses nothing, including versions and hidden characters', async () => {
    const open = () => openTemporary(clock, KEEP)
    const property = fc.asyncProperty(history, (steps) => holds(steps, open))
    await fc.assert(property, { seed: 22, numRuns: 15 })
  })

  test('redacts deleted posts as the retention of the importing store says', async () => {
    await using first = await openTemporary(clock, KEEP)
    const text = (words: string) =>
      makePost({ number: 1, publishedAt: NOW - 250 * DAY, text: words })
    const step = { channel: 'alpha_news' as const, capture: 'crawl' as const, deleted: [] }
    await live(first, [
      { ...step, posts: [text('then')] },
      { ...step, posts: [text('now')] },
      { ...step, posts: [], deleted: [1] },
    ])
    const lines = await exported(first)
    await using frugal = await openTemporary(clock)
    await take(frugal, lines, false)
    const [line = ''] = await exported(frugal)
    assert.doesNotMatch(line, /then|now/)
    const [before, later] = [lines[0]!, line].map((each) => JSON.parse(each))
    assert.equal(later.deleted_at, before.deleted_at)
    assert.equal(later.evidence.content_sha256, before.evidence.content_sha256)
    assert.equal(later.versions[0].sha256, before.versions[0].sha256)
  })

  test('changes no post that this archive captured itself, and adds none that was removed', async () => {
    await using first = await openTemporary(clock, KEEP)
    const text = (number: number, words: string) =>
      makePost({ number, publishedAt: NOW - 250 * DAY, text: words })
    const step = { channel: 'alpha_news' as const, capture: 'crawl' as const, deleted: [] }
    await live(first, [{ ...step, posts: [text(1, 'theirs'), text(2, 'theirs')] }])
    await using own = await openTemporary(clock, KEEP)
    await live(own, [{ ...step, posts: [text(1, 'ours')] }])
    await own.removals.removePost('alpha_news', 2, 'asked', NOW)
    const lines = await exported(first)
    const rejected: string[] = []
    async function* items(): AsyncGenerator<ImportItem> {
      for (const line of lines) yield { where: 'line', ...readPost(line, NOW) }
    }
    const sum = await importPosts(own, items(), {
      clock,
      signal,
      onRejected: (_, reason) => rejected.push(reason),
      onProgress: () => {},
    })
    assert.deepEqual([sum.added, sum.unchanged, rejected.length], [0, 1, 1])
    const kept = (await exported(own)).map((line) => JSON.parse(line).text)
    assert.deepEqual(kept, ['ours'])
  })

  test('lets the first crawl of an imported post set when it was first captured', async () => {
    await using first = await openTemporary(clock, KEEP)
    const said = makePost({ number: 1, publishedAt: NOW - 250 * DAY, text: 'said' })
    const step = {
      channel: 'alpha_news' as const,
      capture: 'crawl' as const,
      deleted: [],
      posts: [said],
    }
    await live(first, [step])
    await using other = await openTemporary(clock, KEEP)
    await take(other, await exported(first), false)
    const { id: channelId } = (await other.archive.channel('alpha_news'))!
    const reading = {
      channelId,
      at: NOW,
      parserVersion: 2,
      profile: null,
      posts: [said],
      deleted: [],
    }
    await other.archive.record({ ...reading, capture: 'crawl' })
    const post = await other.archive.post(channelId, 1)
    assert.deepEqual([post?.capture, post?.firstCapturedAt], ['crawl', NOW])
  })
})

describe('an export imported into PostgreSQL', { skip: whyNoEngines() ?? false }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())
  test('loses nothing', async () => {
    const open = async () => (await schemas.open(KEEP)).store
    const property = fc.asyncProperty(history, (steps) => holds(steps, open))
    await fc.assert(property, { seed: 24, numRuns: 2 })
  })
})
