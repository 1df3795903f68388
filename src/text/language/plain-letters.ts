/** Half of what is typed in Kazakh, Kyrgyz and Uzbek comes from a Russian keyboard: жақсы as жаксы. */
const PLAIN: Readonly<Record<string, string>> = {
  ә: 'а',
  ғ: 'г',
  қ: 'к',
  ң: 'н',
  ө: 'о',
  ұ: 'у',
  ү: 'у',
  һ: 'х',
  і: 'и',
  ў: 'у',
  ҳ: 'х',
}
const SPECIAL = /[әғқңөұүһіўҳ]/
const ALL_SPECIAL = /[әғқңөұүһіўҳ]/g

/** The words, and those with letters of their own also as a Russian keyboard gives them. Shorter ones would mislead. */
export function withPlainLetters(words: string): string {
  const plain = words
    .split(' ')
    .filter((word) => word.length >= 3 && SPECIAL.test(word))
    .map((word) => word.replaceAll(ALL_SPECIAL, (letter) => PLAIN[letter] ?? letter))
  return `${words} ${plain.join(' ')}`
}
