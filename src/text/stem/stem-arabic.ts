import { foldWord } from '../fold.ts'
import { formsOf } from './irregular.ts'

/**
 * Arabic, in the folded alphabet: removes the article with the particles before it, then endings, never below a smallest
 * stem. Snowball's stemmer gives a noun a different stem with the article (وزير and الوزير, انتخابات and الانتخابات).
 */

const ARTICLE = /^(?:[وفبک]?ال|[وف]?لل)(?=..)/
const WHOLE = new Set('الله التی الذی الان الذین بیروت'.split(' '))

/** Broken plurals, and words that would lose a letter of their own. */
const FORMS = formsOf(`
  کتاب: کتب کتبت ; مدین: مدن ; رییس: روسا ; وزیر: وزرا ; شهید: شهدا ; صاروخ: صواریخ ; حرب: حروب ; جیش: جیوش ; بیت: بیوت
  ; طالب: طلاب طلبه ; کبیر: کبار ; هجوم: هجمات ; خبر: اخبار ; سعر: اسعار ; طفل: اطفال ; حزب: احزاب ; فیلم: افلام
  ; رقم: ارقام ; رجل: رجال ; قتیل: قتلی ; جریح: جرحی ; طبیب: اطبا ; دین: ادیان ; یوم: ایام ; عام: اعوام ; شهر: اشهر شهور
  ; شارع: شوارع ; مدرس: مدارس ; سفیر: سفرا ; قاید: قاده ; عضو: اعضا ; شخص: اشخاص ; اسیر: اسری
  ; امریک: امیرکا امیرکی امیرکیین امیرکیون ; سوریا: سوریا سوری سوریین سوریون ; ترکیا: ترکیا ترکی اتراک
  ; مراه: مراه امراه ; مره: مرات
`)

/** Each with the number of letters that must remain. */
type Endings = readonly (readonly [RegExp, number])[]

/** Pronouns and other endings that come last; before a pronoun the feminine ending is a ت: حكومته. */
const LAST: Endings = [
  [/ا?ت(?:هما|هم|هن|ها|نا|ه)$/, 4],
  [/(?:هما|هم|هن|ها|نا)$/, 3],
  [/وا$/, 3],
  [/ه$/, 3],
  [/ا$/, 4],
]
const ENDINGS: Endings = [
  [/(?:ان|ین|ون)$/, 4],
  [/ات$/, 3],
  [/[یت]$/, 3],
]
const PASSES = 3

export function stemArabic(lower: string): string {
  const tok = foldWord(lower.replace('ئو', 'ؤو'))
  if (WHOLE.has(tok)) return tok
  // يستهدف is stemmed like استهدف.
  const bare = tok.replace(ARTICLE, '').replace(/^[یت]ست(?=...)/, 'است')
  // Folding drops the hamza of انتهاء and ثلاثاء, and what is left only looks like an ending.
  const first = lower.endsWith('ء') ? bare : withoutEnding(bare, LAST)
  // Not looked up again after the endings below are removed: مدني is no form of مدن.
  const known = FORMS.get(bare) ?? FORMS.get(first)
  if (known !== undefined) return known
  let stem = first
  for (let pass = 0; pass < PASSES; pass++) stem = withoutEnding(stem, ENDINGS)
  return stem
}

function withoutEnding(stem: string, endings: Endings): string {
  for (const [ending, least] of endings) {
    const found = ending.exec(stem)
    if (found && found.index >= least) return stem.slice(0, found.index)
  }
  return stem
}
