import { test } from 'node:test'
import { assertGrowsByLength } from '../../test/processor-time.ts'
import type { ArchivedPost, Entity } from '../model/post.ts'
import { makePost } from '../store/contract/make-post.ts'
import { traceSpread } from './spread-members.ts'

const LINKS = 100

test('posts full of links are traced in time linear in their number', () => {
  const posts = Array.from({ length: 96 }, (_, i) => ({
    post: postOfLinks(i),
    card: {
      username: `channel_${i}`,
      title: '',
      language: null,
      subscribers: null,
      verified: false,
    },
  }))
  assertGrowsByLength((count) => traceSpread(posts.slice(0, count), () => false), posts.length)
})

/** As many links as the platform allows in a post, each to another post of the platform. */
function postOfLinks(i: number): ArchivedPost {
  const entities = Array.from({ length: LINKS }, (_, j): Entity => ({
    type: 'text_link',
    offset: 2 * j,
    length: 1,
    url: `https://t.me/elsewhere/${i * LINKS + j + 1}`,
  }))
  return {
    ...makePost({ number: 1, publishedAt: i, text: 'x '.repeat(LINKS), entities }),
    channelId: i,
    revision: 1,
    contentSha256: '',
    firstCapturedAt: 0,
    lastCapturedAt: 0,
    capture: 'crawl',
    parserVersion: 1,
    deletedAt: null,
    language: null,
  }
}
