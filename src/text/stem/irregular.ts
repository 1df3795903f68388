import { getOrMake } from '../../model/get-or-make.ts'
import { foldWord } from '../fold.ts'

const starts = new Map<string, Set<string>>()

/** The first two letters of a stem, folded, to those of irregular forms in any language, where these are others. */
export const IRREGULAR: ReadonlyMap<string, ReadonlySet<string>> = starts

/** Irregular forms: turns `stem: form form` entries, separated by `;`, into a map from each form to its stem. */
export function formsOf(list: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>()
  for (const entry of list.split(';')) {
    const [stem = '', words = ''] = entry.split(':').map((part) => part.trim())
    for (const word of words.split(/\s+/)) {
      if (word === '') continue
      forms.set(word, stem)
      const [kept, found] = [startOf(stem), startOf(word)]
      if (kept !== found) getOrMake(starts, kept, () => new Set()).add(found)
    }
  }
  return forms
}

function startOf(word: string): string {
  return foldWord(word).slice(0, 2)
}
