import { foldWord, lowerWord } from '../text/fold.ts'

/**
 * Words a question is asked with rather than about, by language: those that ask, then those that merely connect. In a
 * large index their frequency says so; in a small one "when" is as rare as what it asks for, and posts that only ask
 * would lead. "Why" and "how" are not among them: the posts that explain say them too.
 */
const LANGUAGES: readonly {
  readonly asking: ReadonlySet<string>
  readonly all: ReadonlySet<string>
}[] = `
  what when where who whom which : is are was were be been do does did will would can could should has have
    the a an of in on at for to from with and or i me my we you your it this that there
  что когда где кто какой какая какое какие сколько ли : будет будут это в на по и с из для не у о от мне
  що коли де хто який яка яке які скільки чи : буде будуть це у в на з до для та і не
  што калі дзе хто які колькі ці : гэта
  que cuando donde quien cual cuanto cuanta : es son el la los las de del en un una se por para y me mi puedo
  que quando onde quem qual quanto : o os as do da dos das em um uma no na e eu posso pode
  que quoi quand qui combien quel quelle : est sont le la les du des dans un une et je ce
  was wann wo wer welche welcher wieviel : ist sind wird werden der die das den dem ein eine im fur ich man kann und
  che cosa quando dove chi quale quanto : e il lo la gli di si
  ne zaman nerede kim kac hangi mi mu : ve bir icin bu
  apa kapan mana siapa berapa : yang ini itu dan di ke
  ما ماذا متی این من کم هل : فی علی ای هو هی
  چه چی کجا چند ایا کدام : است را در به از می
  क्या कब कहां कौन कितना कितने : है हैं का की के में`
  .split(/\n {2}(?! )/)
  .filter((line) => line !== '')
  .map((line) => {
    const [asking = [], connecting = []] = line.split(':').map(foldedWords)
    return { asking: new Set(asking), all: new Set([...asking, ...connecting]) }
  })

/**
 * Which of a query's words it only asks with. One alone tells nothing: WHO is an organisation, Kim a name and un an
 * article elsewhere. So there must be two of one language, and one of them must ask.
 */
export function functionWords(words: readonly string[]): ReadonlySet<string> {
  const folded = new Map(words.map((word) => [foldWord(lowerWord(word)), word]))
  const found = LANGUAGES.flatMap(({ asking, all }) => {
    const own = [...folded.keys()].filter((word) => all.has(word))
    return own.length > 1 && own.some((word) => asking.has(word)) ? own : []
  })
  return new Set(found.map((word) => folded.get(word)!))
}

function foldedWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.map((word) => foldWord(lowerWord(word)))
}
