import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines, whyNoEngines } from '../../../test/engines.ts'
import { fill, FILLED } from '../../../test/fill-postgres.ts'
import { explaining, type Looked } from '../../../test/postgres-plans.ts'
import { createSchemas } from '../../../test/postgres.ts'
import {
  ALL_EDITS,
  CONSUMER,
  DAY,
  MINUTE,
  NOON,
  browse,
  ended,
  listOf,
  samplePost,
  sampleProfile,
  sampleReading,
} from '../contract/samples.ts'
import type { Store } from '../store.ts'
import { openDatabase, type Database } from './database.ts'
import { openPostgresStore, storeOn } from './postgres-store.ts'

/** A statement that returns little may read at most this many rows of a table, which has many more. */
const MOST = 2_500
const QUOTA = { caller: 'caller7', policy: 'search', windowMs: MINUTE }
const TOLD = {
  revision: 2,
  publishedAt: NOON,
  firstCapturedAt: NOON,
  document: () => new Uint8Array(1),
}
const REFS = [1, 2, 3].map((number) => ({ channelId: 1, number }))

describe('query plans on PostgreSQL', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const options = {
    url: engines().databaseUrl,
    schema: schemas.name(),
    retention: { deleted: 'redact', versions: 'keep' },
    databaseNow: () => NOON,
  } as const
  const looked: Looked[] = []
  let db: Database
  let store: Store
  before(async () => {
    await using empty = await openPostgresStore(options)
    await empty.changes.register(CONSUMER)
    db = openDatabase({ ...options, connections: 4 })
    await db.longTransaction((tx) => fill(tx, NOON))
    store = storeOn(
      explaining(db, (each) => looked.push(each)),
      options,
    )
  })
  after(async () => {
    await db.close()
    await schemas.drop()
  })

  /** The statements that read more rows than allowed, with the table and the count. */
  const greedy = async (work: () => Promise<unknown>) => {
    looked.length = 0
    await work()
    assert.ok(looked.length > 0, 'it was explained')
    return looked.flatMap(({ sql, rows }) =>
      [...rows]
        .filter(([, n]) => n > MOST)
        .map(([table, n]) => `${n} of ${table}: ${sql.slice(0, 100)}`),
    )
  }
  const each = (works: Readonly<Record<string, () => Promise<unknown>>>) => async () => {
    const found: string[] = []
    for (const [name, work] of Object.entries(works))
      found.push(...(await greedy(work)).map((what) => `${name}: ${what}`))
    assert.deepEqual(found, [])
  }

  test('a statement that reads a whole table is detected', async () => {
    const [found] = await greedy(() => store.frontier.countCandidates(NOON))
    assert.match(found ?? '', new RegExp(`^${FILLED} of candidates: select count`))
  })

  const visits = async () => {
    const { frontier } = store
    const asked = { owner: 'a', limit: 8, ttlMs: MINUTE, eager: true }
    const leased = await frontier.lease(asked)
    assert.equal(leased.length, 8)
    await frontier.renewAll(
      leased.map(({ lease }) => lease),
      MINUTE,
    )
    const [visit] = leased
    const posts = Array.from({ length: 20 }, (_, n) => samplePost(n + 40_000))
    const reading = sampleReading(visit!.channel.id, {
      posts,
      profile: sampleProfile(visit!.channel.username),
    })
    await frontier.settle(visit!.lease, ended(visit!, { reading }))
    await frontier.release(leased[1]!.lease)
  }
  test(
    'visits read few schedules',
    each({
      visits,
      makeDue: () => store.frontier.makeDue(7, NOON),
      addDemand: () => store.frontier.addDemand([{ channelId: 7, amount: 1 }]),
      candidates: () => store.frontier.candidates({ limit: 10, minSources: 1, now: NOON }),
      sightings: () =>
        store.frontier.addSightings([{ name: 'seen1', sourceId: 1, how: 'mention', at: NOON }]),
    }),
  )

  const claims = async () => {
    const { changes } = store
    const claim = await changes.claim(CONSUMER, { limit: 100, ttlMs: MINUTE })
    assert.equal(claim?.changes.length, 100)
    await changes.renew(claim, MINUTE)
    await changes.done(claim)
    const other = await changes.claim(CONSUMER, { limit: 100, ttlMs: MINUTE })
    await changes.release(other!)
  }
  test(
    'feeding the index reads only a part of what is pending',
    each({
      claims,
      pending: () => store.changes.pending(CONSUMER, 100),
      pendingOfOthers: () => store.changes.pending('another', 100),
      expire: () => store.groups.expire(NOON - (FILLED - 300) * 1000),
      leave: () => store.groups.leave(REFS),
      leaveChannel: () => store.groups.leaveChannel(9),
      members: () => store.groups.members(7, 10),
      append: () => store.events.append([{ ...REFS[0]!, ...TOLD }]),
      events: () => store.events.after(FILLED - 10, 10),
      eventsOf: () => store.events.of(REFS),
      forget: () => store.events.prune(NOON - 99_990, 100),
    }),
  )

  const orders = ['subscribers', 'posts_per_day', 'newest_post', 'added', 'username'] as const
  const pages = async (
    sort: (typeof orders)[number],
    fields: Partial<Parameters<typeof browse>[0]> = {},
  ) => {
    let next: string | null = null
    for (let page = 0; page < 2; page++) {
      const found = await store.archive.channels(
        browse({ limit: 20, sort, ...fields, after: next }),
      )
      next = found.next
      if (next === null) return
    }
    // A cursor far down the list, as the last pages have it.
    const far = {
      subscribers: [0, 10, 10],
      posts_per_day: [0, 1.5, 10],
      newest_post: [0, NOON - FILLED + 50, 10],
      added: [0, NOON - FILLED + 50, 10],
      username: [0, 'name9990', 10],
    }
    await store.archive.channels(
      browse({ limit: 20, sort, ...fields, after: JSON.stringify(far[sort]) }),
    )
  }
  test(
    'listing channels reads few rows from any position in any order',
    each(Object.fromEntries(orders.map((sort) => [sort, () => pages(sort)]))),
  )
  test(
    'rare filters on channels read few rows',
    each({
      language: () => pages('subscribers', { lang: ['eo'] }),
      languages: () => pages('added', { lang: ['eo', 'tlh'] }),
      commonLanguage: () => pages('username', { lang: ['en'] }),
      commonSize: () => pages('username', { minSubscribers: 10 }),
      languageByName: () => pages('username', { lang: ['eo'] }),
      status: () => pages('subscribers', { status: ['gone'] }),
      verified: () => pages('subscribers', { verified: true }),
      active: () => pages('subscribers', { activeSince: NOON - 10 }),
      few: () => pages('added', { maxSubscribers: 0 }),
      word: () => pages('subscribers', { words: ['name14999'] }),
      relevance: () =>
        store.archive.channels(browse({ limit: 20, sort: 'relevance', words: ['name14999'] })),
    }),
  )

  test(
    'look-ups by key or name read few rows',
    each({
      posts: () => store.archive.posts(REFS),
      record: () =>
        store.archive.record(sampleReading(7, { posts: [samplePost(1), samplePost(2)] })),
      channel: () => store.archive.channel('name77'),
      stats: () => store.archive.stats(7, NOON),
      totals: () => store.archive.totals(),
      listPosts: () => store.archive.listPosts(listOf(1, { limit: 20 })),
      edits: () => store.edits.list({ ...ALL_EDITS, limit: 20 }),
      key: () => store.ledger.key('key7'),
      charge: () => store.ledger.charge({ ...QUOTA, limit: 9, starts: 'first', amount: 1 }),
      sweep: () => store.ledger.sweep(),
      removed: () => store.removals.removed({ names: ['name7'], platformIds: [7] }, [1]),
      find: () => store.removals.find({ name: 'name7', platformId: 7 }),
      told: () => store.deliveries.toldBy(REFS),
      stories: () => store.deliveries.toldStories([{ watchId: 1, story: 5 }]),
      lastTold: () => store.deliveries.lastTold(1, 10),
      delivery: () => store.deliveries.lease(MINUTE),
      toldLongAgo: () => store.deliveries.expire(NOON - (FILLED - 300) * 1000),
      pictures: () => store.pictures.due(NOON, 10),
      picturesOf: () => store.pictures.of(REFS),
      pictureTotals: () => store.pictures.totals(20_522),
      prune: () => store.archive.prune(NOON - 40 * DAY, 100),
    }),
  )
})
