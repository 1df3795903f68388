import { makeMedia, type Post } from '../../src/model/post.ts'
import { count, makePost, type Service } from './harness.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A small set of channels with one post of every kind, at times relative to now, which is returned. */
export async function fillWorld(service: Service): Promise<number> {
  const now = Math.floor(service.clock.now() / 1000) * 1000
  await service.publish(
    {
      username: 'ChessNews',
      title: 'Chess news',
      description: 'All about chess.\nDaily games',
      platformId: 1001,
      verified: true,
      subscribers: count(12_300, now, '12.3K'),
      avatarUrl: 'https://cdn.example/chess.jpg',
      counters: {
        photos: count(3, now),
        videos: null,
        files: null,
        links: count(1200, now, '1.2K'),
      },
    },
    chessPosts(now),
  )
  await service.publish(
    {
      username: 'novosti_shahmat',
      title: 'Новости шахмат',
      platformId: 1002,
      subscribers: count(500, now),
    },
    [
      makePost({ number: 1, publishedAt: now - 2 * DAY, text: 'Чемпион выиграл партию ферзём' }),
      makePost({
        number: 2,
        publishedAt: now - 3 * HOUR,
        text: 'Турнир закончился вничью',
        forwardedFrom: {
          name: 'Chess news',
          username: 'ChessNews',
          postUrl: 'https://t.me/ChessNews/10',
          author: null,
        },
      }),
    ],
  )
  await service.publish({ username: 'quiet_channel', title: 'Quiet', platformId: 1003 }, [
    makePost({ number: 5, publishedAt: now - 60 * DAY, text: 'An old post about the champion' }),
  ])
  return now
}

function chessPosts(now: number): Post[] {
  const at = (ms: number) => now - ms
  return [
    makePost({ number: 1, publishedAt: at(90 * DAY), text: 'Channel created', kind: 'service' }),
    makePost({
      number: 2,
      publishedAt: at(40 * DAY),
      text: 'The champion of last season, long ago',
    }),
    makePost({
      number: 10,
      publishedAt: at(5 * HOUR),
      text: 'The champion opened with the queen #opening @durov https://example.com/games?id=1',
      entities: [
        { type: 'bold', offset: 4, length: 8 },
        { type: 'hashtag', offset: 35, length: 8 },
        { type: 'mention', offset: 44, length: 6, url: 'https://t.me/durov' },
        { type: 'link', offset: 51, length: 30, url: 'https://example.com/games?id=1' },
      ],
      views: count(1200, now, '1.2K'),
      reactions: [
        { emoji: '👍', customId: null, paid: false, count: count(10, now) },
        { emoji: null, customId: '5368324170671202286', paid: false, count: count(3, now) },
        { emoji: null, customId: null, paid: true, count: count(1, now) },
      ],
    }),
    makePost({
      number: 11,
      publishedAt: at(4 * HOUR),
      text: 'A draw in the second game of the champions',
      edited: true,
      views: count(900, now),
      media: [media('photo', 11), media('video', 12)],
      albumNumbers: [11, 12],
    }),
    makePost({
      number: 13,
      publishedAt: at(3.5 * HOUR),
      text: 'Reply: the queen was lost',
      replyTo: {
        url: 'https://t.me/ChessNews/10',
        author: 'Chess news',
        text: 'The champion opened',
      },
    }),
    makePost({
      number: 14,
      publishedAt: at(2 * HOUR),
      text: 'Who wins the match?',
      poll: {
        question: 'Who wins the match?',
        type: 'Anonymous Poll',
        options: [
          { text: 'White', percent: 60 },
          { text: 'Black', percent: 40 },
        ],
        voters: count(321, now),
      },
    }),
    makePost({
      number: 15,
      publishedAt: at(HOUR),
      text: 'Hid\u200bden \u202eoverride in the game',
      entities: [{ type: 'italic', offset: 0, length: 7 }],
    }),
    makePost({
      number: 16,
      publishedAt: at(30 * MINUTE),
      text: '=SUM(A1) *not bold* <script>alert(1)</script> game',
    }),
    makePost({ number: 17, publishedAt: at(20 * MINUTE), text: 'Soon gone' }),
  ]
}

function media(kind: 'photo' | 'video', number: number): Post['media'][number] {
  return makeMedia(kind, {
    url: `https://cdn.example/${number}`,
    width: 800,
    height: 600,
    durationS: kind === 'video' ? 12 : null,
    number,
    fileId: `file${number}`,
  })
}
