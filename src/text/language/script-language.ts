/** Scripts whose code points decide the language, including the few that are shared but need only a few words or letters. */
import type { PreparedText } from './prepare-text.ts'
import { languageOfScript } from './scripts.ts'

const TIGRINYA = new Set(
  'እዩ ኢዩ ናይ ኣብ ካብ ምስ ንሱ ንሳ ኣነ እቲ እታ እዚ እዛ ከምዘ ኣሎ ኣለዉ ኣይኮነን ድማ ከኣ ነቲ ናብ ህዝቢ ሃገር'.split(' '),
)
const AMHARIC = new Set(
  'ነው ናቸው እና ላይ ውስጥ ነበር ወደ ግን ይህ ያለ አለ ጋር ከ እንደ ምን ማን የት አንድ ሰው እኔ አንተ እሱ እሷ ብቻ በጣም ዛሬ ስለ ሁሉ ነገር ወይም'.split(
    ' ',
  ),
)
const YIDDISH = /[\u05f0-\u05f2]|א[\u05b7\u05b8]/
const YIDDISH_WORDS = new Set(
  'און איז די דער דאס דאָס צו מיט פון פֿון איך ניט נישט האט זיין מען אויף איר ער זי'.split(' '),
)
/** Forms that only Japan's reform of 1946 introduced, and characters that were created in Japan. */
const JAPANESE_HAN =
  /[込畑峠働円気図実発売駅対関黒広県経済検権験険戦訳辺沢浜単厳桜楽薬毎歩渋読転団焼応亜壱仮価拡覚続縦悪囲隠栄営駆鉱砕雑児収獣釈従渉髄瀬専銭総臓択鋳庁聴逓徳弐悩脳拝髪抜払仏変満黙様謡頼竜両塁霊齢労録]/u

/** The language of a text in a script of its own; undefined where several languages share the script. */
export function languageByScript(text: PreparedText): string | undefined {
  switch (text.script) {
    case 'Han':
    case 'Kana':
    case 'Hangul':
      return eastAsian(text)
    case 'Ethiopic':
      return ethiopic(text)
    case 'Hebrew': {
      const words = text.words.filter((word) => YIDDISH_WORDS.has(word)).length
      const isYiddish =
        words * 4 >= text.words.length && (words > 1 || YIDDISH.test(text.words.join(' ')))
      return isYiddish ? 'yi' : 'he'
    }
    case 'Bengali':
      return /[ৰৱ]/.test(text.words.join(' ')) ? 'as' : 'bn'
    default:
      return text.script === null ? undefined : languageOfScript(text.script)
  }
}

function eastAsian(text: PreparedText): string {
  if (text.hangul >= 0.3) return 'ko'
  // Japanese prose is half kana; Chinese has kana only in names.
  if (text.kana >= 0.08) return 'ja'
  const han = text.words.join('')
  if (SIMPLIFIED.test(han)) return isReformed(han) ? 'ja' : 'zh'
  return JAPANESE_HAN.test(han) || JAPANESE_WORDS.test(han) || isReformed(han) ? 'ja' : 'zh'
}

/** Words of headlines for which Chinese has other words. */
const JAPANESE_WORDS = /株式|株主|番組|会見|値下|割引|発売|取引|首相官邸|緊急地震/u
/** Short forms that Japanese and simplified Chinese share, and full forms that of the two only Japanese keeps. */
const SHARED_SHORT = /[国会学来点参区医声属当条残独画礼旧号湾体]/u
const FULL = /[東見場報電車門長開問間聞時書話語員買馬風飛動業産選挙際務総議連軍陸島]/u
const ONLY_SIMPLIFIED =
  /[这们个说时为对发过还没开问长东车马见门进动现让应该电视话语认识师书写听买卖给谁吗吧么业产头报场员]/u

/** True for text such as 首相会見, which has both: no Chinese spelling does. */
function isReformed(han: string): boolean {
  return SHARED_SHORT.test(han) && FULL.test(han) && !ONLY_SIMPLIFIED.test(han)
}

const SIMPLIFIED =
  /[这们个说时为国会来对发过还没开问长东车马见门进动现样让应该电视话语认识师书写听买卖给谁吗呢吧什么样乐关两业产头]/u

function ethiopic(text: PreparedText): string {
  let balance = 0
  for (const word of text.words) {
    if (TIGRINYA.has(word)) balance += 2
    else if (AMHARIC.has(word)) balance -= 2
    else if (word.includes('ኣ') || /[ኸ-ኾቐ-ቖ]/.test(word)) balance++
    else if (word.startsWith('አ') || word.startsWith('የ')) balance--
  }
  return balance > 0 ? 'ti' : 'am'
}
