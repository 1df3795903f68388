import { am } from './am.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fa } from './fa.ts'
import { fr } from './fr.ts'
import { he } from './he.ts'
import { hi } from './hi.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import type { LanguageText } from './language-text.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { zh } from './zh.ts'

/** Every language with its share of the channels, which follows the mix in published crawls. */
export const LANGUAGES: readonly { readonly text: LanguageText; readonly share: number }[] = [
  { text: en, share: 18 },
  { text: ru, share: 30 },
  { text: fa, share: 12 },
  { text: uk, share: 6 },
  { text: ar, share: 5 },
  { text: de, share: 5 },
  { text: es, share: 4 },
  { text: pt, share: 3 },
  { text: tr, share: 3 },
  { text: fr, share: 3 },
  { text: hi, share: 3 },
  { text: he, share: 2 },
  { text: zh, share: 2 },
  { text: ja, share: 1 },
  { text: ko, share: 1 },
  { text: am, share: 2 },
]

const byCode = new Map(LANGUAGES.map(({ text }) => [text.code, text]))

export function languageText(code: string): LanguageText {
  const text = byCode.get(code)
  if (!text) throw new Error(`the simulator has no text in language ${code}`)
  return text
}
