/**
 * Languages by primary subtag, with their English and native names. Written down because ICU's names change with its
 * version. Holds every code the detector can return and every two-letter code, so that a filter can tell a language
 * without posts from a misspelt code.
 */
interface LanguageName {
  readonly name: string
  readonly nativeName: string
}

const TABLE = `
aa Afar|Qafar
ab Abkhazian|аԥсуа
ae Avestan|Avesta
af Afrikaans|Afrikaans
ak Akan|Akan
am Amharic|አማርኛ
an Aragonese|aragonés
ar Arabic|العربية
as Assamese|অসমীয়া
ast Asturian|asturianu
av Avaric|авар
ay Aymara|aymar
az Azerbaijani|azərbaycan
ba Bashkir|башҡорт
be Belarusian|беларуская
bg Bulgarian|български
bh Bihari|भोजपुरी
bi Bislama|Bislama
bm Bambara|bamanakan
bn Bengali|বাংলা
bo Tibetan|བོད་སྐད
br Breton|brezhoneg
bs Bosnian|bosanski
ca Catalan|català
ce Chechen|нохчийн
ceb Cebuano|Cebuano
ch Chamorro|Chamoru
ckb Central Kurdish|کوردیی ناوەندی
co Corsican|corsu
cr Cree|ᓀᐦᐃᔭᐍᐏᐣ
cs Czech|čeština
cu Church Slavonic|словѣньскъ
cv Chuvash|чӑваш
cy Welsh|Cymraeg
da Danish|dansk
de German|Deutsch
dv Divehi|ދިވެހި
dz Dzongkha|རྫོང་ཁ
ee Ewe|eʋegbe
el Greek|Ελληνικά
en English|English
eo Esperanto|Esperanto
es Spanish|español
et Estonian|eesti
eu Basque|euskara
fa Persian|فارسی
ff Fula|Pulaar
fi Finnish|suomi
fj Fijian|vosa Vakaviti
fo Faroese|føroyskt
fr French|français
fy Western Frisian|Frysk
ga Irish|Gaeilge
gd Scottish Gaelic|Gàidhlig
gl Galician|galego
gn Guarani|avañeʼẽ
gu Gujarati|ગુજરાતી
gv Manx|Gaelg
ha Hausa|Hausa
he Hebrew|עברית
hi Hindi|हिन्दी
ho Hiri Motu|Hiri Motu
hr Croatian|hrvatski
ht Haitian Creole|kreyòl ayisyen
hu Hungarian|magyar
hy Armenian|հայերեն
hz Herero|Otjiherero
ia Interlingua|interlingua
id Indonesian|Bahasa Indonesia
ie Interlingue|Interlingue
ig Igbo|Igbo
ii Sichuan Yi|ꆈꌠꉙ
ik Inupiaq|Iñupiaq
io Ido|Ido
is Icelandic|íslenska
it Italian|italiano
iu Inuktitut|ᐃᓄᒃᑎᑐᑦ
ja Japanese|日本語
jv Javanese|Jawa
ka Georgian|ქართული
kg Kongo|Kikongo
ki Kikuyu|Gikuyu
kj Kuanyama|Kuanyama
kk Kazakh|қазақ тілі
kl Greenlandic|kalaallisut
km Khmer|ខ្មែរ
kn Kannada|ಕನ್ನಡ
ko Korean|한국어
kr Kanuri|Kanuri
ks Kashmiri|کٲشُر
ku Kurdish|kurdî
kv Komi|коми
kw Cornish|kernewek
ky Kyrgyz|кыргызча
la Latin|Latina
lb Luxembourgish|Lëtzebuergesch
lg Ganda|Luganda
li Limburgish|Limburgs
ln Lingala|lingála
lo Lao|ລາວ
lt Lithuanian|lietuvių
lu Luba-Katanga|Tshiluba
lv Latvian|latviešu
mg Malagasy|Malagasy
mh Marshallese|Kajin M̧ajeļ
mi Māori|Māori
mk Macedonian|македонски
ml Malayalam|മലയാളം
mn Mongolian|монгол
mr Marathi|मराठी
ms Malay|Bahasa Melayu
mt Maltese|Malti
my Burmese|မြန်မာ
na Nauru|Dorerin Naoero
nd North Ndebele|isiNdebele
ne Nepali|नेपाली
ng Ndonga|Ndonga
nl Dutch|Nederlands
nn Norwegian Nynorsk|norsk nynorsk
no Norwegian|norsk
nr South Ndebele|isiNdebele
nv Navajo|Diné bizaad
ny Nyanja|Chinyanja
oc Occitan|occitan
oj Ojibwa|Anishinaabemowin
om Oromo|Afaan Oromoo
or Odia|ଓଡ଼ିଆ
os Ossetic|ирон
pa Punjabi|ਪੰਜਾਬੀ
pi Pali|पालि
pl Polish|polski
ps Pashto|پښتو
pt Portuguese|português
qu Quechua|Runasimi
rm Romansh|rumantsch
rn Rundi|Ikirundi
ro Romanian|română
ru Russian|русский
rw Kinyarwanda|Ikinyarwanda
sa Sanskrit|संस्कृतम्
sah Yakut|саха тыла
sc Sardinian|sardu
sd Sindhi|سنڌي
se Northern Sami|davvisámegiella
sg Sango|Sängö
si Sinhala|සිංහල
sk Slovak|slovenčina
sl Slovenian|slovenščina
sm Samoan|gagana Samoa
sn Shona|chiShona
so Somali|Soomaali
sq Albanian|shqip
sr Serbian|српски
ss Swati|siSwati
st Southern Sotho|Sesotho
su Sundanese|Basa Sunda
sv Swedish|svenska
sw Swahili|Kiswahili
ta Tamil|தமிழ்
te Telugu|తెలుగు
tg Tajik|тоҷикӣ
th Thai|ไทย
ti Tigrinya|ትግርኛ
tk Turkmen|türkmen dili
tl Filipino|Filipino
tn Tswana|Setswana
to Tongan|lea fakatonga
tr Turkish|Türkçe
ts Tsonga|Xitsonga
tt Tatar|татар
tw Twi|Twi
ty Tahitian|reo Tahiti
tyv Tuvan|тыва дыл
ug Uyghur|ئۇيغۇرچە
uk Ukrainian|українська
ur Urdu|اردو
uz Uzbek|oʻzbek
ve Venda|Tshivenḓa
vi Vietnamese|Tiếng Việt
vo Volapük|Volapük
wa Walloon|walon
wo Wolof|Wolof
xh Xhosa|isiXhosa
yi Yiddish|ייִדיש
yo Yoruba|Èdè Yorùbá
za Zhuang|Vahcuengh
zh Chinese|中文
zu Zulu|isiZulu
`

export const LANGUAGES: ReadonlyMap<string, LanguageName> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const space = line.indexOf(' ')
      const bar = line.indexOf('|')
      return [
        line.slice(0, space),
        { name: line.slice(space + 1, bar), nativeName: line.slice(bar + 1) },
      ] as const
    }),
)

/** Codes that mean another code's language: withdrawn codes, and members of a macrolanguage that we do not tell apart. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  ['nb', 'no'],
  ['fil', 'tl'],
  ['sh', 'hr'],
  ['cmn', 'zh'],
  ['pes', 'fa'],
  ['arb', 'ar'],
])

/** Reads `ru`, `RU`, `pt-BR`, `zh_Hant` or a withdrawn code as a primary subtag; undefined for anything else, such as `eng`. */
export function parseLanguageCode(input: string): string | undefined {
  const primary = /^([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{1,8})*$/.exec(input)?.[1]?.toLowerCase()
  if (primary === undefined) return undefined
  const code = ALIASES.get(primary) ?? primary
  return LANGUAGES.has(code) || isNamed(code) ? code : undefined
}

/**
 * There are thousands of three-letter codes; the table holds only those that the detector returns. For the others ICU tells
 * whether the code is a language, but its name for it is not used.
 */
function isNamed(code: string): boolean {
  if (Intl.getCanonicalLocales(code)[0] !== code) return false
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  return names.of(code) !== undefined
}

/** The code of a language that is given by its code or by its English or native name, in any case. */
export function parseLanguage(input: string): string | undefined {
  return parseLanguageCode(input) ?? languageCodeByName(input)
}

function languageCodeByName(name: string): string | undefined {
  const wanted = name.normalize('NFC').toLowerCase()
  for (const [code, language] of LANGUAGES) {
    if (language.name.toLowerCase() === wanted || language.nativeName.toLowerCase() === wanted) {
      return code
    }
  }
  return undefined
}
