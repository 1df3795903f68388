import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fa from './fa.json' with { type: 'json' }
import { defineLanguage, type LanguageText } from './language-text.ts'
import ru from './ru.json' with { type: 'json' }
import tr from './tr.json' with { type: 'json' }
import uk from './uk.json' with { type: 'json' }
import zh from './zh.json' with { type: 'json' }

/** Every language with its share of the channels, which follows the mix in published crawls. */
export const LANGUAGES: readonly { readonly text: LanguageText; readonly share: number }[] = [
  { text: defineLanguage(en), share: 22 },
  { text: defineLanguage(ru), share: 38 },
  { text: defineLanguage(fa), share: 15 },
  { text: defineLanguage(uk), share: 7 },
  { text: defineLanguage(ar), share: 6 },
  { text: defineLanguage(es), share: 5 },
  { text: defineLanguage(tr), share: 4 },
  { text: defineLanguage(zh), share: 3 },
]

const byCode = new Map(LANGUAGES.map(({ text }) => [text.code, text]))

export function languageText(code: string): LanguageText {
  const text = byCode.get(code)
  if (!text) throw new Error(`the simulator has no text in language ${code}`)
  return text
}
