import { formsOf } from './irregular.ts'

/**
 * Swahili inflects by prefixes: a noun's class (kitabu, vitabu; mkoa, mikoa), a verb's subject and tense (alianza,
 * wameanza, kuanza). A noun gets the prefix of its singular rather than none, so that kitabu (book) and tabu (trouble)
 * stay apart.
 */

const SWAHILI = formsOf(`
  mwaka: mwaka miaka ; jambo: jambo mambo ; jina: jina majina ; jicho: jicho macho ; mwanamke: mwanamke wanawake
  ; mwanamume: mwanamume wanaume mwanaume ; mfalme: mfalme wafalme ; nchi: nchi nchini ; ugonjwa: ugonjwa magonjwa
  ; mahali: mahali ; madini: madini ; mafuta: mafuta ; matatu: matatu ; amani: amani ; imani: imani ; mashariki: mashariki
  ; magharibi: magharibi ; wakati: wakati ; waziri: waziri mawaziri ; wastani: wastani ; maarifa: maarifa ; kusini: kusini
  ; makala: makala ; malaria: malaria ; madaraka: madaraka ; amerika: amerika ; mtaalamu: mtaalamu wataalamu
  ; mtanzania: mtanzania watanzania
`)

/** A member of what follows: mwanafunzi, wanafunzi. These are not verbs, although -na- is also a tense. */
const MEMBER =
  /^m?wana(?=(?:funzi|jeshi|siasa|nchi|habari|sayansi|riadha|michezo|muziki|chama|sheria|anga|harakati)$)/

/** Subject, tense and relative: a-li-, wa-na-o-, i-li-yo-. */
const VERB = /^(?:wa|ya|ki|vi|zi|li|tu|ni|[aiu])(?:na|li|ta|me)(?:ye|[oy]o|[clz]h?o|o)?(?=.{4})/

export function stemSwahili(word: string): string {
  const known = SWAHILI.get(word)
  if (known !== undefined) return known
  if (MEMBER.test(word)) return word.replace(MEMBER, 'mwana')
  const verb = word.replace(VERB, '').replace(/^ku(?=.{4})/, '')
  if (verb !== word) {
    // A passive is stemmed like its verb: -gunduliwa like -gundua, -anzishwa like -anzisha.
    return verb.replace(/(?<=.[aou])liwa$/, 'a').replace(/(?<=..[^aou])wa$/, 'a')
  }
  return word
    .replace(/(?<=...)ni$/, '')
    .replace(/^vi(?=[^aeiou].)/, 'ki')
    .replace(/^vy(?=[aeiou].)/, 'ch')
    .replace(/^mi(?=[^aeiou].)/, 'm')
    .replace(/^(?:wa(?=[^aeiouw].)|mwa(?=[^aeiouw].{2}))/, 'm')
    .replace(/^ma(?=[^aeiou].{3})/, '')
}
