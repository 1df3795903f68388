import type { Correction, QueryNode } from '../model/query.ts'
import { analyzeQueryWord } from '../text/analyze-query.ts'
import type { TermStats } from './expr.ts'
import { stemTerm } from './terms.ts'

type Frequencies = Pick<TermStats, 'df'>

/** A shorter word is near to too many others, and a longer one to none. */
const MIN_LENGTH = 4
const MAX_LENGTH = 16
const MAX_CORRECTIONS = 2
/** Slips seldom hit the first letter: words with another one are taken where these are so much more frequent. */
const OTHER_FIRST = 1 / 20

/** Letters that may stand for a slip, by the script of the word, as they are when folded. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєў',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقکلمنهویپچژگ',
  'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
].map((letters) => [...letters])

/**
 * For words that no post holds, the word one slip away that posts do hold. Where most words are unknown it is another
 * language that is missing, not a letter.
 */
export function correct(root: QueryNode | null, stats: Frequencies): Correction[] {
  const words = root ? wantedWords(root) : []
  const unknown = words.filter((word) => !isHeld(word, stats))
  if (unknown.length > Math.max(MAX_CORRECTIONS, words.length / 2)) return []
  return unknown.slice(0, MAX_CORRECTIONS).flatMap((word) => {
    const nearest = nearestWord(word, stats)
    return nearest === undefined ? [] : [{ word, nearest }]
  })
}

function wantedWords(node: QueryNode): string[] {
  if (node.kind === 'word' || node.kind === 'exact') return [node.text]
  if (node.kind !== 'and' && node.kind !== 'or') return []
  return [...new Set(node.nodes.flatMap(wantedWords))]
}

/** Also true of what is no single word of letters: nothing is known to be wrong with it. */
function isHeld(word: string, { df }: Frequencies): boolean {
  const { alternatives, entities } = analyzeQueryWord(word)
  const term = alternatives[0]?.[0]
  if (entities.length > 0 || alternatives[0]?.length !== 1 || !term || term.isPrefix) return true
  return term.toks.some((tok) => df(tok) > 0) || term.stems.some((stem) => df(stemTerm(stem)) > 0)
}

function nearestWord(word: string, { df }: Frequencies): string | undefined {
  const tok = analyzeQueryWord(word).alternatives[0]![0]!.toks[0]!
  if (tok.length < MIN_LENGTH || tok.length > MAX_LENGTH) return undefined
  let best: string | undefined
  let most = 0
  for (const near of slips(tok)) {
    const weight = df(near) * (near[0] === tok[0] ? 1 : OTHER_FIRST)
    if (weight > most) [best, most] = [near, weight]
  }
  return best
}

/** Every word that one letter more, one fewer, another one or two changed places make of it. */
function* slips(word: string): Generator<string> {
  const letters = ALPHABETS.find((alphabet) => alphabet.includes(word[0]!)) ?? []
  for (let at = 0; at <= word.length; at++) {
    const [before, behind] = [word.slice(0, at), word.slice(at)]
    if (behind.length > 1 && behind[0] !== behind[1]) {
      yield before + behind[1]! + behind[0]! + behind.slice(2)
    }
    if (behind !== '' && word[at] !== word[at - 1]) yield before + behind.slice(1)
    for (const letter of letters) {
      if (letter !== word[at - 1]) yield before + letter + behind
      if (behind !== '' && letter !== behind[0]) yield before + letter + behind.slice(1)
    }
  }
}
