/**
 * Persian, in the folded alphabet: removes plural and possessive endings, the comparative, and the verb's می‌.
 * Short words keep their ending, so that بازی (game) does not become باز (open).
 */

const NOUN = /(?:هایشان|هایمان|هایتان|هایش|هایم|هایت|هایی|های|ها)$/
const COMPARATIVE = /(?:ترین|تر)$/
const POSSESSIVE = /(?:شان|مان|(?<!س)تان|اش|ام|ات)$/
const VERB = /(?:یم|ید|ند|م|ی|د)$/

/** Words that only look like plurals or derived forms: elections, exports, imports, information, memories, a name, assets. */
const LEXICAL = /^(انتخابات|صادرات|واردات|اطلاعات|خاطرات|پزشکیان|دارایی)(?:ی|های|ها)?$/

/** Pairs of spellings of one word that folding letters does not unify. */
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
    // The ن of می‌کند belongs to the verb.
    return atLeast(rest.replace(VERB, ''), 2, atLeast(rest.replace(/د$/, ''), 2, rest))
  }
  let stem = atLeast(word.replace(NOUN, ''), 2, word)
  stem = atLeast(stem.replace(COMPARATIVE, ''), 3, stem)
  stem = atLeast(stem.replace(POSSESSIVE, ''), 4, stem)
  stem = atLeast(stem.replace(/(?<=ا)ی$/, ''), 3, stem)
  // ایرانیان is a form of ایرانی, which comes from ایران.
  for (const ending of [/یی?$/, /(?:ان|ین)$/, /ی$/, /ین$/])
    stem = atLeast(stem.replace(ending, ''), 4, stem)
  return SPELLINGS.get(stem) ?? stem
}

function atLeast(stem: string, letters: number, otherwise: string): string {
  return stem.length >= letters ? stem : otherwise
}
