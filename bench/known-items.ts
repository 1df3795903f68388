/**
 * Known-item search: a post of a file is wanted, a rule makes a query of it, and the mean reciprocal rank among the first
 * ten says how well it is found, compared with BM25 over stems and over folded words.
 * `node bench/known-items.ts --posts FILE [--queries 100]`; FILE is in the format that `bench/search-corpus.ts` reads.
 * Ours does what `/search` does: it searches the index, and replaces words that no post holds by near ones. No posts are
 * part of this repository.
 */
import { parseArgs } from 'node:util'
import { searchAsMeant } from '../src/operations/search-as-meant.ts'
import { createRandom, plainSearch } from '../src/search/contract/sample.ts'
import { createStillClock } from '../src/simulator/clocks.ts'
import { analyze } from '../src/text/analyze.ts'
import { readQuery } from '../src/text/query/read-query.ts'
import type { IndexDocument, SearchIndex } from '../src/search/search-index.ts'
import { openPlainIndex } from '../test/plain-index.ts'
import { createBm25 } from './relevance-bm25.ts'
import { fromFiles, NOW } from './search-corpus.ts'

interface Item {
  readonly id: string
  readonly text: string
  readonly document: IndexDocument
}

interface Word {
  readonly raw: string
  readonly tok: string
  readonly stem: string
}

const { values } = parseArgs({
  options: {
    posts: { type: 'string' },
    queries: { type: 'string', default: '100' },
  },
})
if (values.posts === undefined) throw new Error('--posts FILE names the posts')

const random = createRandom(5)
const items = await readItems(values.posts)
const frequencies = new Map<string, number>()
const forms = new Map<string, Set<string>>()
for (const { document } of items) {
  for (const tok of new Set(document.toks)) frequencies.set(tok, (frequencies.get(tok) ?? 0) + 1)
  document.stems.forEach((stem, i) => {
    if (!forms.has(stem)) forms.set(stem, new Set())
    forms.get(stem)!.add(document.toks[i]!)
  })
}
const withText = Map.groupBy(items, ({ text }) => text)

/** Makes a query for a post; undefined if the rule does not apply to it. */
const RULES: Readonly<Record<string, (item: Item) => string | undefined>> = {
  'rare words': (item) =>
    rareWords(item, 3)
      ?.map(({ raw }) => raw)
      .join(' '),
  'other forms'(item) {
    const words = rareWords(item, 3)
    const others = words?.map(otherForm)
    return others?.some((form, i) => form !== words![i]!.raw) ? others.join(' ') : undefined
  },
  'no accents'(item) {
    const typed = RULES['rare words']!(item)
    const bare = typed?.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')
    return bare === typed ? undefined : bare
  },
  fragment({ text }) {
    const words = text.match(/(?<![@#\p{L}\p{N}/:.])\p{L}[\p{L}\p{M}]*(?![@#\p{L}/:])/gu) ?? []
    const from = Math.floor(random() * (words.length - 7))
    return words.length < 12 ? undefined : words.slice(from, from + 7).join(' ')
  },
  slips(item) {
    const words = rareWords(item, 2)?.map(({ raw }) => raw)
    const at = random() < 0.5 ? 0 : 1
    return words?.map((word, i) => (i === at ? slipIn(word) : word)).join(' ')
  },
  'typed apart'(item) {
    const words = rareWords(item, 2)?.map(({ raw, tok }) => partsOf(raw, tok))
    return words?.some((word) => word.includes(' ')) ? words.join(' ') : undefined
  },
  transliteration(item) {
    const words = rareWords(item, 2)?.map(({ raw }) => raw.toLowerCase())
    return words?.every((word) => /^[а-яёіїєґ]+$/.test(word))
      ? words.map(inLatin).join(' ')
      : undefined
  },
  'words of an address'({ text }) {
    const path = /https?:\/\/[^\s/]+(\/[^\s?#]+)/.exec(text)?.[1] ?? ''
    const words = new Set(path.match(/(?<![%\p{L}\d])\p{L}{3,}(?!\d)/gu))
    return words.size < 3 ? undefined : [...words].slice(0, 6).join(' ')
  },
}

await using plain = await openPlainIndex(createStillClock(NOW))
for (let at = 0; at < items.length; at += 1000) {
  await plain.writer.apply({ puts: items.slice(at, at + 1000).map(({ document }) => document) })
}
const [stems, words] = [createBm25(items, 'stems'), createBm25(items, 'toks')]
const rows: Record<string, object> = {}
for (const [rule, queryOf] of Object.entries(RULES)) {
  const sums = { ours: 0, stems: 0, words: 0 }
  const asked = draw(queryOf, Number(values.queries))
  for (const { item, q } of asked) {
    const same = new Set(withText.get(item.text)!.map(({ id }) => id))
    sums.ours += reciprocalRank(await search(plain.index, q), same)
    sums.stems += reciprocalRank(stems(q), same)
    sums.words += reciprocalRank(words(q), same)
  }
  const mean = (sum: number) => Number((sum / asked.length).toFixed(3))
  rows[rule] = {
    queries: asked.length,
    ours: mean(sums.ours),
    'BM25, stems': mean(sums.stems),
    'BM25, words': mean(sums.words),
  }
}
console.table(rows)

async function readItems(file: string): Promise<Item[]> {
  const found: Item[] = []
  for await (const { document, text } of (
    await fromFiles(file, '/dev/null', { most: 1 })
  ).documents()) {
    found.push({ id: `${document.channelId}/${document.number}`, text, document })
  }
  return found
}

function draw(queryOf: (item: Item) => string | undefined, count: number) {
  const asked: { readonly item: Item; readonly q: string }[] = []
  for (let tries = 0; tries < 60 * count && asked.length < count; tries++) {
    const item = items[Math.floor(random() * items.length)]!
    const q = queryOf(item)
    if (q !== undefined) asked.push({ item, q })
  }
  return asked
}

/** Words that few posts hold, rarest first; undefined if there are fewer than `count`. */
function rareWords({ text, document }: Item, count: number): Word[] | undefined {
  const found = new Map<string, Word>()
  for (const { tok, stem, start, end } of analyze(text, document.language).tokens) {
    const raw = text.slice(start, end)
    if (/^[\p{L}\p{M}]{4,}$/u.test(raw) && frequencies.get(tok)! <= 200) {
      found.set(tok, { raw, tok, stem })
    }
  }
  const rarest = [...found.values()].sort(
    (a, b) => frequencies.get(a.tok)! - frequencies.get(b.tok)!,
  )
  return rarest.length < count ? undefined : rarest.slice(0, count)
}

function otherForm({ raw, tok, stem }: Word): string {
  return [...(forms.get(stem) ?? [])].find((form) => form !== tok) ?? raw
}

/** Splits a word that consists of two common words, as if typed apart. */
function partsOf(raw: string, tok: string): string {
  const isCommon = (part: string) => part.length > 2 && (frequencies.get(part) ?? 0) >= 20
  const at = Array.from({ length: tok.length }, (_, i) => i).find(
    (i) => isCommon(tok.slice(0, i)) && isCommon(tok.slice(i)),
  )
  return at === undefined || raw.length !== tok.length
    ? raw
    : `${raw.slice(0, at)} ${raw.slice(at)}`
}

/** A letter after the first is dropped, doubled or swapped with the next. */
function slipIn(word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const [before, letter, behind] = [word.slice(0, at), word[at]!, word.slice(at + 1)]
  const slips = [before + behind, before + letter + letter + behind]
  return [...slips, before + behind[0]! + letter + behind.slice(1)][Math.floor(random() * 3)]!
}

/** Transliterates as names in passports are, without apostrophes. */
function inLatin(word: string): string {
  const latin =
    'a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya yo i yi ye g'.split(
      ' ',
    )
  const letters = 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ'
  return [...word].map((letter) => latin[letters.indexOf(letter)]!.replace('_', '')).join('')
}

async function search(index: SearchIndex, q: string): Promise<string[]> {
  const { root } = readQuery(q, { now: NOW })
  const query = plainSearch(NOW, { root, sort: 'relevance', limit: 10 })
  const { hits } = await searchAsMeant(index, query, undefined)
  return hits.map((hit) => `${hit.channelId}/${hit.number}`)
}

function reciprocalRank(found: readonly string[], wanted: ReadonlySet<string>): number {
  const at = found.findIndex((id) => wanted.has(id))
  return at < 0 ? 0 : 1 / (at + 1)
}
