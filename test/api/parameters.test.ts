import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TYPED_CATALOGUE } from '../../src/operations/catalogue.ts'
import { count, makePost, startService, type Service } from './harness.ts'
import { DAY, fillWorld } from './world.ts'

const HOUR = 3_600_000
const MIDNIGHT = Math.floor(Date.now() / DAY) * DAY
const TODAY = new Date(MIDNIGHT).toISOString().slice(0, 10)
const TOMORROW = new Date(MIDNIGHT + DAY).toISOString().slice(0, 10)
/** Where a day starts ten hours or more before it does in UTC. */
const FAR_EAST = 'tz=Pacific/Kiritimati'
const SAID_TWICE =
  'The bridge over the northern canal is closed until Friday morning, the harbour master said, after a barge struck its middle pier.'

/** The query without the parameter, and what is added to it; a cursor is that of the first page. */
type Case = readonly [query: string, added: string]
type InputOf<N extends keyof typeof TYPED_CATALOGUE> = NonNullable<
  (typeof TYPED_CATALOGUE)[N]['types']
>['input']
type CasesOf<N extends keyof typeof TYPED_CATALOGUE> = Readonly<
  Record<Exclude<keyof InputOf<N>, 'username' | 'slug'>, Case>
>

const ALL = 'since=29d'
const SEARCH: CasesOf<'search_posts'> = {
  q: [ALL, 'q=champion'],
  sort: [ALL, 'sort=oldest'],
  since: ['forwards=include', 'since=3h'],
  until: [ALL, 'until=3h'],
  arrived_since: [ALL, 'arrived_since=2099-01-01'],
  tz: [`since=${TODAY}`, FAR_EAST],
  channel: [ALL, 'channel=ChessNews'],
  exclude_channel: [ALL, 'exclude_channel=ChessNews'],
  lang: [ALL, 'lang=ru'],
  exclude_lang: [ALL, 'exclude_lang=ru'],
  hashtag: [ALL, 'hashtag=opening'],
  exclude_hashtag: [ALL, 'exclude_hashtag=opening'],
  mention: [ALL, 'mention=durov'],
  exclude_mention: [ALL, 'exclude_mention=durov'],
  domain: [ALL, 'domain=example.com'],
  exclude_domain: [ALL, 'exclude_domain=example.com'],
  url: [ALL, 'url=https://example.com/games?id=1'],
  exclude_url: [ALL, 'exclude_url=https://example.com/games?id=1'],
  forwarded_from: [ALL, 'forwarded_from=ChessNews'],
  exclude_forwarded_from: [ALL, 'exclude_forwarded_from=ChessNews'],
  has: [ALL, 'has=photo'],
  forwards: [ALL, 'forwards=only'],
  replies: [ALL, 'replies=only'],
  edited: [ALL, 'edited=only'],
  min_views: [ALL, 'min_views=1000'],
  min_reactions: [ALL, 'min_reactions=5'],
  min_subscribers: [ALL, 'min_subscribers=1000'],
  match: ['q=champion', 'match=exact'],
  strict: ['q=champion+zebra', 'strict=true'],
  collapse: ['q=barge', 'collapse=duplicates'],
  facets: ['q=champion', 'facets=day'],
  detail: ['q=champion', 'detail=ids'],
  max_chars: ['q=champion', 'max_chars=5'],
  explain: ['q=champion', 'explain=true'],
  limit: ['q=champion', 'limit=1'],
  cursor: ['q=champion&limit=1', 'cursor='],
}

const CHANNELS: CasesOf<'list_channels'> = {
  q: ['', 'q=quiet'],
  lang: ['', 'lang=ru'],
  min_subscribers: ['', 'min_subscribers=1000'],
  max_subscribers: ['', 'max_subscribers=1000'],
  verified: ['', 'verified=true'],
  active_since: ['', 'active_since=2h'],
  tz: [`active_since=${TODAY}`, FAR_EAST],
  status: ['', 'status=queued'],
  sort: ['', 'sort=username'],
  limit: ['', 'limit=1'],
  cursor: ['limit=1', 'cursor='],
}

const POSTS: CasesOf<'list_channel_posts'> = {
  order: ['', 'order=oldest'],
  since: ['', 'since=3h'],
  until: ['', 'until=3h'],
  tz: [`since=${TODAY}`, FAR_EAST],
  has: ['', 'has=photo'],
  forwards: ['', 'forwards=only'],
  q: ['', 'q=queen'],
  include_deleted: ['', 'include_deleted=true'],
  include_service: ['', 'include_service=true'],
  detail: ['', 'detail=full'],
  max_chars: ['', 'max_chars=5'],
  limit: ['', 'limit=1'],
  cursor: ['limit=1', 'cursor='],
}

const SPREAD: CasesOf<'get_spread'> = {
  limit: ['', 'limit=1'],
  links: ['', 'links=exclude'],
}

const CHANGED: CasesOf<'list_changes'> = {
  q: ['', 'q=bishop'],
  kind: ['', 'kind=number'],
  sort: ['', 'sort=views'],
  since: ['', 'since=2099-01-01'],
  until: ['', 'until=7d'],
  // What is noticed now belongs to today, or to the day before or after in other zones.
  tz:
    Date.now() - MIDNIGHT > 10 * HOUR
      ? [`since=${TOMORROW}`, FAR_EAST]
      : [`since=${TODAY}`, 'tz=Etc/GMT%2B12'],
  channel: ['', 'channel=corrector'],
  exclude_channel: ['', 'exclude_channel=corrector'],
  lang: ['', 'lang=ru'],
  exclude_lang: ['', 'exclude_lang=ru'],
  has: ['', 'has=photo'],
  forwards: ['', 'forwards=only'],
  deleted: ['', 'deleted=exclude'],
  min_views: ['', 'min_views=1000'],
  min_subscribers: ['', 'min_subscribers=1000'],
  limit: ['', 'limit=1'],
  cursor: ['limit=1', 'cursor='],
}

/** Two posts of one channel are edited, one of them in another language, and a third in another channel. */
async function publishEdits(service: Service): Promise<void> {
  const now = service.clock.now()
  const say = (number: number, text: string, seen?: number) =>
    makePost({
      number,
      publishedAt: now - HOUR,
      text,
      views: seen === undefined ? null : count(seen, now),
    })
  const profile = { username: 'corrector', platformId: 3001, subscribers: count(9000, now) }
  await service.publish(profile, [
    say(1, 'The bishop won three games before noon', 5000),
    say(2, 'Чемпион выиграл партию ферзём вчера вечером'),
  ])
  service.pass(1000)
  const small = { username: 'small_corrector', platformId: 3002, subscribers: count(9, now) }
  await service.publish(small, [say(1, 'The rook was lost at noon')])
  await service.publish(small, [say(1, 'The rook was lost at dawn')])
  await service.publish(profile, [
    say(1, 'The bishop won 4 games before noon', 5000),
    say(2, 'Чемпион не выиграл партию ферзём вчера вечером'),
  ])
}

/** A parameter that is read and then forgotten is worse than one that is refused: the answer looks as if it applied. */
describe('every parameter changes the answer', () => {
  let service: Service
  before(async () => {
    service = await startService({ retention: { deleted: 'keep', versions: 'keep' } })
    await fillWorld(service)
    const profile = { username: 'ChessNews', title: 'Chess news', platformId: 1001 }
    const gone = makePost({ number: 18, publishedAt: service.clock.now() - HOUR, text: 'Gone' })
    await service.publish(profile, [gone])
    service.pass(1000)
    await service.publish(profile, [], [18])
    await publishEdits(service)
    await service.publish({ username: 'pointer', platformId: 3003 }, [
      makePost({ number: 1, publishedAt: MIDNIGHT, text: 'Look at https://t.me/late_echo/1' }),
    ])
    for (const [i, username] of ['early_riser', 'late_echo'].entries()) {
      await service.publish({ username, title: username, platformId: 2001 + i }, [
        makePost({ number: 1, publishedAt: MIDNIGHT - (5 - i) * HOUR, text: SAID_TWICE }),
      ])
    }
  })
  after(() => service[Symbol.asyncDispose]())

  const faces: readonly [path: string, cases: Readonly<Record<string, Case>>][] = [
    ['/v1/search', SEARCH],
    ['/v1/channels', CHANNELS],
    ['/v1/channels/ChessNews/posts', POSTS],
    ['/v1/channels/late_echo/posts/1/spread', SPREAD],
    ['/v1/changes', CHANGED],
  ]
  for (const [path, cases] of faces) {
    for (const [name, [query, added]] of Object.entries(cases)) {
      test(`${name} of ${path}`, async () => {
        // A channel with a post on the evening before.
        const at = name === 'tz' ? path.replace('ChessNews', 'early_riser') : path
        const plain = await service.get(`${at}?${query}`)
        assert.equal(plain.status, 200, plain.text)
        const cursor = name === 'cursor' ? (plain.json.meta.next_cursor as string) : ''
        const other = await service.get(`${at}?${query}&${added}${cursor}`)
        assert.equal(other.status, 200, other.text)
        assert.notDeepEqual(answerOf(other.json), answerOf(plain.json))
      })
    }
  }
})

/** Posts and channels with their counts; besides them only what was asked for explicitly. */
function answerOf({ data, meta }: { data: unknown; meta: Record<string, unknown> }): unknown {
  return { data: withoutScores(data), facets: meta['facets'] }
}

function withoutScores(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'score' ? 0 : value)))
}
