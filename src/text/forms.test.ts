import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMatcher } from './matcher.ts'

interface LanguageForms {
  readonly code: string
  readonly name: string
  /** Groups, in which every word must find every other. */
  readonly together: readonly (readonly string[])[]
  /** Pairs that must not find each other. */
  readonly apart: readonly (readonly string[])[]
}

/** A language's line, then groups of spellings and forms (`=`) and pairs of near words (`!`), parted by `;`. */
const TABLE = `
ru Russian
  = новость | новости | новостей | НОВОСТЬЮ ; ёлка | елка | ёлки | елкой
  = Россия | России | Россию | Россией ; президент | президента | президентом | президенты
  = выборы | выборов | выборах ; война́ | война | войны ; Биткоин | Биткoин | биткоина ; йод | йода
  ! майка | маска ; войска | воск ; мир | мера ; банк | банан ; край | крик
uk Ukrainian
  = м'ята | мʼята | м’ята | мята | м\`ята ; п'ять | п’ять | пʼять ; Україна | України | Україну | Україною
  = місто | міста | містом ; ґанок | ганок ; ґрунт | грунт | ґрунту | грунтом ; об'єкт | об’єкти | обʼєкта
  ! їжак | іжак ; кіт | кит ; місто | масло ; лис | ліс
be Belarusian
  = Беларусь | Беларусі ; горад | горада | горадам ; гарады | гарадах | гарадамі ; сям'я | сям’я | сям’і
  = навіны | навінамі | навінах
  ! воўк | вока ; мова | мора ; ліст | лес
bg Bulgarian
  = град | града | градът | градове | градовете ; жена | жената | жени | жените
  = новина | новини | новините | новината
  ! град | грах ; вода | водач ; маса | масло
sr Serbian, both alphabets
  = Београд | Београда | Beograd | Beogradu ; вест | вести | vesti ; љубав | ljubav
  ! град | грана ; вест | ветар
mk Macedonian
  = град | градот | градови | градовите ; жена | жената | жени | жените
  ! град | грав ; вода | водач
kk Kazakh
  = қала | қалалар | қаланың | қалаға | қаладан | қалада ; кітап | кітаптар | кітабы | кітаптың
  = Қазақстан | Қазақстанның | Қазақстанда | Қазақстанға
  ! қала | қалам ; ұл | ул ; бала | балық ; қар | кар
ky Kyrgyz
  = шаар | шаарлар | шаардын | шаарда | шаарга ; китеп | китептер | китептин | китеби
  ! көл | кол ; жер | жел
tt Tatar
  = шәһәр | шәһәрләр | шәһәрнең | шәһәрдә ; китап | китаплар | китапны
  ! су | сү ; шәһәр | шәһит
tg Tajik
  = китоб | китобҳо | китобҳои | китобро ; шаҳр | шаҳрҳо | шаҳри
  ! шаҳр | шахс ; китоб | китф
uz Uzbek, both alphabets
  = o'zbek | oʻzbek | o‘zbek | oʼzbek | ozbek ; G'arb | Gʻarb | g‘arb
  = kitob | kitoblar | kitobning | kitobdan | kitobda | kitobni ; шаҳар | шаҳарлар | шаҳарнинг | шаҳардан
  = ma'lumot | maʼlumot | ma’lumotlar
  ! kitob | kitobxona ; bola | bozor ; шаҳар | шакар
az Azerbaijani
  = Azərbaycan | Azerbaycan | AZƏRBAYCAN | Azərbaycanda | Azərbaycanın ; kitab | kitablar | kitabın
  = Bakı | BAKI | Bakıda
  ! kitab | kitabxana ; qız | qaz
tr Turkish
  = Türkiye | TÜRKİYE | Türkiye'de | Türkiye’nin | turkiye ; İstanbul | istanbul | ISTANBUL | İSTANBUL
  = ışık | IŞIK | isik ; kitap | kitaplar | kitabın ; seçim | seçimler | seçimlerde
  = Erdoğan | Erdoğan'ın | Erdogan ; ülke | ülkeler
  ! at | et ; kitap | kitle ; ev | av ; kapı | kapak
en English
  = run | runs | running ; city | cities | CITY’S ; don't | don’t | dont ; Trump | Trump's | Trump’s
  = election | elections ; café | cafe | cafés ; naïve | naive ; organization | organizations
  = 𝐁𝐢𝐭𝐜𝐨𝐢𝐧 | Bitcoin | ＢＩＴＣＯＩＮ | ʙɪᴛᴄᴏɪɴ | 🅱🅸🆃🅲🅾🅸🅽 | ⓑⓘⓣⓒⓞⓘⓝ
  = co\u00adoperate | cooperate | coop\u200berate
  = 1,000,000 | 1000000 | 1\u00a0000\u00a0000 | 1\u202f000\u202f000 ; COVID-19 | covid-19 | COVID‑19
  ! news | new ; United | unit ; university | universal ; organization | organ ; police | policy
  ! general | generation ; car | care ; ship | shop
de German
  = Müller | Mueller | Muller | MÜLLER ; Straße | Strasse | STRASSE | Straßen
  = Haus | Häuser | Hauses | Haeuser | Häusern ; Wahl | Wahlen ; über | ueber | ÜBER
  = schön | schoen | schöne | schoener ; Mu\u0308ller | Müller
  ! Haus | Hase ; Quelle | Qual ; Hund | Hand ; Bund | Band
fr French
  = l'homme | l’homme | homme | hommes ; d'État | État | etat | États ; qu'il | il
  = élection | élections | election ; cœur | coeur ; aujourd'hui | aujourd’hui
  = français | française | francais
  ! homme | femme ; poisson | poison ; chat | château
it Italian
  = l'uomo | uomo ; dell'arte | arte | all’arte ; città | citta | CITTÀ ; notizia | notizie
  = governo | governi
  ! pena | penna ; casa | cassa ; nono | nonno
es Spanish
  = noticia | noticias ; España | Espana | ESPAÑA ; elección | elecciones | eleccion ; niño | niños | nino
  = trabajar | trabajando | trabajo
  ! caro | carro ; pero | perro ; casa | caza
pt Portuguese
  = notícia | notícias | noticia ; eleição | eleições | eleicao | eleicoes ; jornal | jornais ; São | Sao
  = governo | governos
  ! caro | carro ; avô | ave ; casa | calça
nl Dutch
  = huis | huizen ; brief | brieven ; foto | foto's | foto’s ; verkiezing | verkiezingen
  ! man | mand ; huis | hulst
pl Polish
  = miasto | miasta | miastem | miast ; wybory | wyborów | wyborach ; łódź | lodz | ŁÓDŹ
  ! dom | dym ; rok | ryk ; kot | koń
cs Czech
  = město | města | městem | mesto ; volby | volbách | volbami
  ! hrad | hrach ; ruka | rok
ro Romanian
  = știre | știri | stire | ştire ; oraș | orașul | orașe
  ! casă | cadă ; pod | pad
sv Swedish
  = nyhet | nyheter | nyheterna ; Göteborg | Goteborg ; tidning | tidningen | tidningar
  ! hus | hund ; bil | bild
no Norwegian
  = nyhet | nyheter | nyhetene ; Tromsø | Tromso
  ! hus | hund ; bil | bilde
da Danish
  = nyhed | nyheder | nyhederne ; København | Kobenhavn
  ! hus | hund ; by | bi
fi Finnish
  = talo | talot | talossa | talon ; auto | autot | autossa
  ! tuli | tuuli ; mato | maito
hu Hungarian
  = ház | házak | házban ; hír | hírek
  ! kor | kér ; ház | háló
id Indonesian
  = buku | bukunya ; baca | membaca | bacaan | dibaca ; makan | makanan | dimakan
  ! kota | kata ; malam | makan
el Greek
  = άνθρωπος | ανθρωποσ | ανθρώπων | ΑΝΘΡΩΠΟΣ ; σπίτι | σπίτια | σπιτι
  ! νόμος | νόμισμα ; πόλη | πόνος
hy Armenian
  = քաղաք | քաղաքը | քաղաքներ | քաղաքի
  ! քաղաք | քամի
ka Georgian
  = ქალაქი | ქალაქის | ქალაქში | ქალაქები ; საქართველო | საქართველოს | საქართველოში
  ! ქალი | ქარი ; ქალაქი | ქალწული
ar Arabic
  = كتاب | الكتاب | والكتاب | كِتَاب | كتــاب | بالكتاب ; مدرسة | المدرسة | مدرسه
  = أخبار | اخبار | الأخبار | الاخبار ; إسرائيل | اسرائيل ; على | علی | علي ; ١٢٣ | 123 | ۱۲۳ ; ﻛﺘﺎﺏ | كتاب
  ! كتاب | كلب ; قلب | كلب ; سلام | سلاح
fa Persian
  = می‌خواهم | میخواهم | مي‌خواهم ; کتاب | کتاب‌ها | کتابها | كتاب | کتاب‌های | کتابهای
  = ایران | ايران | ایرانی ; دانش‌آموز | دانش‌آموزان ; بزرگ | بزرگتر | بزرگ‌ترین | بزرگ‌تر
  = خبر | خبرها | خبرهای ; ۱۴۰۳ | 1403 | ١٤٠٣ ; آزادی | ازادی ; هسته‌ای | هسته
  = رسانه | رسانه‌ها | رسانه‌ای | رسانه‌های
  ! بازی | باز ; هسته‌ای | هست ; انتخابات | انتخاب ; شیر | شهر ; کار | کاخ ; دست | دوست
ckb Central Kurdish
  = کوردستان | كوردستان ; شار | شارەکان | شارەکە ; هەواڵ | هەواڵەکان
  ! شار | شێر ; کار | کەر
ur Urdu
  = کتاب | کتابیں | کتابوں | كتاب ; خبر | خبریں | خبروں
  ! دل | دن ; کتاب | کباب
he Hebrew
  = שלום | שָׁלוֹם ; בית | הבית | בבית | לבית | ובית ; צה"ל | צה״ל | צהל ; ממשלה | הממשלה | בממשלה
  = ספר | ספרים
  ! שלום | שלוש ; בית | בירה ; ספר | סיפור
hi Hindi
  = किताब | किताबें | किताबों ; क़लम | कलम ; चाँद | चांद ; १२३ | 123 ; लड़का | लड़के | लड़कों
  ! दिन | दीन ; कल | कला ; बात | बाद
am Amharic
  = ኢትዮጵያ | የኢትዮጵያ | በኢትዮጵያ | ለኢትዮጵያ ; ሀይማኖት | ሐይማኖት | ኀይማኖት ; ፀሐይ | ጸሀይ | ፀሀይ ; ዓለም | አለም
  ! ሰላም | ሰላሳ ; ቤት | ቤቱታ
zh Chinese, traditional and simplified
  = 比特币 | 比特幣 ; 臺灣 | 台湾 | 台灣 ; 發展 | 发展 ; 猫 ; 中国人民 | 中國人民
  ! 中国 | 国中 ; 大学 | 学大
ja Japanese
  = テスト | ﾃｽﾄ ; ガス | ｶﾞｽ ; 東京
  ! 東京 | 京東 ; テスト | テニス
ko Korean
  = 한국 | 한국 ; 대통령
  ! 한국 | 한글 ; 사람 | 사랑
vi Vietnamese, which has no stemmer
  = Việt | Viet | VIỆT
  ! tin | tins
th Thai
  = โรงพยาบาล ; ๑๒๓ | 123
  ! ข่าว | ข้าว ; ไกล | ใกล้
ta Tamil
  = நகரம் | நகரங்கள்
  ! மலை | மழை
`

const FORMS: readonly LanguageForms[] = TABLE.trim()
  .split(/\n(?! )/)
  .map((block) => {
    const [head = '', ...lines] = block.split('\n')
    const [code = '', ...name] = head.split(' ')
    const groups = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign))
        .flatMap((line) => line.slice(sign.length).split(' ; '))
        .map((group) => group.split(' | '))
    return { code, name: name.join(' '), together: groups('  = '), apart: groups('  ! ') }
  })

/** True when a post of that language with only this text answers the query, which names no language. */
function finds(query: string, post: string, language: string | null): boolean {
  const node = { kind: 'word', text: query, start: 0, end: query.length } as const
  return createMatcher(node, 'stem').find(post, language).length > 0
}

function missing({ code, together }: LanguageForms): string[] {
  const lost: string[] = []
  for (const words of together) {
    for (const query of words) {
      for (const post of words) if (!finds(query, post, code)) lost.push(`${query} → ${post}`)
    }
  }
  return lost
}

function wrong({ code, apart }: LanguageForms): string[] {
  const met: string[] = []
  for (const [a = '', b = ''] of apart) {
    if (finds(a, b, code)) met.push(`${a} → ${b}`)
    if (finds(b, a, code)) met.push(`${b} → ${a}`)
  }
  return met
}

describe('word forms and spellings', () => {
  test('at least 25 languages are covered', () => {
    assert.ok(new Set(FORMS.map((forms) => forms.code)).size >= 25)
  })

  for (const forms of FORMS) {
    test(`${forms.name}: forms of a word find each other`, () => {
      assert.deepEqual(missing(forms), [])
    })
    test(`${forms.name}: near words stay apart`, () => {
      assert.ok(forms.apart.length > 0)
      assert.deepEqual(wrong(forms), [])
    })
  }

  test('a word is found in a post of any language, whatever its own', () => {
    const words = ['Paris', 'running', 'Müller', 'новости', 'война', 'کتاب', 'शहर', 'ኢትዮጵያ', '2024']
    const lost: string[] = []
    for (const word of words) {
      for (const { code } of [...FORMS, { code: null }, { code: 'vi' }, { code: 'xx' }]) {
        if (!finds(word, word, code)) lost.push(`${word} in ${code}`)
      }
    }
    assert.deepEqual(lost, [])
  })

  test('a query in one language does not meet another language’s words through a foreign stemmer', () => {
    // Norwegian stems "theme" to "the", Turkish "debe" to "de", Italian "format" to "form".
    assert.equal(finds('theme', 'the', 'en'), false)
    assert.equal(finds('debe', 'de', 'es'), false)
    assert.equal(finds('format', 'form', 'en'), false)
    assert.equal(finds('poet', 'pot', 'en'), false)
  })
})
