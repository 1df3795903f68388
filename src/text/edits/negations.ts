import { foldWord, lowerWord } from '../fold.ts'

/**
 * Negations by language. In a text of an unknown language those of all languages count, except words that mean something else
 * in another language: `no` is "in the" in Portuguese.
 */
const WORDS: Readonly<Record<string, string>> = {
  en: 'not no never none nobody nothing nowhere neither nor without cannot',
  de: 'nicht nichts kein keine keinen keinem keiner keines nie niemals niemand ohne weder',
  fr: 'ne n pas jamais aucun aucune rien sans ni personne non',
  es: 'no nunca jamás ningún ninguno ninguna nadie nada tampoco sin ni',
  pt: 'não nunca jamais nenhum nenhuma ninguém nada sem nem',
  it: 'non mai nessun nessuno nessuna niente nulla senza né',
  nl: 'niet geen nooit niemand niets zonder noch',
  pl: 'nie nigdy nikt nic żaden żadna żadne bez ani brak',
  tr: 'değil yok hayır asla hiç hiçbir',
  az: 'deyil yox heç',
  uz: 'emas yoʻq hech эмас йўқ',
  kk: 'емес жоқ ешқашан',
  id: 'tidak bukan belum tanpa jangan tak',
  vi: 'không chưa chẳng đừng',
  ru: 'не нет ни никогда никто никого ничего ничто никакой никаких нигде нельзя без',
  uk: 'не ні немає нема ніколи ніхто нікого нічого ніщо ніде без жоден жодного',
  be: 'не няма ні ніколі ніхто нічога без',
  bg: 'не няма никога никой нищо без нито',
  sr: 'не није нема никад нико ништа без',
  ar: 'لا ولا فلا لم ولم لن ولن ليس ليست ليسوا غير بدون دون ما',
  fa: 'نه نیست نیستند نبود نبودند نشد نشده ندارد ندارند هیچ هرگز بدون',
  ur: 'نہیں نہ مت بغیر کبھی',
  he: 'לא אין אל בלי ללא אינו אינה אינם אינן מעולם',
  hi: 'नहीं नही न ना मत बिना कभी',
  bn: 'না নেই নয় নি ছাড়া',
  am: 'አይደለም የለም አልነበረም ያለ',
  el: 'δεν μην όχι ποτέ κανείς τίποτα χωρίς',
}

const LATIN_ONLY_KNOWN = new Set(
  'no n ni ne non mai nie sin nada tak bez sem nem nic ani'.split(' '),
)

const folded = new Map(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' ').map(fold))]),
)
const anyLanguage = new Set(
  [...folded.values()].flatMap((words) => [...words].filter((word) => !LATIN_ONLY_KNOWN.has(word))),
)

/** Negations that count whatever the language, because a short or odd text may be taken for the wrong one. */
const PLAIN = new Set(
  'not never nicht kein keine nunca não değil không tidak nie не нет немає няма לא नहीं ليس'
    .split(' ')
    .map(fold),
)

/** Forms that contain the negation: English contractions, Korean stems, Amharic verbs. */
const FORMS = /^\p{Script=Latin}+n['’]t$|^안$|^못|않|없|아니|^(?:አል|አይ).*ም$/u

export function isNegation(word: string, language: string | null): boolean {
  if (FORMS.test(word.toLowerCase())) return true
  const words = (language !== null && folded.get(language)) || anyLanguage
  const form = fold(word)
  return words.has(form) || PLAIN.has(form)
}

/** The stretches of a text that are negations in languages without spaces. */
export function unspacedNegations(
  text: string,
): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(UNSPACED)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))
}

const UNSPACED =
  /ません|なかった|なく|ない(?!し)|[不没沒未无無别別勿](?![\p{Script=Hiragana}])|[并並]非|ไม่|មិន|ບໍ່|မ(?=[\p{L}\p{M}]{1,60}ဘူး)/gu

/**
 * Whether one verb is the negated form of the other. Some languages negate a verb by a syllable before, inside or around it:
 * رفت and نرفت, gitti and gitmedi, ተከፈተ and አልተከፈተም.
 */
export function isNegatedForm(plain: string, negated: string, language: string | null): boolean {
  if (negated.length > LONGEST_VERB) return false
  if (negated === `አል${plain}ም` || negated === `አይ${plain}ም`) return true
  if (language === 'fa' && negated === `ن${plain}`) return true
  if (!TURKIC_LANGUAGES.has(language ?? '') && !/[ışğ]/u.test(negated)) return false
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u.test(negated)) return false
  const [a, b] = [plain.toLowerCase(), negated.toLowerCase()]
  if (b.length <= a.length) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  for (let from = start; from >= 2; from--) {
    const rest = a.slice(from)
    if (rest.length >= 2 && b.endsWith(rest)) {
      if (TURKIC.test(b.slice(from, b.length - rest.length))) return true
    }
  }
  return false
}

/** The comparison takes quadratic time, and nothing longer than this is a word. */
const LONGEST_VERB = 100
const TURKIC = /^(?:m[aeıiuü]?y?|[мб][аеә]й?)$/u
const TURKIC_LANGUAGES = new Set(['tr', 'az', 'uz', 'kk', 'ky', 'tk'])

function fold(word: string): string {
  return foldWord(lowerWord(word))
}
