/** Half of all Kazakh, Kyrgyz and Uzbek is typed on a Russian keyboard: жақсы as жаксы. */
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

/**
 * The words, and those with special letters also as they are typed on a Russian keyboard. Words of fewer than three letters
 * are not added, because they would mislead.
 */
export function withPlainLetters(words: string): string {
  const plain = words
    .split(' ')
    .filter((word) => word.length >= 3 && SPECIAL.test(word))
    .map((word) => word.replaceAll(ALL_SPECIAL, (letter) => PLAIN[letter] ?? letter))
  return `${words} ${plain.join(' ')}`
}
