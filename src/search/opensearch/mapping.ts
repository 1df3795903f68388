import { fingerprintOf } from '../document-fingerprint.ts'
import type { ClusterLocation } from '../index-location.ts'
import { lengthInWords } from '../post-length.ts'
import { BONUS_STEP_S, bonusSteps, secondsOf } from '../prior.ts'
import type { IndexDocument } from '../search-index.ts'
import { accentedTerm, factTerms, stemTerm } from '../terms.ts'

/** Raised with every change of the mapping: an index in another format is rebuilt. */
export const FORMAT = 2

/** A post as the engine stores it, without what `withRankColumns` adds. Our analyzer makes the terms, not the engine's. */
export interface Source {
  readonly sec: number
  readonly ch: number
  readonly no: number
  readonly rev: number
  /** Folded words in text order, joined by spaces, and their stems. */
  readonly w: string
  readonly s: string
  /** All other terms. */
  readonly k: readonly string[]
  readonly prior: number
  readonly views: number
  readonly reactions: number
  readonly arrived: number
  /** The stamp of the batch in which it last changed; grows with every batch. */
  readonly seq: number
  /** Left out for a post without duplicates. */
  readonly grp?: number
  readonly copy: boolean
  /** How many words the first line has. */
  readonly first: number
  readonly print: number
  readonly chan: string
  readonly lang?: string
  readonly tag: readonly string[]
  readonly dom: readonly string[]
  readonly has: readonly string[]
  /** Left out of a removed post: the remaining tombstone keeps late writes of the post from taking effect. */
  readonly live: string
}

export const LIVE = '1'

const column = (type: string) => ({ type, index: false })
const facet = { type: 'keyword', index: false }
const indexed = { type: 'long' }

const MAPPING = {
  dynamic: false,
  // Computed from the other fields whenever a post is written.
  _source: { excludes: ['rank', 'texts'] },
  properties: {
    // Words and other terms are separate fields: stems have no order, and would stand between the words of a phrase.
    w: { type: 'text', analyzer: 'terms', norms: false, index_options: 'positions' },
    k: { type: 'keyword', doc_values: false, norms: false, ignore_above: 8_000 },
    live: { type: 'keyword', doc_values: false },
    sec: indexed,
    ch: { type: 'integer' },
    no: column('long'),
    views: indexed,
    reactions: indexed,
    arrived: indexed,
    seq: indexed,
    grp: indexed,
    prior: indexed,
    rev: column('long'),
    copy: column('boolean'),
    print: column('long'),
    rank: { type: 'binary', doc_values: true },
    texts: { type: 'binary', doc_values: true },
    chan: facet,
    lang: facet,
    tag: facet,
    dom: facet,
    has: facet,
  },
}

/** The order of `compareNewest`. */
export const NEWEST = { sec: 'desc', ch: 'asc', no: 'desc' } as const

/** Shards and replicas of the indices. */
export type Layout = NonNullable<ClusterLocation['layout']>

/** Settings of the index of a week. */
export function weekIndex({ shards = 1, replicas }: Layout): object {
  return {
    settings: {
      number_of_shards: shards,
      ...replicasOf(replicas),
      refresh_interval: '-1',
      // The newest posts come first in every segment, so that a search for them can stop early.
      sort: { field: Object.keys(NEWEST), order: Object.values(NEWEST) },
      'merge.policy.expunge_deletes_allowed': 0,
      analysis: {
        analyzer: { terms: { type: 'custom', tokenizer: 'spaces' } },
        tokenizer: {
          spaces: { type: 'char_group', tokenize_on_chars: [' '], max_token_length: 1_000 },
        },
      },
    },
    mappings: MAPPING,
  }
}

/** Settings of the other indices: subscribers, and the state, which is never searched. */
export function sideIndex({ replicas }: Layout, properties: object): object {
  return {
    settings: { number_of_shards: 1, ...replicasOf(replicas), refresh_interval: '-1' },
    mappings: { dynamic: false, properties },
  }
}

export const CHANNEL_FIELDS = { ch: { type: 'integer' }, subs: column('long'), seq: indexed }

function replicasOf(replicas: number | undefined): object {
  return replicas === undefined ? { auto_expand_replicas: '0-1' } : { number_of_replicas: replicas }
}

/** `seq` is the stamp of the post's batch. `keptPrior` is the prior of an existing version with the same content. */
export function sourceOf(document: IndexDocument, seq: number, keptPrior?: number): Source {
  const { channelId, number, toks, stems, language, group } = document
  const sec = secondsOf(document.publishedAt)
  const steps = bonusSteps(document.subscribers, lengthInWords(toks))
  return {
    sec,
    ch: channelId,
    no: number,
    rev: document.revision,
    w: toks.join(' '),
    s: toks.map((tok, i) => stems[i] ?? tok).join(' '),
    k: [
      ...new Set([
        ...stems.map(stemTerm),
        ...document.accented.map(accentedTerm),
        ...factTerms(document),
      ]),
    ].map((term) => term.toWellFormed()),
    prior: keptPrior ?? sec + steps * BONUS_STEP_S,
    views: document.views,
    reactions: document.reactions,
    arrived: secondsOf(document.firstCapturedAt),
    seq,
    ...(group !== null && { grp: group }),
    copy: document.isCopy,
    first: document.firstLineToks,
    print: fingerprintOf(document),
    chan: String(channelId),
    ...(language !== null && { lang: language }),
    tag: wellFormed(document.hashtags),
    dom: wellFormed(document.domains),
    has: document.has,
    live: LIVE,
  }
}

/** The engine's JSON parser does not accept lone surrogates. */
function wellFormed(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.toWellFormed()))]
}
