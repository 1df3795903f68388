import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ArchivedPost, Post } from '../model/post.ts'
import { HOUR_MS, SECOND_MS } from '../model/time.ts'
import { makePost } from '../store/contract/make-post.ts'
import { sampleProfile } from '../store/contract/samples.ts'
import { agrees } from './agrees.ts'

const AT = Date.UTC(2026, 8, 1)
const WORDS = 'Привет, мир: это – «проверка»'

/** Posts as a page shows them, ten by default. */
function shown(change: (post: Post, i: number) => Partial<Post> = () => ({}), count = 10): Post[] {
  return Array.from({ length: count }, (_, i) => {
    const post = makePost({ number: i + 1, publishedAt: AT + i * HOUR_MS, text: `${WORDS} ${i}` })
    return { ...post, ...change(post, i) }
  })
}

function archived(change: (post: Post, i: number) => Partial<ArchivedPost> = () => ({})) {
  return shown().map((post, i): ArchivedPost => ({
    ...post,
    channelId: 1,
    revision: 1,
    contentSha256: '',
    firstCapturedAt: AT,
    lastCapturedAt: AT,
    capture: 'crawl',
    parserVersion: 1,
    deletedAt: null,
    language: null,
    ...change(post, i),
  }))
}

interface Case {
  readonly posts?: readonly Post[]
  readonly known?: readonly (ArchivedPost | undefined)[]
  readonly id?: number | null
  readonly username?: string
  readonly knownId?: number | null
  readonly parserVersion?: number
}

function judge(given: Case): boolean {
  const { posts = shown(), known = archived(), id = 5, knownId = 5, parserVersion = 1 } = given
  const profile = sampleProfile(given.username ?? 'Daily_News', { platformId: id })
  const identity = { username: 'daily_news', platformId: knownId }
  return agrees({ profile, posts, parserVersion }, { identity, posts: known })
}

const misread = (text: string) => new TextDecoder('windows-1251').decode(Buffer.from(text))
const half = (i: number) => i < 5
const most = (i: number) => i < 6

describe('a page agrees with the archive', () => {
  const cases: Readonly<Record<string, Case>> = {
    'that shows the same': {},
    'of which nothing is archived': { known: shown().map(() => undefined) },
    'that shows a new name under the known id': { username: 'weekly_news' },
    'that tells no id, under the known name': { id: null },
    'of a channel whose id was never told': { knownId: null, username: 'weekly_news' },
    'on which most posts were edited, and are marked so': {
      posts: shown((_, i) => ({ text: `other ${i}`, edited: true })),
    },
    'on which half of the texts are others': {
      posts: shown((_, i) => (half(i) ? { text: 'other' } : {})),
    },
    'whose two captions were removed': {
      posts: shown(() => ({ text: '' })),
      known: archived((_, i) => (i < 2 ? {} : { text: '' })),
    },
    'that is spaced in another way': {
      posts: shown(({ text }) => ({ text: text.replaceAll(' ', '\n\n') })),
    },
    'whose albums are shown by another of their members': {
      posts: shown(({ publishedAt }) => ({ publishedAt: publishedAt + 2 * SECOND_MS })),
    },
    'that another parser has read before': {
      posts: shown(({ text, publishedAt }) => ({ text: `${text}!`, publishedAt: publishedAt + 1 })),
      parserVersion: 2,
    },
    'that is known from a file': {
      posts: shown(({ publishedAt }) => ({ text: 'other', publishedAt: publishedAt - HOUR_MS })),
      known: archived(() => ({ capture: 'import' })),
    },
    'whose posts only the app shows': { posts: shown(() => ({ text: '', orphan: true })) },
    'that shows posts which were deleted': {
      known: archived(() => ({ text: '', deletedAt: AT })),
    },
  }
  for (const [title, given] of Object.entries(cases))
    test(title, () => assert.equal(judge(given), true))
})

describe('a page contradicts the archive', () => {
  const cases: Readonly<Record<string, Case>> = {
    'with another id': { id: 6 },
    'without an id and under another name': { id: null, username: 'weekly_news' },
    'if most texts are missing': { posts: shown((_, i) => (most(i) ? { text: '' } : {})) },
    'if most of few captions are missing': {
      posts: shown(() => ({ text: '', edited: true })),
      known: archived((_, i) => (i < 3 ? {} : { text: '' })),
    },
    'if most texts that a file tells are missing': {
      posts: shown(() => ({ text: '' })),
      known: archived(() => ({ capture: 'import' })),
    },
    'if most texts are missing for a new parser, too': {
      posts: shown(() => ({ text: '' })),
      parserVersion: 2,
    },
    'if most texts are others, and are not marked as edited': {
      posts: shown((_, i) => (most(i) ? { text: 'other' } : {})),
    },
    'if most texts are in another charset': {
      posts: shown(({ text }) => ({ text: misread(text) })),
    },
    'if most dates are others': {
      posts: shown(({ publishedAt }, i) => (most(i) ? { publishedAt: publishedAt - HOUR_MS } : {})),
    },
    'if most posts have lost the mark of an edit': {
      known: archived((_, i) => (i < 4 ? { edited: true } : {})),
    },
  }
  for (const [title, given] of Object.entries(cases))
    test(title, () => assert.equal(judge(given), false))
})
