import type { QueryNode } from '../model/query.ts'
import { createPlainLanguage } from '../text/language/confirm.ts'
import { leavesOf } from './explain-search.ts'

/** Scripts that one language among those on the platform mostly owns; a handful of words tells no more. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[ієїґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Ethiopic}/u, 'am'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Bengali}/u, 'bn'],
  [/\p{Script=Tamil}/u, 'ta'],
]

/** Made when the first query asks for it: 10 ms that no start waits for. */
let plainLanguage: ReturnType<typeof createPlainLanguage> | undefined

/**
 * The language of the query's words, where they are enough to tell, else what their letters say; Latin letters alone say
 * nothing. A hint to the caller, with no part in matching.
 */
export function detectLanguages(root: QueryNode | null): string[] {
  const texts: string[] = []
  for (const leaf of root ? leavesOf(root) : []) {
    if ('text' in leaf && !('at' in leaf)) texts.push(leaf.text)
  }
  plainLanguage ??= createPlainLanguage()
  const plain = plainLanguage(texts.join(' '))
  if (plain !== undefined) return [plain]
  const found = new Set<string>()
  for (const text of texts) {
    const script = SCRIPTS.find(([letters]) => letters.test(text))
    if (script) found.add(script[1])
  }
  return [...found]
}
