import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { foldWord } from '../fold.ts'
import { formsOf } from './irregular.ts'
import { createLightStemmer } from './light-stem.ts'
import { untilStable } from './until-stable.ts'

/** Snowball's stemmers of the Romance languages, corrected where they give a word and its plural different stems. */

/** Verbs in -iar, whose past Snowball takes for one of -er or -ir. */
const IAR =
  /(?<=nunc|inic|camb|estud|benefic|negoc|aprec|enjuic|sentenc|evidenc|financ|diferenc|presenc|limp|cop|env)ió$/

const SPANISH = formsOf('año: años ; primer: primer ; tercer: tercer ; grand: gran')

export function stemSpanish(word: string): string {
  const known = SPANISH.get(word)
  if (known !== undefined) return known
  // The -nos of gobiernos, modernos and cuadernos is not a pronoun.
  const bare = word.replace(/((?:i|od|nt|xt|ad|lt)ern)os$/, '$1o').replace(IAR, 'ia')
  const stem = spanish(bare)
  if (bare.endsWith('z')) return stem.replace(/z$/, 'c')
  // mujeres becomes only mujer, whose own stem is muj; but alemanes is a form of alemán, and quieres is a verb.
  const isPlural = foldWord(stem) === foldWord(bare.slice(0, -2)) && bare.endsWith('es')
  return isPlural &&
    /[dl]$|(?<![iu]e)r$|[áéíóú].*n$|(?:jov|imag|crim|exam|orig)en$/.test(bare.slice(0, -2))
    ? spanish(foldWord(stem))
    : stem
}

const PORTUGUESE = formsOf('mão: mão mãos ; mãe: mãe mães ; irmão: irmão irmãos')

/** Also unifies spellings from before 1990, and the plurals of -ão, -al, -el, -il, -ol and -m. */
export function stemPortuguese(word: string): string {
  const known = PORTUGUESE.get(word)
  if (known !== undefined) return known
  const today = word
    .replace(/[cp](?=ç)/, '')
    .replace(/(?<=^.{2,}[aeiou])c(?=t[aeiou])/, '')
    .replace(/(?<=.)ns$/, 'm')
    .replace(/ões$/, 'ão')
    .replace(/(?<=.[nv])eis$/, 'el')
    .replace(/éis$/, 'el')
    .replace(/óis$/, 'ol')
    .replace(/(?<=..[cg])eis$/, 'il')
    .replace(/^(l|r)eis$/, '$1ei')
    .replace(/^([^áéíóúâêô]{2,}[^aeiouáéíóúâêô])is$/, '$1il')
  const base = today.length > 5 ? today.replace(/[ãoa]es$/, 'ão').replace(/ais$/, 'al') : today
  const stem = portuguese(base)
  // Snowball leaves the plural on words that begin with a vowel or end like foreign ones: armas, desktops.
  return stem === base ? stem.replace(/(?<=..[aeoãbdfgkmprt])s$/, '') : stem
}

const FRENCH = formsOf(
  'loi: lois ; emploi: emplois ; tournoi: tournois ; convoi: convois ; travail: travaux',
)
const stableFrench = untilStable(french)

/** Verbs such as annoncent, travaillent, confirment, expliquent, achètent; no noun ends like them. */
const FRENCH_VERB =
  /(?<=..(?:[iea]ll|rl|nc|tt|gn|ch|pp|rt|firm|form|[is]qu|anqu|[iou]s|ss|iv|è[^aeiou]|[tv]r|[nr]d|nn|[spc]t|ang))ent$/

export function stemFrench(word: string): string {
  const base = FRENCH.get(word) ?? word
  const verb = base.replace(FRENCH_VERB, 'e')
  return stableFrench(verb).replace(/(?<=..)if$/, 'iv')
}

/** Adjectives in -ano, which Snowball would take for the ending of a verb. */
const ITALIAN_ADJECTIVE =
  /(?:(?<!g)[lrn]iano|(?:ameri|afri|messi|repubbli|domini|vati)cano|romano|umano|urbano|coreano|cristiano|quotidiano|indiano)$/

const ITALIAN = formsOf('gener: genere generi ; poter: potere poteri')

export function stemItalian(word: string): string {
  const known = ITALIAN.get(word)
  if (known !== undefined) return known
  // Adjectives in -are, which Snowball takes for verbs in the singular only.
  const adjective = word.replace(/(?<=.[ou]l|milit|nucle|famili)ari$/, 'are')
  const stem = italian(ITALIAN_ADJECTIVE.test(adjective) ? `${adjective.slice(0, -1)}i` : adjective)
  return stem.replace(/(?<=..[cg])h$/, '').replace(/^([aeiou].{2})[aeio]$/, '$1')
}

const ROMANIAN = formsOf(`
  copil: copii copiii copiilor ; strad: străzi străzile străzilor ; nou: nou noi noul noii noile
  ; feme: femei ; om: om oameni oamenii oamenilor omul omului
`)
const romanian = createLightStemmer({
  suffixes: `a ă e i u ul ului ii ie ia iei ei ea ele elor ile ilor lor uri urile urilor iul iului elui
    ează ând iile iilor ioara`,
  min: 3,
  passes: 1,
})

/** Removes endings only. Snowball leaves the article on ministrul and războiul, and the case on Moldovei. */
export function stemRomanian(word: string): string {
  const known = ROMANIAN.get(word.replaceAll('ţ', 'ț').replaceAll('ş', 'ș'))
  // școală is stemmed like școli.
  return known ?? romanian(word).replace(/oa(?=[^aeiouăâî]{1,2}$)/, 'o')
}
