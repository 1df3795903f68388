/** In a script without spaces every character starts a pair, and about three pairs make a word. */
const PAIRS_A_WORD = 3
const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** The length of a post in words. It must not depend on how the post's script is tokenised. */
export function lengthInWords(toks: readonly string[]): number {
  let pairs = 0
  for (const tok of toks) if (tok.charCodeAt(0) >= 0x1100 && PAIR.test(tok)) pairs++
  return toks.length - pairs + Math.ceil(pairs / PAIRS_A_WORD)
}
