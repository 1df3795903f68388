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

/** The line of a language, then groups of spellings and forms (`=`) and pairs of near words (`!`), separated by `;`. */
const TABLE = `
ru Russian
  = рынок | рынка | рынков ; боец | бойца | бойцов ; день | дня | днём ; время | времени ; игрок | игроки
  = планировать | планирует | планируют | планировал ; владелец | владельцы ; посёлок | поселка
  = новость | новости | новостей | НОВОСТЬЮ ; ёлка | елка | ёлки | елкой
  = Россия | России | Россию | Россией ; президент | президента | президентом | президенты
  = выборы | выборов | выборах ; война́ | война | войны ; Биткоин | Биткoин | биткоина ; йод | йода
  = имя | имени | имён | именах ; канал | каналы | каналов | каналом ; система | систем | системой | системах
  = проблема | проблем ; журнал | журналы ; Иран | Ирана | Иране | Ираном ; Казахстан | Казахстана | Казахстане
  = орган | органы | органов ; приём | прием | приёма ; визит | визита | визиты ; альбом | альбомы
  ! визит | виза ; роман | Рома ; орган | организация ; канал | канат
  ! имя | именно ; время | временно ; имена | именно ; времени | временный
  ! майка | маска ; войска | воск ; мир | мера ; банк | банан ; край | крик
uk Ukrainian
  = народився | народилася | народилась | народилося ; річка | річці ; точка | точці
  = Росія | Росії | Росію | Росією ; кількість | кількості | кількістю ; Одеса | Одеси | Одесі ; курс | курси | курсів
  = повість | повісті
  ! росія | роса ; гість | гостинець
  = працювати | працює | працював | працюють ; Київ | Києва ; рік | року | років ; загинув | загинула
  = м'ята | мʼята | м’ята | мята | м\`ята ; п'ять | п’ять | пʼять ; Україна | України | Україну | Україною
  = місто | міста | містом ; ґанок | ганок ; ґрунт | грунт | ґрунту | грунтом ; об'єкт | об’єкти | обʼєкта
  ! їжак | іжак ; кіт | кит ; місто | масло ; лис | ліс
be Belarusian
  = Беларусь | Беларусі ; горад | горада | горадам ; гарады | гарадах | гарадамі ; сям'я | сям’я | сям’і
  = навіны | навінамі | навінах
  ! воўк | вока ; мова | мора ; ліст | лес
bg Bulgarian
  = хора | хората
  ! хора | хор
  = президент | президента ; министър | министри ; партия | партии | партията ; дете | деца
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
  = болады | болатын | болған ; бөлінеді | бөлінетін
  = президент | президенті | президенттің ; айтты | айтады | айтқан
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
  = shahar | шаҳар | shaharda | шаҳарда ; yomg'ir | ёмғир ; O‘zbekiston | Ўзбекистон
  ! bosh | boshqa
  = o'zbek | oʻzbek | o‘zbek | oʼzbek | ozbek ; G'arb | Gʻarb | g‘arb
  = kitob | kitoblar | kitobning | kitobdan | kitobda | kitobni ; шаҳар | шаҳарлар | шаҳарнинг | шаҳардан
  = ma'lumot | maʼlumot | ma’lumotlar
  ! kitob | kitobxona ; bola | bozor ; шаҳар | шакар
az Azerbaijani
  = əsgər | əsgərlər | əsgərin ; ölkə | ölkənin
  = Azərbaycan | Azerbaycan | AZƏRBAYCAN | Azərbaycanda | Azərbaycanın ; kitab | kitablar | kitabın
  = Bakı | BAKI | Bakıda
  ! kitab | kitabxana ; qız | qaz
tr Turkish
  = oyun | oyunu | oyunun | oyununda | oyunlar ; durum | durumu | durumlar | durumda ; sorun | sorunlar | sorunları
  = arasında | arasındaki
  ! oyun | oy ; sorun | sor ; durum | dur ; bölüm | böl
  = parti | partisi | partisinin | partiler
  = ev | evler | evde ; gelmek | geldi | geliyor ; ülke | ülkesi ; adres | adresi
  = Türkiye | TÜRKİYE | Türkiye'de | Türkiye’nin | turkiye ; İstanbul | istanbul | ISTANBUL | İSTANBUL
  = ışık | IŞIK | isik ; kitap | kitaplar | kitabın ; seçim | seçimler | seçimlerde
  = Erdoğan | Erdoğan'ın | Erdogan ; ülke | ülkeler
  ! at | et ; kitap | kitle ; ev | av ; kapı | kapak
en English
  = protect | protection | protected ; connect | connection | connections ; discuss | discussion ; elect | election
  = adopt | adoption ; corrupt | corruption ; suggest | suggestion ; produce | production ; reduce | reduction
  = die | dies | died | dying ; lie | lies | lied | lying ; centre | centred | centered | centres
  = commission | commissions | commissioned
  ! success | succession ; recess | recession ; election | electric ; commission | commit
  = colour | color | colours ; organise | organize ; centre | center ; defence | defense ; child | children ; man | men
  = write | wrote | written ; virus | viruses ; crisis | crises ; knife | knives
  ! import | important ; internal | international ; office | officer ; business | busy ; several | severe
  ! author | authority ; apart | apartment ; digit | digital ; engine | engineer ; parade | paradise
  = run | runs | running ; city | cities | CITY’S ; don't | don’t | dont ; Trump | Trump's | Trump’s
  = election | elections ; café | cafe | cafés ; naïve | naive ; organization | organizations
  = 𝐁𝐢𝐭𝐜𝐨𝐢𝐧 | Bitcoin | ＢＩＴＣＯＩＮ | ʙɪᴛᴄᴏɪɴ | 🅱🅸🆃🅲🅾🅸🅽 | ⓑⓘⓣⓒⓞⓘⓝ
  = co\u00adoperate | cooperate | coop\u200berate
  = 1,000,000 | 1000000 | 1\u00a0000\u00a0000 | 1\u202f000\u202f000 ; COVID-19 | covid-19 | COVID‑19
  ! news | new ; United | unit ; university | universal ; organization | organ ; police | policy
  ! general | generation ; car | care ; ship | shop
de German
  = Kanada | Kanadas ; Gandhi | Gandhis
  = Müller | Mueller | Muller | MÜLLER ; Straße | Strasse | STRASSE | Straßen
  = Haus | Häuser | Hauses | Haeuser | Häusern ; Wahl | Wahlen ; über | ueber | ÜBER
  = schön | schoen | schöne | schoener ; Mu\u0308ller | Müller
  ! Haus | Hase ; Quelle | Qual ; Hund | Hand ; Bund | Band
fr French
  = confirmer | confirme | confirment ; expliquer | expliquent ; acheter | achètent ; utiliser | utilisent ; rester | restent
  ! souvent | sous ; président | présider ; récent | recel ; client | clé
  = annoncer | annoncent | annoncé ; actif | active ; loi | lois ; travail | travaux
  = l'homme | l’homme | homme | hommes ; d'État | État | etat | États ; qu'il | il
  = élection | élections | election ; cœur | coeur ; aujourd'hui | aujourd’hui
  = français | française | francais
  ! homme | femme ; poisson | poison ; chat | château
it Italian
  = regolare | regolari ; militare | militari ; genere | generi ; potere | poteri
  ! genere | generale ; dollari | dolore
  = americano | americani | americana ; lago | laghi ; anno | anni
  = l'uomo | uomo ; dell'arte | arte | all’arte ; città | citta | CITTÀ ; notizia | notizie
  = governo | governi
  ! pena | penna ; casa | cassa ; nono | nonno
es Spanish
  = primer | primero | primera ; gran | grande | grandes
  ! primer | primo ; gran | grano
  = año | años ; quiere | quieres | quiero
  ! quieres | quien ; muere | mujer
  = mujer | mujeres ; ciudad | ciudades ; gobierno | gobiernos ; luz | luces ; joven | jóvenes ; alemán | alemanes
  = anunciar | anunció | anuncia ; dólar | dólares
  = noticia | noticias ; España | Espana | ESPAÑA ; elección | elecciones | eleccion ; niño | niños | nino
  = trabajar | trabajando | trabajo
  ! caro | carro ; pero | perro ; casa | caza
pt Portuguese
  = arma | armas ; irmã | irmãs ; desktop | desktops
  = irmão | irmãos
  ! arma | armário ; irmã | irmão
  = homem | homens ; hotel | hotéis ; nível | níveis ; fácil | fáceis ; ação | ações | acção ; barril | barris
  ! mão | mãe ; pacto | pato
  = notícia | notícias | noticia ; eleição | eleições | eleicao | eleicoes ; jornal | jornais ; São | Sao
  = governo | governos
  ! caro | carro ; avô | ave ; casa | calça
nl Dutch
  = boom | bomen ; bom | bommen ; kind | kinderen ; idee | ideeën
  ! bom | boom ; man | maan ; zon | zoon
  = huis | huizen ; brief | brieven ; foto | foto's | foto’s ; verkiezing | verkiezingen
  ! man | mand ; huis | hulst
pl Polish
  = niepodległość | niepodległości | niepodległością ; odległość | odległościach
  ! kość | kot ; gość | gotować
  = rynek | rynku | rynki ; student | studenci ; pracować | pracuje | pracował ; Polska | Polsce ; szkoła | szkołę | szkole
  ! miejsce | miejski ; serce | serek
  = miasto | miasta | miastem | miast ; wybory | wyborów | wyborach ; łódź | lodz | ŁÓDŹ
  ! dom | dym ; rok | ryk ; kot | koń
cs Czech
  = pracovat | pracuje | pracoval ; válka | válek | válce ; dům | domu | domy ; služba | služeb
  = město | města | městem | mesto ; volby | volbách | volbami
  ! hrad | hrach ; ruka | rok
ro Romanian
  = moleculă | molecule | moleculele
  = ministru | ministrul | miniștri ; război | războiul ; școală | școli ; Moldova | Moldovei ; copil | copii
  = știre | știri | stire | ştire ; oraș | orașul | orașe
  ! casă | cadă ; pod | pad
sv Swedish
  = plats | platsen | platser ; gräns | gränsen | gränser ; sektor | sektorn | sektorer ; gata | gator
  ! plats | platt ; gräns | gran ; kurs | kur
  = hus | huset | husen ; flicka | flickan | flickor ; bok | böcker
  ! plan | planet ; rom | roman
  = nyhet | nyheter | nyheterna ; Göteborg | Goteborg ; tidning | tidningen | tidningar
  ! hus | hund ; bil | bild
no Norwegian
  = nyhet | nyheter | nyhetene ; Tromsø | Tromso
  ! hus | hund ; bil | bilde
da Danish
  = nyhed | nyheder | nyhederne ; København | Kobenhavn
  ! hus | hund ; by | bi
fi Finnish
  = perustettu | perustettiin ; julkaistu | julkaistiin ; syntyi | syntynyt ; pelasi | pelannut ; perusti | perustivat
  = päivä | päivät ; laiva | laivat ; hotelli | hotelliin ; Egypti | Egyptiin
  ! minut | minuutti ; syntyi | synti ; perustettu | peruna
  = uutinen | uutisen | uutiset ; hallitus | hallituksen ; kaupunki | kaupungin
  = talo | talot | talossa | talon ; auto | autot | autossa
  ! tuli | tuuli ; mato | maito
hu Hungarian
  = alapít | alapított | alapította | alapították ; híd | hidak | hidat ; víz | vizet | vízben ; város | városok | városban
  ! híd | hír ; víz | vízum
  = iskola | iskolák ; elnök | elnökök ; Budapest | Budapesten
  = ház | házak | házban ; hír | hírek
  ! kor | kér ; ház | háló
id Indonesian
  = tulis | menulis | penulis ; kirim | mengirim ; nilai | menilai
  = buku | bukunya ; baca | membaca | bacaan | dibaca ; makan | makanan | dimakan
  ! kota | kata ; malam | makan
el Greek
  = γενικός | γενικού | γενικό | γενική | γενικών ; γυναίκα | γυναικών
  ! γενικός | γένος
  = βιβλίο | βιβλία | βιβλίου ; αστυνομία | αστυνομίας
  = άνθρωπος | ανθρωποσ | ανθρώπων | ΑΝΘΡΩΠΟΣ ; σπίτι | σπίτια | σπιτι
  ! νόμος | νόμισμα ; πόλη | πόνος
hy Armenian
  = գիրք | գրքի | գրքեր ; կառավարություն | կառավարության ; մարդ | մարդը | մարդիկ
  = քաղաք | քաղաքը | քաղաքներ | քաղաքի
  ! քաղաք | քամի
ka Georgian
  = პოლიცია | პოლიციამ | პოლიციას
  = ქალაქი | ქალაქის | ქალაქში | ქალაქები ; საქართველო | საქართველოს | საქართველოში
  ! ქალი | ქარი ; ქალაქი | ქალწული
ar Arabic
  = وزير | الوزير | وزراء | والوزراء ; انتخابات | الانتخابات ; غزة | بغزة | وغزة ; فلسطيني | الفلسطينيين | فلسطين
  = سيارة | سيارات | السيارات ; مسئول | مسؤول ; روسيا | الروسي ; أخبار | خبر
  = مدينة | مدن | المدن | مدنها ; مدني | المدنيين | مدنية ; سوريا | السوري | سورية | السوريين ; أسير | أسرى | الأسرى
  = تركيا | التركي | التركية ; امرأة | المرأة ; مرة | مرات ; كهرباء | الكهرباء | كهربائية ; أسعار | أسعارها | السعر
  ! مدني | مدينة ; المدنيين | مدينة ; سوريا | سورة ; سوري | سورة ; تركيا | ترك ; تركيا | تركت ; تركي | ترك
  ! انتهاء | أنت ; الانتهاء | أنت ; انتهى | أنت ; مساواة | مساء ; الثلاثاء | ثلاثة ; الأربعاء | أربعة
  ! أسرى | أسرة ; المرأة | مرات
  ! لبنان | لبن ; بيروت | بيرو ; باب | بابا
  = كتاب | الكتاب | والكتاب | كِتَاب | كتــاب | بالكتاب ; مدرسة | المدرسة | مدرسه
  = أخبار | اخبار | الأخبار | الاخبار ; إسرائيل | اسرائيل ; على | علی | علي ; ١٢٣ | 123 | ۱۲۳ ; ﻛﺘﺎﺏ | كتاب
  ! كتاب | كلب ; قلب | كلب ; سلام | سلاح
fa Persian
  = ایرانی | ایرانیان ; دانشجو | دانشجویان ; آمریکا | آمریکایی ; می‌کند | می‌کنند ; افغانستان | افغانستانی
  = دارایی | دارایی‌ها | دارایی‌های
  ! پزشکیان | پزشکی ; دارایی | دارای
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
  = ממשלה | ממשלת | ממשלות ; החלטה | החלטות ; טיל | טילים | טילי
  ! חבר | חברה ; מטר | מטרה
  = שלום | שָׁלוֹם ; בית | הבית | בבית | לבית | ובית ; צה"ל | צה״ל | צהל ; ממשלה | הממשלה | בממשלה
  = ספר | ספרים
  ! שלום | שלוש ; בית | בירה ; ספר | סיפור
hi Hindi
  = कंपनी | कंपनियों | कंपनियां ; सेवा | सेवाएं | सेवाओं ; भाषा | भाषाएँ | भाषाओं
  ! दुनिया | दुनी ; एशिया | ऐश
  = हिन्दी | हिंदी ; सम्बन्ध | संबंध ; लिए | लिये ; रुपया | रुपये | रुपए
  = किताब | किताबें | किताबों ; क़लम | कलम ; चाँद | चांद ; १२३ | 123 ; लड़का | लड़के | लड़कों
  ! दिन | दीन ; कल | कला ; बात | बाद
am Amharic
  = ፕሬዝዳንት | ፕሬዝዳንትና ; ጭንቀት | ጭንቀትና
  ! ዜና | ዜማ ; ቻይና | ቻይ
  = ልጅ | ልጆች | ልጆችን ; ጦርነት | ጦርነቱ | ጦርነቶች ; ሀገር | አገር | ሀገራት ; ቤት | ቤቶች | ቤቱ
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
bn Bengali
  = শহর | শহরে | শহরের | শহরগুলো ; মানুষ | মানুষের | মানুষেরা ; বাড়ি | বাড়ী | বাড়িতে
  ! হাত | হাতি ; পান | পানি ; জল | জাল
te Telugu
  = గ్రామం | గ్రామము | గ్రామంలో | గ్రామంలోని | గ్రామానికి | గ్రామాన్ని | గ్రామాలు | గ్రామాల ; జిల్లా | జిల్లాలో | జిల్లాకు | జిల్లాలోని
  = రాష్ట్రం | రాష్ట్రంలో | రాష్ట్రానికి | రాష్ట్రాలు ; హైదరాబాద్ | హైదరాబాదు | హైదరాబాదులో | హైదరాబాద్‌లో ; సినిమా | సినిమాలు | సినిమాలో
  = నాయకుడు | నాయకులు | నాయకుల ; మరణం | మరణించాడు | మరణించింది ; వ్యక్తి | వ్యక్తులు ; నిర్మించింది | నిర్మించిన | నిర్మించారు ; పాఠశాల | పాఠశాలలో | పాఠశాలలు ; రాజు | రాజులు | రాజుకు
  = భాష | భాషలు | భాషలో ; జిల్లా | జిల్లాలు ; దేశం | దేశంలో | దేశాలు | దేశాల
  ! కాలు | కాలం ; అమ్మాయి | అమ్మ ; బంగారు | బంగాళా ; రాజు | రాజ్యం ; మంత్రి | మంత్రం ; తల | తలుపు ; మనిషి | మనసు ; పాలు | పాట ; దేశం | దేహం
om Oromo
  = magaalaa | magaalaatti | magaalaan | magaalaarraa ; mootummaa | mootummaan | mootummaaf ; biyya | biyyatti
  = Itoophiyaa | Itoophiyaatti | Itoophiyaan
  ! gaarii | gaara ; nama | nagaa ; mana | mata
sw Swahili
  = kitabu | vitabu ; mtu | watu ; mtoto | watoto ; mwalimu | walimu ; mwanafunzi | wanafunzi ; mkoa | mikoa ; mji | miji
  = gari | magari ; shule | shuleni ; nyumba | nyumbani ; mwaka | miaka ; chama | vyama ; waziri | mawaziri
  = kuanza | alianza | wameanza | inaanza | ilianza ; alizaliwa | kuzaliwa | waliozaliwa ; aligundua | iligunduliwa
  = ilianzishwa | kuanzisha ; jambo | mambo ; mwananchi | wananchi ; mwanamke | wanawake
  ! kitabu | tabu ; wananchi | nchi ; mahali | hali ; madini | dini ; mafuta | futa ; matatu | tatu ; amani | ama ; mti | mtu ; kuku | kundi
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
    test(`${forms.name}: similar words do not find each other`, () => {
      assert.ok(forms.apart.length > 0)
      assert.deepEqual(wrong(forms), [])
    })
  }

  test('a word is found in a post of any language', () => {
    const words = ['Paris', 'running', 'Müller', 'новости', 'война', 'کتاب', 'शहर', 'ኢትዮጵያ', '2024']
    const lost: string[] = []
    for (const word of words) {
      for (const { code } of [...FORMS, { code: null }, { code: 'vi' }, { code: 'xx' }]) {
        if (!finds(word, word, code)) lost.push(`${word} in ${code}`)
      }
    }
    assert.deepEqual(lost, [])
  })

  test('a query does not match words of another language through a foreign stemmer', () => {
    // Norwegian stems "theme" to "the", Turkish "debe" to "de", Italian "format" to "form".
    assert.equal(finds('theme', 'the', 'en'), false)
    assert.equal(finds('debe', 'de', 'es'), false)
    assert.equal(finds('format', 'form', 'en'), false)
    assert.equal(finds('poet', 'pot', 'en'), false)
  })
})
