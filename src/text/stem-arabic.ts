import { foldWord } from './fold.ts'
import { formsOf } from './irregular.ts'

/**
 * Arabic, in the folded alphabet: the article with what is glued before it, then endings, never below a smallest
 * stem. Snowball's parts a noun from itself with the article (وزير and الوزير, انتخابات and الانتخابات).
 */

const ARTICLE = /^(?:[وفبک]?ال|[وف]?لل)(?=..)/
const WHOLE = new Set('الله التی الذی الان الذین بیروت'.split(' '))

/** Plurals made inside the word. */
const BROKEN = formsOf(`
  کتاب: کتب ; مدین: مدن ; رییس: روسا ; وزیر: وزرا ; شهید: شهدا ; صاروخ: صواریخ ; حرب: حروب ; جیش: جیوش ; بیت: بیوت
  ; طالب: طلاب طلبه ; کبیر: کبار ; هجوم: هجمات ; خبر: اخبار ; سعر: اسعار ; طفل: اطفال ; حزب: احزاب ; فیلم: افلام
  ; رقم: ارقام ; رجل: رجال ; قتیل: قتلی ; جریح: جرحی ; طبیب: اطبا ; دین: ادیان ; یوم: ایام ; عام: اعوام ; شهر: اشهر شهور
  ; شارع: شوارع ; مدرس: مدارس ; امریک: امیرکا امیرکی امیرکیه ; سفیر: سفرا ; قاید: قاده ; عضو: اعضا ; شخص: اشخاص
`)

/** Each with the letters that must remain. */
const ENDINGS: readonly (readonly [RegExp, number])[] = [
  [/(?:هما|هم|هن|ها|نا)$/, 3],
  [/وا$/, 3],
  [/(?:ان|ین|ون)$/, 4],
  [/(?:ات|یه)$/, 3],
  [/[هیت]$/, 3],
  [/ا$/, 4],
]
const PASSES = 3

export function stemArabic(lower: string): string {
  const tok = foldWord(lower.replace('ئو', 'ؤو'))
  if (WHOLE.has(tok)) return tok
  // يستهدف is of استهدف.
  let stem = tok.replace(ARTICLE, '').replace(/^[یت]ست(?=...)/, 'است')
  for (let pass = 0; pass < PASSES; pass++) {
    const known = BROKEN.get(stem)
    if (known !== undefined) return known
    const shorter = withoutEnding(stem)
    if (shorter === stem) break
    stem = shorter
  }
  return stem
}

function withoutEnding(stem: string): string {
  for (const [i, [ending, least]] of ENDINGS.entries()) {
    const found = ending.exec(stem)
    if (!found || found.index < least) continue
    const rest = stem.slice(0, found.index)
    // Before a pronoun the feminine ending is a ت: حكومته.
    return (i === 0 || found[0] === 'ه') && rest.length > 4 ? rest.replace(/ت$/, '') : rest
  }
  return stem
}
