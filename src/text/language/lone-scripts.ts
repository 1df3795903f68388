/** Scripts where code points decide, with the few that two languages share. */
import type { PreparedText } from './prepare-text.ts'
import { SCRIPT_LANGUAGE } from './scripts.ts'

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
/** Forms of characters that only Japan's reform of 1946 made, or that were made in Japan. */
const JAPANESE_HAN =
  /[込畑峠働円気図実発売駅対関黒広県経済検権験険戦訳辺沢浜単厳桜楽薬毎歩渋読転団焼応亜壱仮価拡覚続縦悪囲隠栄営衛駆鉱砕雑児収獣釈従渉触慎髄瀬専銭総臓堕滞択鋳庁聴鎮逓塗徳弐悩脳拝髪抜秘払仏変宝満黙弥予様謡頼竜両塁励霊齢恋炉労録]/u

/** The language of a text in a script of its own; undefined where several languages share the script. */
export function loneLanguage(text: PreparedText): string | undefined {
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
      return text.script === null ? undefined : SCRIPT_LANGUAGE.get(text.script)
  }
}

function eastAsian(text: PreparedText): string {
  if (text.hangul >= 0.3) return 'ko'
  // Japanese prose is half kana; Chinese has none but in names.
  if (text.kana >= 0.08) return 'ja'
  const han = text.words.join('')
  return JAPANESE_HAN.test(han) && !SIMPLIFIED.test(han) ? 'ja' : 'zh'
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
