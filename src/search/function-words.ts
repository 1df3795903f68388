import { foldWord, lowerWord } from '../text/fold.ts'

/**
 * Words a question is asked with rather than about. In a large index their frequency says so; in a small one "when"
 * is as rare as what it asks for, and posts that only ask would lead. "Why" and "how" are not among them: the posts that
 * explain say them too.
 */
const WORDS: ReadonlySet<string> = new Set(
  `what when where who whom which is are was were be been do does did will would can could should has have
  the a an of in on at for to from with and or i me my we you your it this that there
  что когда где кто какой какая какое какие сколько ли будет будут это в на по и с из для не у о от мне
  що коли де хто який яка яке які скільки чи буде будуть це у в на з до для та і не
  што калі дзе хто які колькі ці гэта
  que cuando donde quien cual cuanto cuanta es son el la los las de del en un una se por para y me mi puedo
  quando onde quem qual quanto o os as do da dos das em um uma no na e eu posso pode 
  quoi quand qui combien quel quelle est sont le les du des dans une et je ce
  was wann wo wer welche welcher wieviel ist sind wird werden der die das den dem ein eine im fur ich man kann und
  che cosa dove chi quale e il lo gli di si
  ne zaman nerede kim kac hangi mi mu ve bir icin bu
  apa kapan mana siapa berapa yang ini itu dan di ke
  ما ماذا متی این من کم هل فی علی ای هو هی
  چه چی کجا چند ایا کدام است را در به از می
  क्या कब कहां कौन कितना कितने है हैं का की के में`
    .split(/\s+/)
    .map((word) => foldWord(lowerWord(word))),
)

export function isFunctionWord(text: string): boolean {
  return WORDS.has(foldWord(lowerWord(text)))
}
