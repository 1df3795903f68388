import fc from 'fast-check'
import type { ChannelProfile } from '../../model/channel.ts'
import type { Capture, Post } from '../../model/post.ts'
import type { Store } from '../store.ts'
import { termHashes } from '../terms.ts'
import {
  CONSUMER,
  DAY,
  HOUR,
  NOON,
  count,
  sampleMedia,
  samplePost,
  sampleProfile,
} from './samples.ts'

/** Generates random histories of a store: what crawlers, indexers and operators may do to it, in any order. */

export const NAMES = ['alpha', 'bravo', 'charlie', 'delta'] as const
const TERMS = ['snow', 'rain', '#tag', 'снег'] as const
export const NUMBERS = 8

interface Shown {
  readonly name: string
  readonly platformId: number | null
}

export type Step =
  | { readonly do: 'add'; readonly name: string; readonly status?: 'queued' | 'imported' }
  | { readonly do: 'makeDue'; readonly channelId: number }
  | {
      readonly do: 'record'
      readonly channelId: number
      readonly profile: Shown | null
      readonly capture: Capture
      readonly back: number
      readonly posts: readonly Post[]
      readonly deleted: readonly number[]
    }
  | {
      readonly do: 'derive'
      readonly channelId: number
      readonly language: string
      readonly weight: number
    }
  | {
      readonly do: 'visit'
      readonly gap: number
      readonly walked: number
      readonly newest: number
      /** Null when nothing could be read. */
      readonly read: {
        readonly profile: Shown | null
        readonly posts: readonly Post[]
        readonly deleted: readonly number[]
        /** Posts written by a checkpoint before the visit ended; null when there was none. */
        readonly early: readonly Post[] | null
      } | null
    }
  | { readonly do: 'remove'; readonly name: string; readonly number: number | null }
  | { readonly do: 'undo'; readonly name: string; readonly number: number | null }
  | { readonly do: 'sight'; readonly name: string; readonly sourceId: number }
  | { readonly do: 'prune'; readonly days: number }
  | { readonly do: 'forget'; readonly days: number }
  | { readonly do: 'drain'; readonly limit: number }

const name = fc.constantFrom(...NAMES)
const number = fc.integer({ min: 1, max: NUMBERS })
const channelId = fc.integer({ min: 1, max: 5 })

const post: fc.Arbitrary<Post> = fc
  .record({
    number,
    text: fc.constantFrom('#one word', '#two words', 'see @bravo', ''),
    days: fc.integer({ min: 0, max: 40 }),
    views: fc.option(fc.integer({ min: 0, max: 50 })),
    kind: fc.constantFrom('post', 'post', 'post', 'service'),
    forward: fc.option(name),
    media: fc.integer({ min: 0, max: 2 }),
    album: fc.integer({ min: 0, max: 3 }),
    edited: fc.boolean(),
  })
  .map(({ number, text, days, views, kind, forward, media, album, edited }) => {
    const tag = text.startsWith('#') ? [{ type: 'hashtag', offset: 0, length: 4 } as const] : []
    const mention = text.includes('@') ? [{ type: 'mention', offset: 4, length: 6 } as const] : []
    return samplePost(number, {
      text,
      kind: kind as Post['kind'],
      edited,
      publishedAt: NOON - days * DAY - number * HOUR,
      entities: [...tag, ...mention],
      views: views === null ? null : count(views, NOON + days),
      forwardedFrom:
        forward === null ? null : { name: forward, username: forward, postUrl: null, author: null },
      media: Array.from({ length: media }, (_, i) =>
        sampleMedia({
          fileId: `${i}`,
          url: `https://cdn.example/${days}`,
          size: count(i, NOON + days),
        }),
      ),
      albumNumbers: album > 1 ? Array.from({ length: album }, (_, i) => number + i) : [],
    })
  })

const profile = fc.option(
  fc.record({ name, platformId: fc.option(fc.integer({ min: 100, max: 103 })) }),
)

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      name,
      status: fc.constantFrom('queued', 'imported'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('makeDue' as const), channelId }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      channelId,
      profile,
      capture: fc.constantFrom<Capture>('crawl', 'crawl', 'live', 'import'),
      back: fc.integer({ min: 0, max: 3 }),
      posts: fc.array(post, { maxLength: 4 }),
      deleted: fc.array(number, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('derive' as const),
      channelId,
      language: fc.constantFrom('en', 'ru', 'fa'),
      weight: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('visit' as const),
      gap: number,
      walked: number,
      newest: number,
      read: fc.option(
        fc.record({
          profile,
          posts: fc.array(post, { maxLength: 3 }),
          deleted: fc.array(number, { maxLength: 2 }),
          early: fc.option(fc.array(post, { maxLength: 2 })),
        }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('remove' as const), name, number: fc.option(number) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('undo' as const), name, number: fc.option(number) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('sight' as const), name, sourceId: channelId }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('prune' as const),
      days: fc.integer({ min: 10, max: 45 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('forget' as const),
      days: fc.integer({ min: 100, max: 150 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('drain' as const),
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
)

export async function take(store: Store, step: Step, at: number): Promise<unknown> {
  const { archive, changes, frontier, removals } = store
  switch (step.do) {
    case 'add':
      return archive.addChannel(step.name, { at, status: step.status ?? 'queued' })
    case 'makeDue':
      return frontier.makeDue(step.channelId, at)
    case 'record': {
      const { posts, deleted, capture } = step
      const profile = shownAs(step.profile, at)
      const when = { at: at - step.back * HOUR, capture, parserVersion: 1 }
      return archive.record({ channelId: step.channelId, ...when, profile, posts, deleted })
    }
    case 'derive': {
      const batch = []
      for (let n = 1; n <= NUMBERS; n++) {
        const kept = await archive.post(step.channelId, n)
        const terms = termHashes([TERMS[n % TERMS.length]!, TERMS[step.weight]!])
        const language = n % 3 === 0 ? null : step.language
        const learnt = { language, detectedLanguage: language, languageWeight: step.weight, terms }
        batch.push({
          channelId: step.channelId,
          number: n,
          revision: kept?.revision ?? 1,
          has: step.weight % 2 === 0 ? [] : (['link'] as const),
          ...learnt,
        })
      }
      return archive.saveDerived(batch)
    }
    case 'visit': {
      const visits = await frontier.lease({
        owner: 'me',
        limit: 1,
        ttlMs: HOUR,
        eager: true,
      })
      const results: unknown[] = []
      for (const { lease, schedule } of visits) {
        const gaps = [{ kind: 'gap', before: step.gap, downTo: 1, until: null } as const]
        const next = {
          ...schedule,
          nextVisitAt: at + HOUR,
          earliestVisitAt: at + 1,
          lastVisitAt: at,
          newestNumber: step.newest,
        }
        const settled = { schedule: next, status: 'active', reason: null, gaps } as const
        const { read } = step
        const walked = [{ before: NUMBERS, downTo: step.walked }]
        const profile = shownAs(read?.profile ?? null, at)
        const told = read && { profile, posts: read.posts, deleted: read.deleted }
        const base = { channelId: lease.channelId, at, capture: 'crawl', parserVersion: 1 } as const
        if (read?.early) {
          const reading = { ...base, profile: null, posts: read.early, deleted: [] }
          results.push(await frontier.checkpoint(lease, { reading, gaps, walked }))
        }
        const reading = told && { ...base, ...told }
        results.push(lease, await frontier.settle(lease, { reading, walked, ...settled }))
      }
      return results
    }
    case 'remove':
      return step.number === null
        ? removals.removeChannel(step.name, 'asked', at)
        : removals.removePost(step.name, step.number, 'asked', at)
    case 'undo':
      return removals.undo(step.name, step.number)
    case 'sight':
      return frontier.addSightings([
        { name: step.name, sourceId: step.sourceId, how: 'forward', at },
      ])
    case 'prune':
      return archive.prune(NOON - step.days * DAY, 1000)
    case 'forget':
      return frontier.forgetCandidates(2, at + step.days * DAY)
    case 'drain': {
      const handed: unknown[] = []
      await changes.register(CONSUMER)
      const claim = await changes.claim(CONSUMER, { limit: step.limit, ttlMs: HOUR })
      handed.push(...(claim?.changes ?? []))
      if (claim) await changes.done(claim)
      return handed
    }
  }
}

function shownAs(shown: Shown | null, at: number): ChannelProfile | null {
  return shown && sampleProfile(shown.name, { platformId: shown.platformId, title: `T${at % 3}` })
}
