import { en } from './en.ts'
import type { LanguageText } from './language-text.ts'
import { ru } from './ru.ts'

/** Every language of the world with its share of the channels. */
export const LANGUAGES: readonly { readonly text: LanguageText; readonly share: number }[] = [
  { text: ru, share: 30 },
  { text: en, share: 18 },
]

const byCode = new Map(LANGUAGES.map(({ text }) => [text.code, text]))

export function languageText(code: string): LanguageText {
  const text = byCode.get(code)
  if (!text) throw new Error(`the simulator has no text in language ${code}`)
  return text
}
