/**
 * Persian, in the folded alphabet: the plural and possessive endings, the comparative, and the verb's می‌.
 * Short words keep their ending, so that بازی (game) does not become باز (open).
 */

const NOUN = /(?:هایشان|هایمان|هایتان|هایش|هایم|هایت|هایی|های|ها)$/
const COMPARATIVE = /(?:ترین|تر)$/
const POSSESSIVE = /(?:شان|مان|(?<!س)تان|اش|ام|ات)$/
const VERB = /(?:یم|ید|ند|م|ی|د)$/

/** Plurals in form that are words of their own: elections, exports, imports, information, memories, a name, assets. */
const LEXICAL = /^(انتخابات|صادرات|واردات|اطلاعات|خاطرات|پزشکیان|دارایی)(?:ی|های|ها)?$/

/** Two spellings of one word that no letter explains. */
const SPELLINGS = new Map([
  ['مساله', 'مسیله'],
  ['هیات', 'هییت'],
  ['مسوول', 'مسیول'],
])

export function stemPersian(word: string): string {
  const lexical = LEXICAL.exec(word)
  if (lexical) return lexical[1]!
  const verb = /^(?:نمی|می)(?=.{3})/.exec(word)
  if (verb) {
    const rest = word.slice(verb[0].length)
    // The ن of می‌کند is the verb's own.
    return atLeast(rest.replace(VERB, ''), 2, atLeast(rest.replace(/د$/, ''), 2, rest))
  }
  let stem = atLeast(word.replace(NOUN, ''), 2, word)
  stem = atLeast(stem.replace(COMPARATIVE, ''), 3, stem)
  stem = atLeast(stem.replace(POSSESSIVE, ''), 4, stem)
  stem = atLeast(stem.replace(/(?<=ا)ی$/, ''), 3, stem)
  // ایرانیان is of ایرانی, which is of ایران.
  for (const ending of [/یی?$/, /(?:ان|ین)$/, /ی$/, /ین$/])
    stem = atLeast(stem.replace(ending, ''), 4, stem)
  return SPELLINGS.get(stem) ?? stem
}

function atLeast(stem: string, letters: number, otherwise: string): string {
  return stem.length >= letters ? stem : otherwise
}
