/** Of a script without spaces every character begins a pair, and some three of them make a word. */
const PAIRS_A_WORD = 3
const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** How long a post is, in words: what its length says must not depend on how its script is cut. */
export function lengthInWords(toks: readonly string[]): number {
  let pairs = 0
  for (const tok of toks) if (tok.charCodeAt(0) >= 0x1100 && PAIR.test(tok)) pairs++
  return toks.length - pairs + Math.ceil(pairs / PAIRS_A_WORD)
}
