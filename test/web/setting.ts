import { fileURLToPath } from 'node:url'
import type { ChannelProfile } from '../../src/model/channel.ts'
import { makeMedia, type Post } from '../../src/model/post.ts'
import { count, makePost } from '../api/harness.ts'
import { startService, type Service } from '../start-service.ts'
import { hostilePosts } from './hostile-posts.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR
const OPEN = {
  TELEGREP_TIERS: fileURLToPath(new URL('../fixtures/tiers/open.json', import.meta.url)),
}

/** The whole program with a small simulated platform, and hand-written channels of which tests know every post. */
export async function startSetting(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const world = { seed: 'web', channels: 3, days: 8, steady: true }
  const service = await startService({ world, env: { ...OPEN, ...env } })
  const now = Math.floor(Date.now() / 1000) * 1000
  await publish(
    service,
    { username: 'harbour_news', title: 'Harbour news', subscribers: count(11_900, now - 3 * DAY) },
    [],
    now - 3 * DAY,
  )
  await publish(service, { username: 'harbour_news', title: 'Harbour news', verified: true }, [
    ...Array.from({ length: 45 }, (_, i) =>
      makePost({
        number: 100 + i,
        publishedAt: now - 29 * DAY + i * 15 * HOUR,
        text: `The harbour opened berth number ${i + 1}.\n\n\nShips wait no longer.`,
      }),
    ),
    richPost(now),
  ])
  await publish(service, { username: 'harbour_news', title: 'Harbour news', verified: true }, [
    { ...richPost(now), text: RICH_TEXT.replace('twelve', 'fourteen'), edited: true },
  ])
  await publish(service, { username: 'harbour_echo', title: 'Echo of the harbour' }, [
    makePost({
      number: 7,
      publishedAt: now - 2 * HOUR,
      text: RICH_TEXT.replace('twelve', 'fourteen'),
      entities: [
        { type: 'spoiler', offset: 'Captains of '.length, length: 'fourteen ships'.length },
      ],
    }),
  ])
  await publish(service, { username: 'akhbar_bandar', title: 'أخبار الميناء' }, [
    makePost({
      number: 3,
      publishedAt: now - 5 * HOUR,
      text: 'وصلت السفينة الكبيرة إلى الميناء صباح اليوم، وقال القبطان: «Welcome» للجميع.',
    }),
  ])
  const quay = { username: 'quay_notes', title: 'Quay notes' }
  await publish(service, quay, [
    makePost({ number: 1, publishedAt: now - 9 * HOUR, text: '', orphan: true }),
    makePost({ number: DELETED.number, publishedAt: now - 8 * HOUR, text: 'Said and taken back' }),
  ])
  await publish(service, quay, [], undefined, [DELETED.number])
  await publish(
    service,
    {
      username: 'hostile_words',
      title: '<b onmouseover=window.pwned=1>T\u202Eevil</b></h3></article>',
      description: `</p><script>window.pwned=1</script>${'W'.repeat(3000)}`,
    },
    hostilePosts(now - 6 * HOUR),
  )
  await service.settled()
  return service
}

const RICH_TEXT =
  'Captains of twelve ships signed the new harbour rules on Thursday evening, after a week of talks about fees, pilots and the old lighthouse at the northern pier.'
/** A post that its author deleted. */
export const DELETED = { path: '/channels/quay_notes/posts/2', number: 2 }
/** A post with a spoiler. */
export const SPOILED = { path: '/channels/harbour_echo/posts/7' }
export const RICH = { path: '/channels/harbour_news/posts/200', number: 200 }

export function richPost(now: number): Post {
  const video = makeMedia('video', {
    width: 1280,
    height: 720,
    durationS: 62,
    url: 'https://cdn4.telesco.pe/file/ship.mp4',
    thumbnailUrl: 'https://cdn4.telesco.pe/file/ship.jpg',
  })
  return makePost({
    number: RICH.number,
    publishedAt: now - 4 * HOUR,
    text: RICH_TEXT,
    entities: [{ type: 'bold', offset: 0, length: 8 }],
    media: [video, makeMedia('document', { fileName: 'rules.pdf' })],
    poll: {
      question: 'Are the fees fair?',
      type: 'Anonymous Poll',
      options: [
        { text: 'Yes', percent: 71 },
        { text: 'No', percent: 29 },
      ],
      voters: count(1200, now, '1.2K'),
    },
    linkPreview: {
      url: 'https://example.com/rules',
      siteName: 'Example',
      title: 'The rules in full',
      description: 'Twelve pages.',
      imageUrl: null,
    },
    views: count(4200, now, '4.2K'),
    reactions: [{ emoji: '👍', customId: null, paid: false, count: count(17, now) }],
  })
}

export async function publish(
  { app: { store, clock } }: Service,
  profile: Partial<ChannelProfile> & { readonly username: string; readonly title: string },
  posts: readonly Post[],
  at = clock.now(),
  deleted: readonly number[] = [],
): Promise<void> {
  // The simulated platform does not know these channels, so they are marked as imported and never visited.
  const added = await store.archive.addChannel(profile.username, { at, status: 'imported' })
  if (added.outcome === 'removed') throw new Error(`${profile.username} is removed`)
  await store.archive.record({
    channelId: added.channel.id,
    at,
    capture: 'crawl',
    parserVersion: 1,
    profile: {
      platformId: null,
      description: '',
      avatarUrl: null,
      verified: false,
      subscribers: count(12_300, at, '12.3K'),
      counters: { photos: null, videos: null, files: null, links: null },
      ...profile,
    },
    posts,
    deleted,
  })
}
