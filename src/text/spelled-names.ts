import type { QueryTerm } from './analyze-query.ts'
import { foldWord, lowerWord } from './fold.ts'
import { stemTermsOfQuery } from './stem/stem.ts'

/**
 * Names of places and groups that are written in several ways in one alphabet, because neighbouring languages spell them in
 * their own way: Харків and Харьков, Kyiv and Kiev, Hezbollah and Hisbollah. Any rule that leads from one to the other would
 * be wrong elsewhere. Names that also mean something else, such as Рівне ("even"), are left out.
 */
const CYRILLIC = `
  Київ Києва Киев Киева, Харків Харкова Харьков Харькова, Одеса Одесса, Львів Львова Львов, Дніпро Дніпра Днепр Днепра,
  Запоріжжя Запорожье, Миколаїв Миколаєва Николаев Николаева, Чернігів Чернігова Чернигов Чернигова, Вінниця Винница,
  Луцьк Луцк, Тернопіль Тернополя Тернополь, Чернівці Черновцы, Хмельницький Хмельницкий, Черкаси Черкассы,
  Кропивницький Кропивницкий, Луганськ Луганск, Донецьк Донецк, Маріуполь Мариуполь, Авдіївка Авдеевка,
  Покровськ Покровск, Краматорськ Краматорск, Словʼянськ Славянск, Купʼянськ Купянск, Ізюм Изюм, Торецьк Торецк,
  Мелітополь Мелитополь, Бердянськ Бердянск, Енергодар Энергодар, Кременчук Кременчуг, Ірпінь Ірпеня Ирпень,
  Сімферополь Симферополь, Крим Крым, Вовчанськ Волчанск, Костянтинівка Константиновка, Вугледар Угледар,
  Сєвєродонецьк Сіверськодонецьк Северодонецк, Лисичанськ Лисичанск, Дніпропетровськ Днепропетровск,
  Чорнобиль Чернобыль, Бориспіль Борисполя Борисполь, Бєлгород Белгород, Курськ Курск, Брянськ Брянск, Мінськ Мінск Минск`
const LATIN = `
  Kyiv Kiev Kiew, Kharkiv Kharkov Charkiw Charkow, Odesa Odessa, Lviv Lvov, Mykolaiv Nikolaev Nikolayev,
  Chernihiv Chernigov, Luhansk Lugansk, Avdiivka Avdeevka, Chernobyl Chornobyl Tschernobyl,
  Zaporizhzhia Zaporizhzhya Zaporizhia Zaporozhye Zaporozhzhia Saporischschja,
  Hezbollah Hizbollah Hizbullah Hizballah Hisbollah Hezbolá, Houthi Huthi, Houthis Huthis, Tehran Teheran,
  Gaddafi Qaddafi Gadhafi`

interface Name {
  /** Folded. */
  readonly toks: readonly string[]
  readonly stems: ReadonlySet<string>
}

const UKRAINIAN_OR_RUSSIAN: ReadonlySet<string> = new Set(['uk', 'ru'])
/** A shorter stem is shared with other words: that of Киев is ки/ru. */
const MIN_STEM = 'києв/uk'.length
const BEGINNING = 2

/** By their first letters, so that one look-up rules out nearly every other word. */
let known: Map<string, readonly Name[]> | undefined

/** The other spellings of a name; undefined for other words. */
export function otherNameSpellings(typed: QueryTerm): QueryTerm | undefined {
  const tok = typed.toks[0]!
  known ??= readNames()
  const names = known.get(tok.slice(0, BEGINNING))
  if (!names) return undefined
  const stems = stemsOf(tok)
  const name = names.find((each) => each.toks.includes(tok) || stems.some((s) => each.stems.has(s)))
  if (!name) return undefined
  const others = [...name.stems].filter((stem) => !typed.stems.includes(stem))
  return { ...typed, toks: name.toks.filter((each) => each !== tok), stems: others }
}

/** Latin names take no endings and have no stems here; Cyrillic ones are inflected. */
function stemsOf(tok: string): readonly string[] {
  if (tok[0]! < 'а') return []
  return stemTermsOfQuery(tok, tok, UKRAINIAN_OR_RUSSIAN).filter(
    (stem) => stem.length >= MIN_STEM && stem.includes('/'),
  )
}

function readNames(): Map<string, readonly Name[]> {
  const found = new Map<string, Name[]>()
  for (const row of `${CYRILLIC},${LATIN}`.split(',')) {
    const toks = row
      .trim()
      .split(/\s+/)
      .map((form) => foldWord(lowerWord(form)))
    const name = { toks, stems: new Set(toks.flatMap(stemsOf)) }
    for (const beginning of new Set(toks.map((tok) => tok.slice(0, BEGINNING)))) {
      found.set(beginning, [...(found.get(beginning) ?? []), name])
    }
  }
  return found
}
