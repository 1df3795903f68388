import { createRandom } from '../../src/search/contract/sample.ts'

/** One to three words that stand together in a post: as words, a phrase, alternatives, with one excluded, or by prefix. */
export function drawQueries(texts: readonly string[], count: number): string[] {
  const random = createRandom(9)
  return Array.from({ length: count }, (_, i) => {
    const text = texts[Math.floor(random() * texts.length)]!
    const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word))
    const at = Math.floor(random() * Math.max(1, words.length - 3))
    const some = words.slice(at, at + 1 + Math.floor(random() * 3))
    if (some.length === 0) return 'news'
    if (i % 5 === 0) return `"${some.join(' ')}"`
    if (i % 10 === 1) return some.join(' OR ')
    if (i % 10 === 2) return `${some[0]} -${some.at(-1)!}x`
    if (i % 10 === 3) return `${some[0]!.slice(0, 4)}*`
    return some.join(' ')
  })
}
