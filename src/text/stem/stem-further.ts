import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { formsOf } from './irregular.ts'
import { createLightStemmer, ENDINGS } from './light-stem.ts'
import { untilStable } from './until-stable.ts'

/** Further stemmers of Snowball, corrected, and our own for Armenian, Oromo and Uzbek. */

const stableTurkish = untilStable(turkish)
const TURKISH = formsOf(`
  gün: gün günü güne günde günden günün günler günleri ; polis: polisin ; parti: partisi partisini partisine partisinin partisinde partisinden
  ; şehir: şehri şehrin şehre şehrinde
`)

/** Words whose own end looks like a possessive: oyun (game) is no form of oy (vote). */
const OWN_END =
  /^(oyun|konum|kanun|sorun|toplum|durum|kurum|yorum|bölüm|ölüm|çözüm|yüzyıl)(?:l[ae]r)?(?:s?[ıiuü]|[ıi]m[ıi]z|[uü]m[uü]z)?(?:n?[ıiuü]n?|n?[ae]|n?[dt][ae]n?)?$/

/** Also removes the endings of the infinitive, the present and the future. */
export function stemTurkish(word: string): string {
  const known = TURKISH.get(word) ?? OWN_END.exec(word)?.[1]
  if (known !== undefined) return known
  // The -ki of arasındaki: "what is in between".
  const place = word.replace(/(?<=..[dt][ae])ki$/, '')
  const verb = place.replace(
    /(?<=...)(?:m[ae]k|[ıiuü]yor(?:lar|um|uz|sun)?|aca[kğ]|ece[kğ]|acaklar|ecekler)$/,
    '',
  )
  if (verb !== place) return verb
  // The possessive of ülke is ülkesi, but adresi is that of adres.
  const isOwn = /(?:adre|herke|nefe|kafe|mira|esa|tema|kira)s[ıi]$/.test(place)
  return stableTurkish(isOwn ? place : place.replace(/(?<=..[ae])s[ıi]$/, ''))
}

const stableHungarian = untilStable(hungarian)

const HUNGARIAN = formsOf(`
  budapest: budapest ; híd: híd hidat hidak hidakat hídon hídról ; víz: vizet vizek vizeket
`)

export function stemHungarian(word: string): string {
  const known = HUNGARIAN.get(word)
  if (known !== undefined) return known
  // In alapított and alapították the t belongs to the verb and is no accusative.
  const verb = word.replace(/(?<=..ít)(?:ott|otta|ották|ottak|ani|ja|ják)$/, '')
  return stableHungarian(verb).replace(/^budapes$/, 'budapest')
}

const FINNISH = formsOf(`
  suom: suomi suomen suomea suomessa suomesta suomeen ; ved: vesi veden vettä vedessä vedestä veteen
  ; uud: uusi uuden uutta uudet uusia uusien ; mieh: mies miehen miehet miestä miehiä miesten
  ; poliis: poliisi ; ukrain: ukraina
  ; työ: työ työn työtä työt töitä ; lak: laki lain lakia lait lakien
`)

/** Unifies forms of the past: perustettiin as perustettu, syntynyt as syntyi, perustivat as perusti. */
function past(word: string): string {
  return word
    .replace(/(?<=..(?:tett|nnett|st))iin$/, 'u')
    .replace(/(?<=....)n?n[uy]t$/, '')
    .replace(/(?<=...[^aeiouyäö]i)v[aä]t$/, '')
}

/** uutinen is stemmed like uutisen, hallituksen like hallitus, kaupungin like kaupunki, sodan like sota. */
export function stemFinnish(word: string): string {
  const known = FINNISH.get(word)
  if (known !== undefined) return known
  const noun = past(word)
    .replace(/(?<=...)nen$/, 'sen')
    .replace(/(?<=...[iu])sten$/, 'sen')
  return finnish(noun.replace(/(?<=...[uy])s(?:ta|tä)$/, 'ksen'))
    .replace(/(?<=..[uy])ks$/, 's')
    .replace(/ng$/, 'nk')
    .replace(/(?<=....)[aeioäö]$/, '')
    .replace(/(?<=.[aeiouyäö])d(?=[aeioäö]?$)/, 't')
}

/** Roots whose k the prefix replaces, and roots that begin with an n of their own. */
const SWALLOWED_K =
  /^(?:meng|peng)(?=irim|at[ae]|uasa|enal|urang|eluar|embali|embang|unjung|unci|umpul|ejar|andung)/
const OWN_N = /^(?:men|pen)(?=ikah|ilai|anti|onton|aik|asihat|ama|ampak|yata)/

/** menulis is stemmed like tulis, mengirim like kirim. */
export function stemIndonesian(word: string): string {
  const rest = OWN_N.test(word)
    ? word.replace(OWN_N, 'n')
    : word.replace(SWALLOWED_K, 'k').replace(/^[mp]en(?=[aeiou].{3})/, 't')
  return indonesian(rest)
}

/** नई and नए are also written नयी and नये; कंपनियों is stemmed like कंपनी, भाषाएँ like भाषा. */
export function stemHindi(word: string): string {
  const noun = word.replace(/(?<=..)िय(?:ों|ा[ंँ])$/, 'ी').replace(/(?<=.ा)(?:ए[ंँ]|ओं)$/, '')
  return hindi(noun.replace(/(?<=[\u093fक-ह])ई$/, 'यी').replace(/(?<=[\u093fक-ह])ए$/, 'ये'))
}

/** Snowball leaves an ι on βιβλίο that it cuts from βιβλία; γενικού is stemmed like γενικός. */
export function stemGreek(word: string): string {
  return greek(word.replace(/(?<=..ικ)(?:ο[ύυ]|[όο]|[ώω]ν)$/, 'ή')).replace(/(?<=...)ι$/, '')
}

const armenian = createLightStemmer(ENDINGS['hy']!)
const ARMENIAN = formsOf(`
  գրք: գիրք գիրքը ; տուն: տուն տունը տան տանը տներ տները տների ; երկր: երկիր երկիրը ; մարդ: մարդիկ մարդկանց
`)

export function stemArmenian(word: string): string {
  return ARMENIAN.get(word) ?? armenian(word)
}

const oromo = createLightStemmer({
  suffixes: 'n f tti rraa irraa rratti irratti dhaan dhaaf dha',
  min: 4,
  passes: 1,
})

/** Removes case endings only; the last vowel before them may be long or short: magaalaatti and magaalaa. */
export function stemOromo(word: string): string {
  return oromo(word).replace(/(?<=..([aeiou]))\1$/, '')
}

const uzbek = createLightStemmer(ENDINGS['uz']!)
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  'а a б b в v г g д d е e ё yo ж j з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х x ц s ч ch ш sh э e ю yu я ya ў o қ q ғ g ҳ h ъ _ ь _ ы i щ sh'
    .split(' ')
    .flatMap((letter, i, all) => (i % 2 === 0 ? [[letter, all[i + 1]!.replace('_', '')]] : [])),
)

/** Both alphabets are in use, so a word gets the stem of its Latin spelling. Apostrophes have already been removed. */
export function stemUzbek(word: string): string {
  const latin = word
    .replace(/(?<=^|[аеёиоуэюяў])е/g, 'ye')
    .replace(/[а-ёўқғҳ]/g, (letter) => LATIN[letter] ?? letter)
  return uzbek(latin)
}
