import { foldWord, lowerWord } from './fold.ts'

/**
 * Function words by language: those that ask, then those that merely connect. A large index shows by their frequency that
 * they carry no meaning; in a small one "when" is as rare as what it asks for, and posts that only ask would rank first.
 * "Why" and "how" are not among them, because posts that explain say them too. Words before a bar are words of no other
 * language.
 */
const LANGUAGES: readonly {
  readonly alone: ReadonlySet<string>
  readonly asking: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}[] = `
  what when where who whom which : is are was were be been do does did will would can could should has have the a
    an of in on at for to from with about and or i me my we you your it this that there
  когда сколько какой какая какое какие каком какого каким | что где кто ли : будет будут был была было были это в
    на по и с из для не у о от мне
  скільки який якому якого якій | що коли де хто яка яке які чи : буде будуть був була було були це у в на з до
    для та і не
  што калі дзе хто які якая якое якія колькі ці : гэта быў была было былі
  какво къде колко какъв каква какви | кога кой коя кое кои : е са беше бил била да се на в с за от и ли
  шта где када који која које колико : је су био била било у на и од за се са ли
  што кога каде кој која кое кои колку : е се беше на во од за и ли
  кім кімнің қай қайда қашан қандай неше қанша қайсы | : не болды болған болып бар және мен үшін туралы екен
    дегеніміз
  ким эмне кайда качан кайсы кандай канча : болгон бар жана менен үчүн
  ким нима қачон қаерда қайси қанча нечта неча : ва бу билан учун эди
  que cuando donde quien quienes cual cuales cuanto cuanta cuantos cuantas : es son fue era el la los las de del
    en un una se por para y me mi puedo
  que quando onde quem qual quais quanto quantos quantas : o os as do da dos das em um uma no na e foi era eu
    posso pode
  combien quelle quels quelles | que quoi quand qui quel : est sont le la les du des dans un une et je ce
  wann welche welcher welches welchem welchen | was wo wer wem wieviel : ist sind wird werden wurde der die das
    den dem ein eine im fur von ich man kann und
  che cosa quando dove chi quale quali quanto quanti quante : e il lo la gli di del della si era
  ce cine unde când care câți câte : este sunt fost era din pe cu și lui
  wanneer welke hoeveel | wat waar welk : wie is zijn werd wordt de het een van op voor door heeft
  vilka vilken vilket | vad vem när : är var det den som ett och av för att på till
  hvad hva hvem hvor hvornår hvilken hvilket hvilke når : er var det den som et og af av til
  gdzie kiedy jakie jakim jakiej jakich który która które którym której ilu | kto jaki jaka : co ile kim czym jest
    są był była było były się w z na do i o od
  který která které jaký jaké | kdo kde kdy kolik jaká jakou odkud : co je jsou byl byla bylo byli se v na do
  kto kde kedy aký ktorý ktorá ktoré koľko : čo je sú bol bola bolo sa v na do
  gdje gde kada koji koja koje koliko : što šta ko tko je bio bila bilo
  kas kada koks kokia kokie kuris kuri kiek : yra buvo ir
  milloin mihin kenen ketkä minkä montako kumpi | kuka mistä mikä mitkä mitä missä : on ovat oli olivat tai että
    minä monta
  kes millal milline mitu : mis kus on oli
  mikor melyik hányan mennyi honnan mekkora | hol hány milyen : mi mit ki kit a az egy és van volt voltak hogy
  nerede nereden nedir kimdir hangi hangisi hangisidir | ne zaman kim kac mi mu : ve bir icin bu ile olan
  kim haçan harada hansı neçə kimdir nədir : nə və bu bir ilə üçün
  kim nima qachon qayerda qaysi qancha nechta necha : va bu bilan uchun edi
  kapan kapankah dimana siapa siapakah apakah berapa berapakah | apa mana : yang ini itu dan di ke dari adalah
  gì nào đâu nhiêu : là của có các những và được trong khi ai bao
  sino saan kailan alin : ang ng mga ay ba
  ngapi wangapi | nini nani gani lini wapi upi ipi yupi zipi : ni ya wa za kwa katika je alikuwa ilikuwa
  kíni tani níbo mélòó èwo : kí ni ti àwọn wo
  maal maali eenyu eessa eessatti yoom meeqa : fi kan akka irraa keessa
  maxay maxaa goorma xaggee : waa oo ee ka ku iyo
  menene mene wanene yaushe wace : ne ce da na ya ta
  ماذا متی | ما این من کم هل : فی علی ای هو هی
  چیست کجاست کیست کدام | چه چی کجا چند چقدر ایا : است را در به از می بود شد
  کیا کب کہاں کون کتنا کتنے کتنی کس : ہے ہیں کا کی کے میں تھا تھی
  कब कौन कितना कितने कितनी किसने किसे | क्या कहां किस किसका किसकी किसके : है हैं था थी थे का की के में से को ने
  কি কী কে কার কাকে কারা কবে কখন কোথায় কোন কোনটি কত কতটি কয়টি কতজন | : হয় ছিল ছিলেন এর এই ও এবং একটি
  ఏమిటి ఏంటి ఏమి ఏది ఏవి ఏ ఎవరు ఎవరి ఎప్పుడు ఎక్కడ ఎంత ఎన్ని ఎంతమంది | : యొక్క మరియు ఒక ఈ ఆ ఉంది
  என்ன யார் எங்கு எங்கே எப்போது எந்த எது எத்தனை எவ்வளவு | : ஒரு மற்றும் இந்த அந்த
  τι ποιος ποια ποιο ποιον ποιοι ποιες ποιων πότε πόσο πόσα πόσοι πόσες | : είναι ήταν το τα την της του των ο η
    οι και που να
  מי מה מהו מהי מהם מתי איפה היכן איזה איזו אילו באיזה באיזו באילו כמה לאן | : הוא היא הם של את על עם לא היה היו
  ვინ რა სად როდის რომელი რომელ რამდენი | : არის იყო და ეს
  ով ինչ որտեղ երբ քանի որ ում | : է են էր և
  ማን ምን መቼ የት ስንት የትኛው | : ነው ናቸው ነበር እና`
  .split(/\n {2}(?! )/)
  .filter((line) => line !== '')
  .map((line) => {
    const [asking = '', connecting = ''] = line.split(':')
    const [alone = []] = asking.includes('|') ? asking.split('|').map(foldedWords) : []
    const asks = foldedWords(asking.replace('|', ' '))
    return {
      alone: new Set(alone),
      asking: new Set(asks),
      all: new Set([...asks, ...foldedWords(connecting)]),
    }
  })

/**
 * The function words of a query that is a question. One alone proves nothing: WHO is an organisation, Kim a name, and un an
 * article elsewhere. So there must be two of one language, one of which asks; or one that no other language has.
 */
export function functionWords(words: readonly string[]): ReadonlySet<string> {
  return spelledIn(words, (folded) =>
    LANGUAGES.flatMap(({ alone, asking, all }) => {
      const own = folded.filter((word) => all.has(word))
      const isPlain = own.some((word) => alone.has(word))
      return isPlain || (own.length > 1 && own.some((word) => asking.has(word))) ? own : []
    }),
  )
}

/** Fewer distinct words are not a sentence. */
const SENTENCE = 5

/**
 * The function words of a query that is a question or a sentence: in a pasted headline or claim they carry no more meaning
 * than in a question.
 */
export function weakWords(words: readonly string[]): ReadonlySet<string> {
  const asking = functionWords(words)
  const weak = spelledIn(words, (folded) =>
    LANGUAGES.flatMap(({ all }) => {
      const own = folded.filter((word) => all.has(word))
      return folded.length >= SENTENCE && own.length > 1 ? own : []
    }),
  )
  return asking.union(weak)
}

/** Those of the words, in every spelling given, that `choose` takes from their distinct folded forms. */
function spelledIn(
  words: readonly string[],
  choose: (folded: readonly string[]) => readonly string[],
): ReadonlySet<string> {
  const spelled = Map.groupBy(new Set(words), (word) => foldWord(lowerWord(word)))
  return new Set(choose([...spelled.keys()]).flatMap((word) => spelled.get(word)!))
}

function foldedWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.map((word) => foldWord(lowerWord(word)))
}

/** The languages that have a word as a function word. */
const LANGUAGES_OF = new Map<string, number[]>()
for (const [language, { all }] of LANGUAGES.entries()) {
  for (const word of all) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language])
}

/** Whether a word is a function word of any language. In another it may be an ordinary word: "die", "van". */
export function isFunctionWord(word: string): boolean {
  return LANGUAGES_OF.has(foldWord(lowerWord(word)))
}

/** How many of these words are function words, in the language that has most of them. */
export function countFunctionWords(words: readonly string[]): number {
  const counts = new Uint16Array(LANGUAGES.length)
  for (const word of new Set(words.map((each) => foldWord(lowerWord(each))))) {
    for (const language of LANGUAGES_OF.get(word) ?? []) counts[language]!++
  }
  return Math.max(...counts)
}
