import type { Post } from '../../model/post.ts'
import { cleanText, type CleanText } from '../../text/clean.ts'

/**
 * Characters of scripts and punctuation that need no cleaning. One character class is tested at a tenth of the cost of
 * looking for everything that could be wrong, and most texts pass.
 */
export const PLAIN =
  // oxlint-disable-next-line no-misleading-character-class -- ranges of whole scripts, marks and all
  /^[\n\x20-\x7e\xa1-\xac\xae-\u024f\u0370-\u058f\u05d0-\u05f4\u0620-\u06ff\u0900-\u0dff\u2010-\u2027\u2030-\u205f\u20a0-\u2bff\u3000-\u9fff]*$/

export function servedPost(post: Post): CleanText {
  if (PLAIN.test(post.text)) return { text: post.text, entities: post.entities, hidden: false }
  return cleanText(post.text, post.entities)
}

export function servedText(text: string): string {
  return PLAIN.test(text) ? text : cleanText(text, []).text
}

/** A title or a name, on one line. */
export function servedLine(text: string): string {
  const served = servedText(text)
  // Matches only from the start of a run of white space; otherwise each character of a long run would scan for the line's
  // end again.
  return served.includes('\n') ? served.replaceAll(/(?<!\s)\s*\n\s*/g, ' ') : served
}
