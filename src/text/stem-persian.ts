/**
 * Persian, in the folded alphabet: the plural and possessive endings, the comparative, and the verb's می‌.
 * Short words keep their ending, so that بازی (game) does not become باز (open).
 */

const NOUN = /(?:هایشان|هایمان|هایتان|هایش|هایم|هایت|هایی|های|ها)$/
const COMPARATIVE = /(?:ترین|تر)$/
const POSSESSIVE = /(?:شان|مان|تان|اش|ام|ات)$/
const VERB = /(?:یم|ید|ند|م|ی|د)$/

/** Plurals in form that are words of their own: elections, exports, imports, information, memories. */
const LEXICAL = /^(انتخابات|صادرات|واردات|اطلاعات|خاطرات)(?:ی|های|ها)?$/

export function stemPersian(word: string): string {
  const lexical = LEXICAL.exec(word)
  if (lexical) return lexical[1]!
  const verb = /^(?:نمی|می)(?=.{3})/.exec(word)
  if (verb) {
    const rest = word.slice(verb[0].length)
    return atLeast(rest.replace(VERB, ''), 2, rest)
  }
  let stem = atLeast(word.replace(NOUN, ''), 2, word)
  stem = atLeast(stem.replace(COMPARATIVE, ''), 3, stem)
  stem = atLeast(stem.replace(POSSESSIVE, ''), 4, stem)
  stem = atLeast(stem.replace(/ی$/, ''), 4, stem)
  return atLeast(stem.replace(/ان$/, ''), 4, stem)
}

function atLeast(stem: string, letters: number, otherwise: string): string {
  return stem.length >= letters ? stem : otherwise
}
