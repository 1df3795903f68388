import { transliterations } from './transliterate.ts'

/**
 * What a word would be on another keyboard, or in the letters it was spelled out in: `ghbdtn` and `privet` are привет. For
 * words that nobody holds as they are.
 */
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбю'
const UKRAINIAN_KEYS = 'йцукенгшщзхїфівапролджєячсмитьбю'

/** The longest first. */
const SPELLED: readonly (readonly [string, string])[] = (
  'shch:щ sch:щ zh:ж kh:х ts:ц ch:ч sh:ш yu:ю ju:ю ya:я ja:я yo:е ye:е iy:ий yy:ый ' +
  'a:а b:б v:в g:г d:д e:е z:з i:и j:й k:к l:л m:м n:н o:о p:п r:р s:с t:т u:у f:ф h:х c:ц y:ы w:в x:кс q:к'
)
  .split(' ')
  .map((pair) => pair.split(':') as [string, string])

/** Folded, as posts hold words; the likeliest first. */
export function otherSpellings(word: string): string[] {
  if (/^[a-z]+$/.test(word)) {
    const spelled = spelledOut(word)
    const typed = [RUSSIAN_KEYS, UKRAINIAN_KEYS].map((keys) => retyped(word, LATIN_KEYS, keys))
    return unique(
      [spelled, spelled.replaceAll('ы', 'й'), ...typed, ...transliterations(word)],
      word,
    )
  }
  if (!/^[а-яєії]+$/.test(word)) return []
  const typed = [RUSSIAN_KEYS, UKRAINIAN_KEYS].map((keys) => retyped(word, keys, LATIN_KEYS))
  return unique(typed, word).filter((each) => /^[a-z]+$/.test(each))
}

function spelledOut(word: string): string {
  let out = ''
  for (let i = 0; i < word.length;) {
    const [latin, letter] = SPELLED.find(([each]) => word.startsWith(each, i))!
    out += letter
    i += latin.length
  }
  return out
}

function retyped(word: string, from: string, to: string): string {
  return [...word].map((letter) => to[from.indexOf(letter)] ?? letter).join('')
}

function unique(words: readonly string[], but: string): string[] {
  return [...new Set(words)].filter((word) => word !== but)
}
