import type { QueryNode } from '../model/query.ts'
import { obviousLanguage } from '../text/language/obvious-language.ts'
import { leavesOf } from '../model/query-tree.ts'

interface ScriptHint {
  readonly script: RegExp
  /** The language that most posts in this script are in; a handful of words tells no more. */
  readonly code: string
  /** Letters that only occur in other languages of the script. */
  readonly others?: readonly (readonly [RegExp, string])[]
}

const SCRIPTS: readonly ScriptHint[] = [
  {
    script: /\p{Script=Cyrillic}/u,
    code: 'ru',
    others: [
      [/[ӣӯҷ]/iu, 'tg'],
      [/ҳ|ў.*[қғ]|[қғ].*ў/iu, 'uz'],
      [/[қғұ]/iu, 'kk'],
      [/[ієїґ]/iu, 'uk'],
    ],
  },
  // Persian keyboards have their own ک and ی.
  { script: /\p{Script=Arabic}/u, code: 'ar', others: [[/[پچژگکی]/u, 'fa']] },
  { script: /\p{Script=Hebrew}/u, code: 'he' },
  {
    script: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    code: 'zh',
    others: [[/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja']],
  },
  { script: /\p{Script=Hangul}/u, code: 'ko' },
  { script: /\p{Script=Devanagari}/u, code: 'hi' },
  { script: /\p{Script=Greek}/u, code: 'el' },
  { script: /\p{Script=Armenian}/u, code: 'hy' },
  { script: /\p{Script=Georgian}/u, code: 'ka' },
  { script: /\p{Script=Ethiopic}/u, code: 'am' },
  { script: /\p{Script=Thai}/u, code: 'th' },
  { script: /\p{Script=Bengali}/u, code: 'bn' },
  { script: /\p{Script=Tamil}/u, code: 'ta' },
]

/**
 * The language of the query's words if they are enough to tell, else a guess by their script; Latin letters alone tell
 * nothing. Only a hint to the caller: matching does not use it.
 */
export function detectLanguages(root: QueryNode | null): string[] {
  const texts: string[] = []
  for (const leaf of leavesOf(root)) {
    if ('text' in leaf && !('at' in leaf)) texts.push(leaf.text)
  }
  const words = texts.join(' ')
  const plain = obviousLanguage(words)
  if (plain !== undefined) return [plain.code]
  return SCRIPTS.filter(({ script }) => script.test(words)).map(
    ({ code, others = [] }) => others.find(([letters]) => letters.test(words))?.[1] ?? code,
  )
}
