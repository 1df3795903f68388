import type { DatabaseSync } from 'node:sqlite'
import { HAS_VALUES } from '../../model/query.ts'
import type { PostRef } from '../../model/post.ts'
import { lengthInWords } from '../post-length.ts'
import { bonusSteps, secondsOf } from '../prior.ts'
import { fingerprintOf } from '../document-fingerprint.ts'
import type { ChannelUpdate, CounterUpdate, IndexDocument } from '../search-index.ts'
import { accentedTerm, EVERY_POST, factTerms, stemTerm } from '../terms.ts'
import {
  createBucketCounts,
  createChunkEditor,
  createMembers,
  createNumbers,
  forgetTags,
} from './batch-tables.ts'
import { COPY_FLAG, DOMAIN } from './columns.ts'
import { bucketOf } from '../bucket.ts'
import { isIndexable, rowidOf } from './rowid.ts'
import { buildSegment, takeSegmentId, type Sizes, type Terms } from './postings/postings.ts'
import { createStatements } from './schema.ts'

/** The changes of one transaction. */
export interface Batch {
  put(document: IndexDocument): void
  remove(ref: PostRef): void
  removeChannel(channelId: number): void
  updateCounters(update: CounterUpdate): void
  updateChannel(update: ChannelUpdate): void
  /** Deletes what is left of the dropped buckets before this one. */
  forgetBefore(bucket: number): void
  flush(): void
}

interface IndexedPost {
  sec: number
  slot: number
  revision: number
  fingerprint: number
  grp: number
}

export function createBatch(db: DatabaseSync, seq: number, sizes: Sizes): Batch {
  const chunks = createChunkEditor(db, seq)
  const members = createMembers(db)
  const tags = createNumbers(db, 'tag')
  const languages = createNumbers(db, 'language')
  const statement = createStatements(db)
  const added = new Map<number, Map<number, Terms>>()
  const buckets = createBucketCounts(db)
  const subscribers = new Map<number, number>()
  const find = db.prepare(
    'select sec, slot, revision, print as fingerprint, grp from ref where channel = ? and number = ?',
  )
  const keep = db.prepare(
    'insert or replace into ref (channel, number, sec, slot, revision, print, grp) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const forget = db.prepare('delete from ref where channel = ? and number = ?')
  const ofChannel = db.prepare('select number from ref where channel = ?')
  const setSubscribers = db.prepare(
    `insert into channel (id, subscribers, seq) values (?1, ?2, ?3)
     on conflict (id) do update set subscribers = ?2, seq = ?3 where subscribers <> ?2`,
  )

  function takeOut(ref: PostRef, indexed: IndexedPost): void {
    const bucket = bucketOf(indexed.sec)
    members.drop(indexed.grp, { ...ref, sec: indexed.sec })
    const { columns, at } = chunks.edit(bucket, indexed.slot)
    columns.number[at] = 0
    // Readers find the deleted post in its segment by its second and slot.
    columns.arrived[at] = indexed.sec
    chunks.setTags(bucket, indexed.slot, [])
    forget.run(ref.channelId, ref.number)
  }

  function put(document: IndexDocument): void {
    const sec = secondsOf(document.publishedAt)
    if (!isIndexable(sec)) return
    const indexed = find.get(document.channelId, document.number) as IndexedPost | undefined
    if (indexed && indexed.revision > document.revision) return
    const fingerprint = fingerprintOf(document)
    noteSubscribers(document.channelId, document.subscribers)
    if (indexed?.fingerprint === fingerprint) {
      // Writing the post again would take another slot and raise the document frequency of its words.
      count(document, indexed)
      const grp = document.group ?? 0
      if (indexed.grp !== grp) members.drop(indexed.grp, { ...document, sec: indexed.sec })
      stand(document, indexed)
      if (indexed.revision < document.revision || indexed.grp !== grp) {
        keepRef(document, { ...indexed, fingerprint, grp })
      }
      return
    }
    const isNew = indexed?.sec !== sec
    if (indexed) {
      takeOut(document, indexed)
      buckets.giveUp(bucketOf(indexed.sec))
    }
    const bucket = bucketOf(sec)
    // A segment never changes, so an edited post takes a new slot and its old slot is marked as deleted.
    const slot = buckets.takeSlot(bucket, isNew)
    let posts = added.get(bucket)
    if (!posts) added.set(bucket, (posts = new Map()))
    posts.set(rowidOf(sec, slot), termsOf(document))
    const { columns, at } = chunks.edit(bucket, slot)
    columns.number[at] = document.number
    columns.channel[at] = document.channelId
    columns.arrived[at] = secondsOf(document.firstCapturedAt)
    columns.views[at] = document.views
    columns.reactions[at] = document.reactions
    columns.seq[at] = seq
    const words = lengthInWords(document.toks)
    columns.bonus[at] = bonusSteps(document.subscribers, words)
    columns.words[at] = Math.min(words, 0xffff)
    columns.toks[at] = Math.min(document.toks.length, 0xffff)
    columns.firstLine[at] = Math.min(document.firstLineToks, 0xffff)
    columns.flags[at] = document.has.reduce(
      (bits, value) => bits | (1 << HAS_VALUES.indexOf(value)),
      0,
    )
    columns.language[at] = document.language === null ? 0 : languages(document.language)
    chunks.setTags(bucket, slot, [
      ...document.hashtags.map((tag) => tags(`#${tag}`)),
      ...document.domains.map((host) => tags(`d${host}`) + DOMAIN),
    ])
    stand(document, { sec, slot })
    keepRef(document, { sec, slot, fingerprint, grp: document.group ?? 0 })
  }

  /** Writes the post's group and whether it is a copy; a change of these counts as a change of the post. */
  function stand(document: IndexDocument, { sec, slot }: Pick<IndexedPost, 'sec' | 'slot'>): void {
    const { columns, at } = chunks.edit(bucketOf(sec), slot)
    const group = document.group ?? 0
    const copy = document.isCopy ? COPY_FLAG : 0
    if (columns.group[at] === group && (columns.flags[at]! & COPY_FLAG) === copy) return
    columns.group[at] = group
    columns.flags[at] = (columns.flags[at]! & ~COPY_FLAG) | copy
    columns.seq[at] = seq
    members.add(group, { channelId: document.channelId, number: document.number, sec, slot })
  }

  function keepRef(document: IndexDocument, at: Omit<IndexedPost, 'revision'>): void {
    const { channelId, number, revision } = document
    keep.run(channelId, number, at.sec, at.slot, revision, at.fingerprint, at.grp)
  }

  function count(update: CounterUpdate, indexed: IndexedPost): void {
    const { columns, at } = chunks.edit(bucketOf(indexed.sec), indexed.slot)
    // The archive's counts, even if lower than before: a rebuilt index must give the same answer.
    columns.views[at] = update.views
    columns.reactions[at] = update.reactions
  }

  function noteSubscribers(channelId: number, count: number): void {
    if (subscribers.get(channelId) === count) return
    subscribers.set(channelId, count)
    setSubscribers.run(channelId, count, seq)
  }

  function remove(ref: PostRef): void {
    const indexed = find.get(ref.channelId, ref.number) as IndexedPost | undefined
    if (!indexed) return
    takeOut(ref, indexed)
    buckets.giveUp(bucketOf(indexed.sec))
  }

  return {
    put,
    remove,
    removeChannel(channelId) {
      for (const row of ofChannel.all(channelId))
        remove({ channelId, number: Number(row['number']) })
      db.prepare('delete from channel where id = ?').run(channelId)
      subscribers.delete(channelId)
    },
    updateCounters(update) {
      const indexed = find.get(update.channelId, update.number) as IndexedPost | undefined
      if (indexed) count(update, indexed)
    },
    updateChannel(update) {
      noteSubscribers(update.channelId, update.subscribers)
    },
    forgetBefore(bucket) {
      members.forgetBefore(bucket)
      db.prepare('delete from chunk where id < ?').run(bucket * 65_536)
      forgetTags(db)
    },
    flush() {
      for (const [bucket, posts] of added) {
        buildSegment(db, { id: takeSegmentId(statement), bucket, sizes }, posts)
      }
      chunks.flush()
      buckets.flush()
      db.prepare(`update meta set value = ? where key = 'seq'`).run(seq)
    },
  }
}

function termsOf(document: IndexDocument): Terms {
  const { toks } = document
  const others = new Set([
    ...document.accented.map(accentedTerm),
    // Every segment knows all its posts, so no list is needed to find them.
    ...factTerms(document).filter((term) => term !== EVERY_POST),
  ])
  const stems = toks.map((tok, i) => stemTerm(document.stems[i] ?? tok))
  return { toks, stems, others: [...others] }
}
