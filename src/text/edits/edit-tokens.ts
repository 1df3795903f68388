import type { Entity } from '../../model/post.ts'
import { UNSPACED } from '../characters.ts'
import { asciiDigit, lowerWord } from '../fold.ts'
import { isNegation, unspacedNegations } from './negations.ts'
import { trimAddress } from '../trim-address.ts'

/** A token for the comparison of edits: a word, a number, an address, or a mark between them. */
export interface Token {
  /** Equal for tokens that mean the same. */
  readonly key: string
  readonly text: string
  readonly start: number
  readonly end: number
  readonly isWord: boolean
  fact: 'number' | 'name' | 'link' | null
  /** The number of the negation it is part of, counted through the text. */
  negation: number | null
}

export interface EditedText {
  readonly text: string
  readonly entities?: readonly Entity[]
}

const TOKEN = new RegExp(
  [
    String.raw`(?<link>(?:https?:\/\/|www\.|t\.me\/)\S+)`,
    String.raw`(?<mention>@[A-Za-z]\w{3,31})`,
    // Groups of three digits may have a space between them; a sign belongs to the number if no letter or digit precedes it.
    String.raw`(?<number>(?:(?<![\p{L}\p{Nd}])[-−+])?(?:\p{Nd}{1,3}(?:[   ]\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+)(?:[.,:/'’٫٬]\p{Nd}+)*)`,
    String.raw`(?<sign>[${UNSPACED}]\p{M}*)`,
    String.raw`(?<word>[\p{L}\p{M}](?:[\p{L}\p{M}\p{Nd}\u200c]|['’-](?=\p{L}))*)`,
    String.raw`\S`,
  ].join('|'),
  'gu',
)

export function tokensOf({ text, entities = [] }: EditedText, language: string | null): Token[] {
  const tokens: Token[] = []
  // An imported link may end inside a character; the search would go back to where that begins, and never end.
  const links = entities.filter(
    ({ type, offset, length }) => type === 'link' && !isInCharacter(text, offset + length),
  )
  const linkAt = new Map(links.map(({ offset, length }) => [offset, length]))
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const { groups = {}, index: start } = found
    const marked = linkAt.get(start)
    const shown =
      marked !== undefined
        ? text.slice(start, start + marked)
        : groups['link'] !== undefined
          ? trimAddress(found[0])
          : found[0]
    const end = start + shown.length
    if (end > start) TOKEN.lastIndex = end
    const isLink = marked !== undefined || groups['link'] !== undefined
    tokens.push({
      key: isLink
        ? shown
        : groups['number'] === undefined
          ? lowerWord(shown) || shown
          : numberKey(shown),
      text: shown,
      start,
      end,
      isWord: groups['word'] !== undefined || groups['sign'] !== undefined || isLink,
      fact: isLink
        ? 'link'
        : groups['number'] !== undefined
          ? 'number'
          : groups['mention'] !== undefined
            ? 'name'
            : null,
      negation: null,
    })
  }
  markNegations(text, tokens, language)
  return tokens
}

/** Whether the place is between the two units of one character. */
function isInCharacter(text: string, at: number): boolean {
  return text.codePointAt(at - 1)! > 0xffff
}

/** The same key for digits of any script, any separator between thousands and any decimal sign. */
function numberKey(shown: string): string {
  const digits = shown
    .normalize('NFKC')
    .replaceAll('−', '-')
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .replace(/^\+/, '')
  if (/^-?\d{1,3}(?:[.,'’٬\s]\d{3})+$/.test(digits)) return digits.replaceAll(/[^\d-]/g, '')
  return digits.replaceAll(/[٬\s'’]/g, '').replaceAll(/[,٫]/g, '.')
}

function markNegations(text: string, tokens: Token[], language: string | null): void {
  let count = 0
  for (const token of tokens) {
    if (token.isWord && isNegation(token.text, language)) token.negation = ++count
  }
  forEachInside(tokens, unspacedNegations(text), (token, span) => {
    token.negation = count + 1 + span
  })
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** Calls `tell` for each token inside a span, with the span's index. Both lists are in text order and walked together. */
export function forEachInside(
  tokens: readonly Token[],
  spans: readonly Span[],
  tell: (token: Token, span: number) => void,
): void {
  let i = 0
  for (const [span, { start, end }] of spans.entries()) {
    while (i < tokens.length && tokens[i]!.start < start) i++
    while (i < tokens.length && tokens[i]!.end <= end) tell(tokens[i++]!, span)
  }
}
