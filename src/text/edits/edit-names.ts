import { forEachInside, type Span, type Token } from './edit-tokens.ts'

/**
 * Marks the words that name somebody or something: capitalised words that do not merely begin a sentence, and names in
 * quotes. In scripts without capitals only the latter are found.
 */
export function markNames(
  text: string,
  tokens: readonly Token[],
  language: string | null,
  elsewhere: ReadonlySet<string>,
): void {
  const quoted = tokensInside(tokens, quotedNames(text))
  const shouted = tokensInside(tokens, shoutedLines(text))
  const isPlain = (token: Token | undefined) =>
    token !== undefined && token.isWord && token.fact !== 'link' && !shouted.has(token)
  for (const [i, token] of tokens.entries()) {
    if (token.fact !== null || !token.isWord) continue
    if (quoted.has(token)) token.fact = 'name'
    else if (isPlain(token) && isCapital(token.text) && !NO_NAMES.has(token.key)) {
      const [before, after] = [tokens[i - 1], tokens[i + 1]]
      const isStart = startsSentence(text, token, before)
      const hasNeighbour =
        (isPlain(after) && isCapital(after!.text) && isNext(text, token, after!)) ||
        (!isStart && isPlain(before) && isCapital(before!.text) && !ARTICLES.has(before!.key))
      const isName = CAPITAL_NOUNS.has(language ?? '')
        ? !isStart && (hasNeighbour || PLACES.has(before?.key ?? ''))
        : isStart
          ? hasNeighbour || elsewhere.has(token.key)
          : true
      if (isName) token.fact = 'name'
    }
  }
}

/** Words that are capitalised somewhere inside a sentence; at the start of another they are therefore names, too. */
export function capitalised(text: string, tokens: readonly Token[]): Set<string> {
  return new Set(
    tokens
      .filter(
        (token, i) =>
          token.isWord && isCapital(token.text) && !startsSentence(text, token, tokens[i - 1]),
      )
      .map(({ key }) => key),
  )
}

/** A capitalised word that replaces a name is a name, too, even at the start of a sentence. */
export function matchNames(removed: readonly Token[], added: readonly Token[]): void {
  for (const [named, others] of [
    [removed, added],
    [added, removed],
  ] as const) {
    const hasName = (tokens: readonly Token[]) => tokens.some(({ fact }) => fact === 'name')
    if (!hasName(named) || hasName(others)) continue
    for (const token of others) {
      if (token.isWord && token.fact === null && isCapital(token.text)) token.fact = 'name'
    }
  }
}

function tokensInside(tokens: readonly Token[], spans: readonly Span[]): Set<Token> {
  const inside = new Set<Token>()
  forEachInside(tokens, spans, (token) => inside.add(token))
  return inside
}

/** German nouns are all capitalised, so only two in a row, or one after a preposition without an article, are a name. */
const CAPITAL_NOUNS = new Set(['de', 'lb'])
const PLACES = new Set('in nach aus bei von gegen'.split(' '))
const ARTICLES = new Set(
  'der die das den dem des ein eine einen einem einer im am vom zum zur'.split(' '),
)
const NO_NAMES = new Set('i i’m i’ve я'.split(' '))

function isCapital(word: string): boolean {
  return /^[\p{Lu}\p{Lt}]/u.test(word)
}

function isNext(text: string, a: Token, b: Token): boolean {
  return /^[ \u00a0]$/u.test(text.slice(a.end, b.start))
}

function startsSentence(text: string, token: Token, before: Token | undefined): boolean {
  if (before === undefined) return true
  const between = text.slice(before.end, token.start)
  if (between.includes('\n')) return true
  if (/^[.!?…。！？]$/u.test(before.text)) return between !== ''
  // After anything but a word, a number, a comma or the like, a new sentence may begin.
  return !before.isWord && before.fact === null && !/^[,;(/&+'’"“«„-]$/u.test(before.text)
}

const QUOTES =
  /«([^«»\n]{1,60})»|“([^“”\n]{1,60})”|„([^„“”\n]{1,60})[“”]|"([^"\n]{1,60})"|「([^「」\n]{1,40})」|『([^『』\n]{1,40})』|《([^《》\n]{1,40})》/gu

/** Quotes that are short, begin like a name and do not end like a sentence. */
function quotedNames(text: string): Span[] {
  return [...text.matchAll(QUOTES)].flatMap((found) => {
    const inside = found.slice(1).find((part) => part !== undefined) ?? ''
    const isShort = inside.trim().split(/\s+/u).length <= 4
    const isNamed = /^[\p{Lu}\p{Lt}\p{Lo}\p{Nd}]/u.test(inside) && !/[.!?…,。！？]$/u.test(inside)
    const start = found.index + 1
    return isShort && isNamed ? [{ start, end: start + inside.length }] : []
  })
}

/** Lines that are mostly capitals, as headlines are. */
function shoutedLines(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const upper = line.match(/\p{Lu}/gu)?.length ?? 0
    const lower = line.match(/\p{Ll}/gu)?.length ?? 0
    if (upper > 3 && upper > 2 * lower) spans.push({ start, end: start + line.length })
    start += line.length + 1
  }
  return spans
}
