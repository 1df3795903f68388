import { clipText } from '../../model/cut-text.ts'
import { EDIT_KINDS, type Classified, type EditKind, type NamedChange } from '../../model/edit.ts'
import { HAS_UNSPACED } from '../characters.ts'
import { diff } from './diff.ts'
import { capitalised, markNames, matchNames } from './edit-names.ts'
import { tokensOf, type EditedText, type Token } from './edit-tokens.ts'
import { isNegatedForm } from './negations.ts'

/** A stretch where the two texts differ. */
interface Hunk {
  readonly removed: readonly Token[]
  readonly added: readonly Token[]
  /** The words around it, shown with a negation, which says little alone. */
  readonly left: string
  readonly right: string
}

/** More words than this that were only added or only removed are a passage of their own, whose facts replace no others. */
const PASSAGE = 8
const MAX_NAMED = 10
const MAX_SHOWN = 200

/** What an edit touched: the numbers, names, links and negations that changed, and whether other words did. */
export function classifyEdit(
  before: EditedText,
  after: EditedText,
  language: string | null,
): Classified {
  const named: NamedChange[] = hiddenLinks(before, after)
  if (before.text === after.text) {
    return named.length > 0 ? classified(['link'], named) : classified(['other'], [])
  }
  const hunks = hunksOf(before, after, language)
  for (const kind of ['number', 'name', 'link'] as const) named.push(...factsOf(hunks, kind))
  const negations = hunks.flatMap((hunk) => negationOf(hunk, language))
  const kinds = new Set<EditKind>([...named, ...negations].map(({ kind }) => kind))
  if (kinds.size === 0 || hunks.some((hunk) => hasOtherWords(hunk, language))) kinds.add('text')
  return classified([...kinds], [...named, ...negations])
}

function classified(kinds: readonly EditKind[], named: readonly NamedChange[]): Classified {
  return {
    kinds: EDIT_KINDS.filter((kind) => kinds.includes(kind)),
    named: named.slice(0, MAX_NAMED).map(({ kind, before, after }) => ({
      kind,
      before: before && clipText(before, MAX_SHOWN),
      after: after && clipText(after, MAX_SHOWN),
    })),
  }
}

function hunksOf(before: EditedText, after: EditedText, language: string | null): Hunk[] {
  const [a, b] = [before, after].map((side) => tokensOf(side, language)) as [Token[], Token[]]
  const elsewhere = new Set([...capitalised(before.text, a), ...capitalised(after.text, b)])
  markNames(before.text, a, language, elsewhere)
  markNames(after.text, b, language, elsewhere)
  const hunks: Hunk[] = []
  let removed: Token[] = []
  let added: Token[] = []
  let left = ''
  const close = (right: string) => {
    matchNames(removed, added)
    if (removed.length + added.length > 0) hunks.push({ removed, added, left, right })
    removed = []
    added = []
  }
  const keys = (tokens: readonly Token[]) => tokens.map(({ key }) => key)
  for (const { kind, at } of diff(keys(a), keys(b))) {
    if (kind === 'removed') removed.push(a[at]!)
    else if (kind === 'added') added.push(b[at]!)
    else {
      const token = a[at]!
      // An unchanged mark ends a hunk as a word does, but is not shown as context.
      close(token.isWord ? token.text : '')
      left = token.isWord ? token.text : ''
    }
  }
  close('')
  return hunks
}

/** A passage that was added or removed as a whole. */
function isPassage({ removed, added }: Hunk): boolean {
  const words = (tokens: readonly Token[]) => tokens.filter(({ isWord }) => isWord).length
  const [went, came] = [words(removed), words(added)]
  return Math.min(went, came) === 0 && Math.max(went, came) > PASSAGE
}

/** Pairs removed facts with added ones, hunk by hunk; one that was removed here and added elsewhere has only moved. */
function factsOf(hunks: readonly Hunk[], kind: 'number' | 'name' | 'link'): NamedChange[] {
  const of = (tokens: readonly Token[]) => phrases(tokens.filter(({ fact }) => fact === kind))
  const pairs = hunks.map((hunk) => {
    const [went, came] = [of(hunk.removed), of(hunk.added)]
    return {
      gone: without(went, came),
      fresh: without(came, went),
      isPassage: isPassage(hunk),
    }
  })
  const alone = pairs.filter(({ gone, fresh }) => gone.length === 0 || fresh.length === 0)
  const gone = alone.flatMap((pair) => pair.gone)
  const fresh = alone.flatMap((pair) => pair.fresh)
  return pairs.flatMap((pair) => {
    if (pair.isPassage) return []
    const isAlone = alone.includes(pair)
    const before = isAlone ? without(pair.gone, fresh) : pair.gone
    const after = isAlone ? without(pair.fresh, gone) : pair.fresh
    return Array.from({ length: Math.max(before.length, after.length) }, (_, i) => ({
      kind,
      before: before[i]?.text ?? null,
      after: after[i]?.text ?? null,
    }))
  })
}

interface Phrase {
  readonly key: string
  readonly text: string
}

/** Joins adjacent words of a name into one. */
function phrases(tokens: readonly Token[]): Phrase[] {
  const found: (Phrase & { end: number })[] = []
  for (const { key, text, start, end, fact } of tokens) {
    const last = found.at(-1)
    const gap = last ? start - last.end : Infinity
    if (last && fact === 'name' && gap <= 1)
      found[found.length - 1] = {
        key: `${last.key} ${key}`,
        text: `${last.text}${gap === 1 ? ' ' : ''}${text}`,
        end,
      }
    else found.push({ key, text, end })
  }
  return found
}

function without(phrases: readonly Phrase[], others: readonly Phrase[]): Phrase[] {
  const left = new Map<string, number>()
  for (const { key } of others) left.set(key, (left.get(key) ?? 0) + 1)
  return phrases.filter(({ key }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count <= 0
  })
}

/** The change of a negation; none where one negation only replaced another. */
function negationOf(hunk: Hunk, language: string | null): NamedChange[] {
  if (isPassage(hunk)) return []
  const { removed, added, left, right } = hunk
  const number = (tokens: readonly Token[]) =>
    new Set(tokens.flatMap(({ negation }) => negation ?? [])).size
  if (number(removed) === number(added) && !hasTurned(hunk, language)) return []
  const isUnspaced = [...removed, ...added].some(({ text }) => HAS_UNSPACED.test(text))
  const around = (tokens: readonly Token[]) =>
    [left, ...tokens.map(({ text }) => text), right]
      .filter((part) => part !== '')
      .join(isUnspaced ? '' : ' ')
  return [{ kind: 'negation', before: around(removed), after: around(added) }]
}

/** Whether a verb became its own negated form, or the reverse, as verbs of some languages do. */
function hasTurned({ removed, added }: Hunk, language: string | null): boolean {
  return removed.some((token, i) => {
    const other = added[i]
    return other !== undefined && isTurned(token, other, language)
  })
}

function isTurned(a: Token, b: Token, language: string | null): boolean {
  return isNegatedForm(a.text, b.text, language) || isNegatedForm(b.text, a.text, language)
}

/** Whether words changed that are neither facts nor negations. Punctuation alone does not count. */
function hasOtherWords({ removed, added }: Hunk, language: string | null): boolean {
  const words = (tokens: readonly Token[]) =>
    tokens.filter(({ isWord, fact }) => isWord && fact === null)
  const [went, came] = [words(removed), words(added)]
  const isTurnedOnly =
    went.length > 0 &&
    went.length === came.length &&
    went.every((token, i) => isTurned(token, came[i]!, language))
  return !isTurnedOnly && [...went, ...came].some(({ negation }) => negation === null)
}

/** Changes of addresses behind words, which the text itself does not show. */
function hiddenLinks(before: EditedText, after: EditedText): NamedChange[] {
  const urls = ({ entities = [] }: EditedText) =>
    entities.flatMap(({ type, url }) => (type === 'text_link' && url ? [url] : []))
  const [went, came] = [urls(before), urls(after)]
  const gone = went.filter((url) => !came.includes(url))
  const fresh = came.filter((url) => !went.includes(url))
  return Array.from({ length: Math.max(gone.length, fresh.length) }, (_, i) => ({
    kind: 'link',
    before: gone[i] ?? null,
    after: fresh[i] ?? null,
  }))
}
