/** Terms as the word search within a channel keeps them: any character but space and controls is part of a term. */

// oxlint-disable-next-line no-control-regex
const SPLITS = /[\u0000-\u0020\u007f]+/g

export function storedTerms(terms: string): string {
  return terms.replace(SPLITS, ' ').trim()
}

/** One term to look for; what would split it is taken out, so that it stays one. */
export function storedTerm(term: string): string {
  return term.replace(SPLITS, '')
}

/** The engines fold ASCII case when they match. */
export function foldTerm(term: string): string {
  return term.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
