import { stemmer as english } from '@orama/stemmers/english'
import { formsOf } from './irregular.ts'

/** Snowball's English with British spellings, irregular forms, and words whose stem would be that of an unrelated word. */

/** Words with a stem of their own. */
const APART = formsOf(`
  news: news ; university: university universities ; universal: universal ; united: united ; animal: animal animals
  ; organization: organization organizations organisation organisations ; organic: organic organically
  ; general: general generals generally ; generation: generation generations ; police: police
  ; policy: policy policies ; polite: polite politely ; important: important importance importantly
  ; international: international internationally ; internal: internal internally
  ; authority: authority authorities ; communism: communism ; experience: experience experiences experienced
  ; experiment: experiment experiments experimental ; executive: executive executives
  ; office: office offices ; officer: officer officers ; business: business businesses
  ; several: several ; paste: paste pastes ; informal: informal ; ironic: ironic
  ; goods: goods ; customs: customs ; rational: rational ; relativity: relativity
  ; productive: productive productivity ; emergency: emergency emergencies
  ; department: department departments ; apartment: apartment apartments ; hospitality: hospitality
  ; succession: succession successions ; recession: recession recessions ; digital: digital digitally ; engineer: engineer engineers engineering engineered
  ; paradise: paradise paradises ; treatise: treatise treatises ; bus: bus buses ; gas: gas gases ; skis: skis
`)

/** Irregular forms. Each must begin with the letter of its word, because `first-letters.ts` relies on it. */
const FORMS = formsOf(`
  president: presidential ; child: children ; man: men ; woman: women ; foot: feet ; tooth: teeth ; mouse: mice
  ; knife: knives ; wife: wives ; wolf: wolves ; thief: thieves ; shelf: shelves ; half: halves
  ; crisis: crises ; analysis: analyses ; die: dies died dying ; lie: lies lied lying ; tie: ties tied tying ; write: written wrote ; win: won
  ; fall: fell fallen ; shoot: shot shots ; strike: struck ; fight: fought ; buy: bought ; sell: sold ; tell: told
  ; hold: held ; meet: met ; send: sent ; build: built ; lose: lost ; pay: paid ; say: said ; take: took taken
  ; give: gave given ; speak: spoke spoken ; break: broke broken ; steal: stole stolen ; choose: chose chosen
  ; drive: drove driven ; fly: flew flown flies ; grow: grew grown ; know: knew known ; throw: threw thrown
  ; begin: began begun ; run: ran ; keep: kept ; teach: taught ; catch: caught ; bring: brought ; seek: sought
  ; spend: spent ; flee: fled ; stand: stood ; make: made ; become: became ; come: came ; gray: grey
  ; program: programme programmes ; tire: tyre tyres ; skeptic: sceptic sceptics sceptical
  ; catalog: catalogue catalogues ; dialog: dialogue dialogues
`)

/** Words whose s is not that of a plural. */
const LATIN_US = /^(?:(?:corona)?vir|bon|camp|stat|cens|foc|circ|surpl|consens|minib)us(?=(?:es)?$)/

const OUR =
  /^(col|fav|hon|lab|neighb|behavi|flav|harb|hum|rum|vap|od|sav|splend|vig|arm|endeav|tum|glam)our/
const RE = /^((?:epi)?cent|theat|(?:kilo|centi|milli)?met|lit|fib|calib|spect)(?=re[sd]?$)/
const ISE = /(?<=.{4})is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)/
const ENCE = /^(def|off|lic|pret)ence/
const MENDED = /is|lys|[st]ion/

export function stemEnglish(word: string): string {
  const own = APART.get(word) ?? (word.includes('us') ? LATIN_US.exec(word)?.[0] : undefined)
  if (own !== undefined) return own
  let base = FORMS.get(word) ?? word
  if (base.includes('our')) base = base.replace(OUR, '$1or')
  else if (base.includes('tre') || base.includes('bre')) base = base.replace(RE, '$1e')
  else if (base.includes('ence')) base = base.replace(ENCE, '$1ense')
  if (!MENDED.test(base)) return english(base)
  const stem = english(base.replace(ISE, 'iz'))
  const rest = base.slice(stem.length)
  // Snowball also cuts the t or s of election and discussion, which is restored; production keeps the stem of produce.
  if (/[cps]$/.test(stem) && /^[st]ion/.test(rest)) {
    return /(?:pro|re|intro)duc$/.test(stem) ? stem : stem + rest[0]!
  }
  // A stem ends like this only where -ise, -ising or -isation was cut.
  return stem.replace(/(?<=.{4})is$/, 'iz').replace(/lys$/, 'lyz')
}
