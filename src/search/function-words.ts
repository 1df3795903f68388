import { foldWord, lowerWord } from '../text/fold.ts'

/**
 * Words a question is asked with rather than about, by language: those that ask, then those that merely connect. In a
 * large index their frequency says so; in a small one "when" is as rare as what it asks for, and posts that only ask
 * would lead. "Why" and "how" are not among them: the posts that explain say them too.
 */
const LANGUAGES: readonly {
  readonly asking: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  /** How many must be said: where a script is of one language, one is enough. */
  readonly least: 1 | 2
}[] = `
  what when where who whom which : is are was were be been do does did will would can could should has have
    the a an of in on at for to from with and or i me my we you your it this that there
  что когда где кто какой какая какое какие каком какого каким сколько ли : будет будут был была было были это
    в на по и с из для не у о от мне
  що коли де хто який яка яке які якому якого якій скільки чи : буде будуть був була було були це у в на з до для
    та і не
  што калі дзе хто які якая якое якія колькі ці : гэта быў была было былі
  какво кога къде кой коя кое кои колко какъв каква какви : е са беше бил била да се на в с за от и ли
  шта где када који која које колико : је су био била било у на и од за се са ли
  што кога каде кој која кое кои колку : е се беше на во од за и ли
  кім кімнің қай қайда қашан қандай неше қанша қайсы : не болды болған болып бар және мен үшін туралы екен дегеніміз
  ким эмне кайда качан кайсы кандай канча : болгон бар жана менен үчүн
  ким нима қачон қаерда қайси қанча нечта неча : ва бу билан учун эди
  que cuando donde quien quienes cual cuales cuanto cuanta cuantos cuantas : es son fue era el la los las de del en
    un una se por para y me mi puedo
  que quando onde quem qual quais quanto quantos quantas : o os as do da dos das em um uma no na e foi era eu posso
    pode
  que quoi quand qui combien quel quelle quels quelles : est sont le la les du des dans un une et je ce
  was wann wo wer wem welche welcher welches welchem welchen wieviel : ist sind wird werden wurde der die das den
    dem ein eine im fur von ich man kann und
  che cosa quando dove chi quale quali quanto quanti quante : e il lo la gli di del della si era
  ce cine unde când care câți câte : este sunt fost era din pe cu și lui
  wat waar wanneer welke welk hoeveel : wie is zijn werd wordt de het een van op voor door heeft
  vad vem vilka vilken vilket när : är var det den som ett och av för att på till
  hvad hva hvem hvor hvornår hvilken hvilket hvilke når : er var det den som et og af av til
  kto gdzie kiedy jaki jaka jakie jakim jakiej jakich który która które którym której ilu : co ile kim czym jest są był
    była było były się w z na do i o od
  kdo kde kdy jaký jaká jaké jakou který která které kolik odkud : co je jsou byl byla bylo byli se v na do
  kto kde kedy aký ktorý ktorá ktoré koľko : čo je sú bol bola bolo sa v na do
  gdje gde kada koji koja koje koliko : što šta ko tko je bio bila bilo
  kas kada koks kokia kokie kuris kuri kiek : yra buvo ir
  mikä mitkä mitä missä mistä mihin milloin kuka kenen ketkä minkä montako kumpi : on ovat oli olivat tai että minä
    monta
  kes millal milline mitu : mis kus on oli
  hol mikor melyik hány hányan mennyi honnan milyen mekkora : mi mit ki kit a az egy és van volt voltak hogy
  ne zaman nerede nereden nedir kim kimdir kac hangi hangisi hangisidir mi mu : ve bir icin bu ile olan
  kim haçan harada hansı neçə kimdir nədir : nə və bu bir ilə üçün
  kim nima qachon qayerda qaysi qancha nechta necha : va bu bilan uchun edi
  apa apakah kapan kapankah mana dimana siapa siapakah berapa berapakah : yang ini itu dan di ke dari adalah
  gì nào đâu nhiêu : là của có các những và được trong khi ai bao
  sino saan kailan alin : ang ng mga ay ba
  nini nani gani lini wapi ngapi wangapi upi ipi yupi zipi : ni ya wa za kwa katika je alikuwa ilikuwa
  kíni tani níbo mélòó èwo : kí ni ti àwọn wo
  maal maali eenyu eessa eessatti yoom meeqa : fi kan akka irraa keessa
  maxay maxaa goorma xaggee : waa oo ee ka ku iyo
  menene mene wanene yaushe wace : ne ce da na ya ta
  ما ماذا متی این من کم هل : فی علی ای هو هی
  چه چی چیست کجا کجاست کیست چند چقدر ایا کدام : است را در به از می بود شد
  کیا کب کہاں کون کتنا کتنے کتنی کس : ہے ہیں کا کی کے میں تھا تھی
  क्या कब कहां कौन कितना कितने कितनी किस किसने किसे किसका किसकी किसके : है हैं था थी थे का की के में से को ने
  * কি কী কে কার কাকে কারা কবে কখন কোথায় কোন কোনটি কত কতটি কয়টি কতজন : হয় ছিল ছিলেন এর এই ও এবং একটি
  * ఏమిటి ఏంటి ఏమి ఏది ఏవి ఏ ఎవరు ఎవరి ఎప్పుడు ఎక్కడ ఎంత ఎన్ని ఎంతమంది : యొక్క మరియు ఒక ఈ ఆ ఉంది
  * என்ன யார் எங்கு எங்கே எப்போது எந்த எது எத்தனை எவ்வளவு : ஒரு மற்றும் இந்த அந்த
  * τι ποιος ποια ποιο ποιον ποιοι ποιες ποιων πότε πόσο πόσα πόσοι πόσες : είναι ήταν το τα την της του των ο η οι και
    που να
  * מי מה מהו מהי מהם מתי איפה היכן איזה איזו אילו באיזה באיזו באילו כמה לאן : הוא היא הם של את על עם לא היה היו
  * ვინ რა სად როდის რომელი რომელ რამდენი : არის იყო და ეს
  * ով ինչ որտեղ երբ քանի որ ում : է են էր և
  * ማን ምን መቼ የት ስንት የትኛው : ነው ናቸው ነበር እና`
  .split(/\n {2}(?! )/)
  .filter((line) => line !== '')
  .map((line) => {
    const [asking = [], connecting = []] = line.replace('*', '').split(':').map(foldedWords)
    const all = new Set([...asking, ...connecting])
    return { asking: new Set(asking), all, least: line.startsWith('*') ? 1 : 2 }
  })

/**
 * Which of a query's words it only asks with. One alone tells nothing: WHO is an organisation, Kim a name and un an
 * article elsewhere. So there must be two of one language, and one of them must ask.
 */
export function functionWords(words: readonly string[]): ReadonlySet<string> {
  const folded = new Map(words.map((word) => [foldWord(lowerWord(word)), word]))
  const found = LANGUAGES.flatMap(({ asking, all, least }) => {
    const own = [...folded.keys()].filter((word) => all.has(word))
    return own.length >= least && own.some((word) => asking.has(word)) ? own : []
  })
  return new Set(found.map((word) => folded.get(word)!))
}

function foldedWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.map((word) => foldWord(lowerWord(word)))
}
