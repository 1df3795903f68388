import type { QueryNode } from '../model/query.ts'
import { RUN } from './analyze-query.ts'
import { isFunctionWord, functionWords } from './function-words.ts'
import { isPersianAffix } from './words.ts'

/**
 * Adjacent words of a query that may be one word in a post: `cease fire`, `Tik Tok`, `20 km`, `1 299`, هسته ای, and
 * `stand with ukraine` as a tag. A post that holds the joined word counts as holding each of its parts.
 */

/** In questions and longer queries words are adjacent for reasons of grammar, so they are not joined. */
const MAX_WORDS = 6
const MIN_QUESTION = 4
/** Up to this many words may form a tag, all of them joined. */
const MAX_IN_TAG = 4
const MIN_LETTERS = 4
const MAX_LETTERS = 16
const MAX_IN_TAG_LETTERS = 24
const LETTERS = /^[\p{L}\p{M}]+$/u
const DIGITS = /^\p{Nd}{1,5}$/u
const PLAIN = /^[\p{L}\p{M}\p{Nd}]+$/u
const FIRST_GROUP = /^[1-9]\d{0,2}$/
const GROUP = /^\d{3}$/
const YEAR = /^(?:19|20)\d\d$/

/** Several words as one: `tail` is the last of them, `head` the others joined. */
export interface JoinedWord {
  readonly head: string
  readonly tail: string
}

export type JoinedWords = ReadonlyMap<string, readonly JoinedWord[]>

/** For each word of a conjunction, the joined words that it and its neighbours may be written as. */
export function joinedWords(nodes: readonly QueryNode[]): JoinedWords {
  const found = new Map<string, JoinedWord[]>()
  const add = (words: readonly string[]) => {
    const joined = { head: words.slice(0, -1).join(''), tail: words.at(-1)! }
    for (const word of new Set(words)) found.set(word, [...(found.get(word) ?? []), joined])
  }
  for (const run of nodes.length > 1 ? runsOf(nodes) : []) {
    for (let i = 1; i < run.length; i++)
      if (mayJoin(run[i - 1]!, run[i]!)) add([run[i - 1]!, run[i]!])
    if (run.length > 2 && isTag(run)) add(run)
  }
  return found
}

function isTag(words: readonly string[]): boolean {
  const tag = words.join('')
  return (
    words.length <= MAX_IN_TAG &&
    tag.length <= MAX_IN_TAG_LETTERS &&
    PLAIN.test(tag) &&
    !RUN.test(tag)
  )
}

/** Runs of adjacent words with nothing between them, except runs that are too long or a question. */
function runsOf(nodes: readonly QueryNode[]): string[][] {
  const runs: string[][] = [[]]
  for (const node of nodes) {
    if (node.kind === 'word' && !('wanted' in node)) runs.at(-1)!.push(node.text)
    else runs.push([])
  }
  return runs.filter(
    (words) =>
      words.length > 1 &&
      words.length <= MAX_WORDS &&
      (words.length < MIN_QUESTION || functionWords(words).size === 0),
  )
}

function mayJoin(first: string, second: string): boolean {
  const letters = first.length + second.length
  if (letters > MAX_LETTERS || RUN.test(first + second)) return false
  if (DIGITS.test(first) && DIGITS.test(second))
    return FIRST_GROUP.test(first) && GROUP.test(second)
  if (!LETTERS.test(first) || !LETTERS.test(second)) return mayBeCode(first, second)
  if (isPersianAffix(first, second)) return true
  if (Math.min(first.length, second.length) < 2 || letters < MIN_LETTERS) return false
  // "in form" means something other than "inform"; "You Tube" and "log in" mean the same when joined.
  return !isFunctionWord(first) || (first.length > 2 && !isFunctionWord(second))
}

/** iPhone15, 20km. */
function mayBeCode(first: string, second: string): boolean {
  const [letters, digits] = DIGITS.test(first) ? [second, first] : [first, second]
  if (!LETTERS.test(letters) || !DIGITS.test(digits) || isFunctionWord(letters)) return false
  if (digits === first) return letters.length <= 5
  return letters.length <= 8 && !YEAR.test(digits)
}
