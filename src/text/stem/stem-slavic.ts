import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { formsOf } from './irregular.ts'
import { createLightStemmer, ENDINGS } from './light-stem.ts'

/** The Slavic languages: fleeting vowels, consonants that soften, and verbs in -овать. */

/** имя and время need stems of their own, because имен and времен are the stems of именно and временно. */
const RUSSIAN = formsOf(`
  отц: отец ; дн: день дня дню днём днем дне дни дней дням днями днях
  ; имя: имя имени именем имена имён имен именам именами именах
  ; время: время времени временем времена времён времен временам временами временах
`)
/** Words whose о or е stays in every form. */
const STEADY =
  /(?:(?:[гсуо]|ст)рок|восток|^поток|исток|приток|отток|блок|знец|твец|дрец|длец|жрец|чтец)$/

/** Nouns whose last letters Snowball takes for a verb's or for a case: канал, система, визит. */
const NOUNS = new Set(
  `канал телеканал журнал терминал сигнал финал полуфинал материал потенциал капитал арсенал персонал генерал адмирал
  сериал портал квартал скандал филиал интервал минерал идеал мемориал вокзал провал обвал подвал перевал причал карнавал
  ритуал маршал трибунал оригинал криминал радикал либерал профессионал иран казахстан узбекистан таджикистан афганистан
  пакистан кыргызстан киргизстан туркменистан татарстан дагестан башкортостан курдистан азербайджан ереван ливан судан
  тегеран магадан ватикан ресторан экран роман ветеран океан ураган орган уран туман диван фонтан обман капитан карман
  барабан баран банан стакан таран вулкан хулиган партизан майдан курган султан каштан систем экосистем подсистем проблем
  теорем прием объем подъем кредит визит лимит аудит дефицит транзит элит бандит магнит гранит митрополит альбом диплом
  перелом симптом синдром аэродром`.split(/\s+/),
)
const NOUN = /^(..+?(?:ал|ан|[её]м|ит|ом))(?:ами|ах|ам|ов|ом|ой|[ауеы])?$/

export function stemRussian(word: string): string {
  const known = RUSSIAN.get(word)
  if (known !== undefined) return known
  const noun = NOUN.exec(word)?.[1]!.replace('ё', 'е')
  if (noun !== undefined && NOUNS.has(noun)) return noun
  const stem = russian(bareRussian(word))
  // планировать is stemmed like планирует; the stem of a noun never ends like this.
  return stem.endsWith('ова') && stem.length > 6 ? stem.slice(0, -3) : stem
}

/** Without the fleeting vowel: рынок is stemmed like рынка, боец like бойца. */
function bareRussian(word: string): string {
  const isOk = word.endsWith('ок')
  if ((!isOk && !word.endsWith('ец')) || STEADY.test(word)) return word
  if (isOk) return word.replace(/(?<=..[бвгджзклмнпрстфхцчшщ])ок$/, 'к')
  return word
    .replace(/(?<=.)лец$/, 'льц')
    .replace(/(?<=.[аеёоуиэюя])ец$/, 'йц')
    .replace(/(?<=..[бвгдзмнпрст])ец$/, 'ц')
}

const UKRAINIAN = formsOf(`
  києв: київ ; львов: львів львова львову львовом львові ; рок: рік року роки років роком рокам роках році
  ; ноч: ніч ночі ніччю ночей ; дн: день дня дню днем дні днів дням днями днях ; бок: бік боку боки боком
  ; росі: росія росії росію росією ; книг: книзі ; допомог: допомозі ; дорог: дорозі ; люд: люди людей людям людьми людях
`)

export function stemUkrainian(word: string): string {
  const known = UKRAINIAN.get(word)
  if (known !== undefined) return known
  const verb = /^(...+)[юу](?:є|ють|ємо|єте|єш|ва(?:ти|в|ла|ло|ли))(?:ся)?$/.exec(word)
  if (verb) return verb[1]!
  // повідомила is stemmed like повідомив.
  const past = word.replace(/(?<=...(?:и|ну))(?:ла|ло|ли)(с[яь])?$/, 'в$1')
  if (past.endsWith('нув')) return past.slice(0, -1)
  const noun = past
    .replace(/(?<=иц)ею$/, 'я')
    .replace(/(?<=..ч)ці$/, 'ка')
    // The stemmer takes the си of одеси and курси for a reflexive ending.
    .replace(/(?<=..)си$/, 'са')
    // кількість is stemmed like кількості; повість keeps its і, as in повісті.
    .replace(/(?<=...)(?<!^(?:по|со|з|до)в)іст(?=[ью]$)/, 'ост')
  return ukrainian(noun)
}

/** Also removes the plural ending -ov of short nouns. */
export function stemSerbian(word: string): string {
  return serbian(word).replace(/(?<=.{4})ov$/, '')
}

const bulgarian = createLightStemmer(ENDINGS['bg']!)
const BULGARIAN = formsOf(`
  дет: дете детето деца децата ; ден: ден деня денят дни дните ; рък: ръка ръката ръце ръцете
  ; хора: хора хората
`)

export function stemBulgarian(word: string): string {
  const known = BULGARIAN.get(word)
  if (known !== undefined) return known
  // министър is stemmed like министри, областта like област.
  return bulgarian(word.replace(/(?<=ст|ов)та$/, '')).replace(/(?<=..)ър$/, 'р')
}

const polish = createLightStemmer(ENDINGS['pl']!)
const POLISH = formsOf(`
  dzien: dzień dnia dniu dniem dni dniom dniach ; miast: mieście ; drog: drodze ; nog: nodze ; wojn: wojen
  ; ministr: minister ; ręk: ręce rąk rękami ; pieniądz: pieniądze pieniędzy pieniędzmi pieniądza
`)

export function stemPolish(word: string): string {
  const known = POLISH.get(word)
  if (known !== undefined) return known
  const bare = word
    .replace(/(?<=..)ości(?:ą|ami|ach|om)?$/, 'ość')
    .replace(/(?<=..)uj(?:e|ą|emy|esz|ecie|ąc|ący|ących)$/, 'ować')
    .replace(/(?<=...)ecie$/, 'eta')
    .replace(/(?<=..n)ci$/, 't')
    .replace(/(?<=.[bcdfghjklłmnprsśtwzźż])ek$/, 'k')
  // Polsce is stemmed like Polska, matce like matka; but miejsce is no form of miejski.
  return polish(bare).replace(/(?<=..[sśżźt](?<!js))c$/, 'k')
}

const czech = createLightStemmer(ENDINGS['cs']!)
const CZECH = formsOf(`
  den: den dne dnu dnem dny dní dnům dnech ; dom: dům ; dít: dítě dítěte děti dětí dětem dětmi dětech
  ; prah: praze ; knih: knize ; ruk: ruce ; řek: řece ; válk: válce ; peněz: peníze
`)

export function stemCzech(word: string): string {
  const known = CZECH.get(word)
  if (known !== undefined) return known
  const bare = word
    .replace(/(?<=..)uj(?:e|í|eme|eš|ete|ící|u)$/, 'ovat')
    .replace(/(?<=^(?:amer|afr|republ|polit|fabr|techn|klin|krit))ice$/, 'ika')
    .replace(/(?<=.[bcdfghjklmnprřsštvzž])ek$/, 'k')
    .replace(/(?<=.[lžtvrz])eb$/, 'b')
  return czech(bare)
}
