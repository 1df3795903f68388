/**
 * Stemmers for languages that have none on npm (or a broken one): the endings a noun, adjective or verb takes,
 * cut longest first, never below a smallest stem. They are deliberately cautious: an ending left on misses a form,
 * an ending too many conflates unrelated words.
 */

interface Endings {
  /** Space-separated. */
  readonly suffixes: string
  readonly prefixes?: string
  /** Letters that must remain. */
  readonly min: number
  /** Letters that must remain before an ending of three and more. */
  readonly minLong?: number
  /** How many endings may follow one another. */
  readonly passes: number
  /** First letter of an ending → the only letters after which it is an ending. */
  readonly after?: Readonly<Record<string, string>>
  /** The last letter of a stem before a vowel → the same letter at the end of a word. */
  readonly finals?: Readonly<Record<string, string>>
}

/** Builds a stemmer from its endings. */
export function createLightStemmer(endings: Endings): (word: string) => string {
  const suffixes = byLastLetter(endings.suffixes)
  const prefixes = (endings.prefixes ?? '').split(' ').filter((p) => p !== '')
  prefixes.sort((a, b) => b.length - a.length)
  return (word) => {
    let stem = word
    for (let pass = 0; pass < endings.passes; pass++) {
      const found = suffixes
        .get(stem.at(-1) ?? '')
        ?.find((suffix) => stem.endsWith(suffix) && mayEnd(endings, stem, suffix))
      if (found === undefined) break
      stem = stem.slice(0, -found.length)
    }
    const prefix = prefixes.find((p) => stem.length - p.length >= endings.min && stem.startsWith(p))
    if (prefix !== undefined) stem = stem.slice(prefix.length)
    const final = endings.finals?.[stem.at(-1) ?? '']
    return final === undefined ? stem : stem.slice(0, -1) + final
  }
}

function mayEnd({ min, minLong, after }: Endings, stem: string, suffix: string): boolean {
  const rest = stem.length - suffix.length
  const least = suffix.length < 3 ? min : (minLong ?? min)
  return rest >= least && (after?.[suffix[0]!]?.includes(stem[rest - 1]!) ?? true)
}

function byLastLetter(list: string): Map<string, string[]> {
  const suffixes = list.split(/\s+/).filter((s) => s !== '')
  suffixes.sort((a, b) => b.length - a.length)
  return Map.groupBy(suffixes, (suffix) => suffix.at(-1)!)
}

/** After any other letter the т belongs to the word. */
const VOICELESS = 'пткқсшфхцщчв'
const KAZAKH_FINALS = { ғ: 'қ', г: 'к', б: 'п' }

export const ENDINGS: Readonly<Record<string, Endings>> = {
  be: {
    suffixes: `а я о е ё э у ю ы і й ь ам ям ом ём ем ой ай ей ёй аю яю ою ею ёю аў яў оў ёў ах ях амі ямі
      ага яга ога аму яму ому ым ім ых іх ымі імі ая яя ое ае яе ую юю ыя ія
      ць аць яць іць ыць ець уць юць еш аеш іш ыш ала яла іла ыла алі ялі ілі ылі аў іў ыў ацца яцца іцца ыцца
      асць асці асцю`,
    min: 3,
    passes: 1,
  },
  bg: {
    suffixes: `а я о е и ът ят ия ии ият ията иите ата ята ото ето ието ите ете ове овете еве евете
      ище ището ища ищата овци им`,
    min: 3,
    passes: 1,
  },
  mk: {
    suffixes: 'а о е и у от та то те ва на но ови овите иња ите ата ето ото ја јата иот',
    min: 3,
    passes: 1,
  },
  kk: {
    suffixes: `лар лер дар дер тар тер ның нің дың дің тың тің ға ге қа ке на не ды ді ты ті ны ні да де та те нда нде
      дан ден тан тен нан нен мен бен пен ы і сы сі ым ім ың ің мыз міз ымыз іміз дағы дегі тағы тегі ндағы ндегі
      лары лері дары дері тары тері ларын лерін дарын дерін тарын терін
      ын ін сын сін ады еді йды йді атын етін йтын йтін ған ген қан кен`,
    min: 3,
    minLong: 2,
    passes: 3,
    after: { т: VOICELESS },
    finals: KAZAKH_FINALS,
  },
  ky: {
    suffixes: `лар лер лор лөр дар дер дор дөр тар тер тор төр нын нин нун нүн дын дин дун дүн тын тин тун түн
      га ге го гө ка ке ко кө на не ды ди ду дү ты ти ту тү ны ни ну нү да де до дө та те то тө нда нде
      дан ден дон дөн тан тен тон төн нан нен ы и у ү сы си су сү дагы деги тагы теги`,
    min: 3,
    passes: 3,
    finals: { г: 'к', б: 'п' },
  },
  tt: {
    suffixes: `лар ләр нар нәр ның нең га гә ка кә на нә ны не да дә та тә дан дән тан тән нан нән ы е сы се ым ем
      дагы дәге тагы тәге`,
    min: 3,
    passes: 3,
  },
  uz: {
    suffixes: `lar lari larni larning larga larda lardan ning ni ga ka qa dan da dagi gacha cha i si im ing imiz ingiz
      miz ngiz idan ida iga ini ining sidan sida siga sini sining moqda di ladi adi gan gani`,
    min: 3,
    passes: 2,
    after: { k: 'k', q: 'q' },
  },
  az: {
    // The n before some case endings may belong to the word, so it is left to a further pass.
    suffixes: `lar lər ın in un ün a ə ya yə ı i u ü da də dan dən sı si su sü la lə dakı dəki dır dir dur dür nin ni nün nü`,
    min: 3,
    minLong: 2,
    passes: 3,
    after: { n: 'əiü' },
    finals: { ğ: 'q', y: 'k', b: 'p' },
  },
  tg: {
    suffixes: 'ҳо ҳои ҳоро ҳоям ро и ам ат аш он ҳоямон ҳояшон тар тарин',
    min: 3,
    passes: 2,
  },
  pl: {
    suffixes: `a ą e ę i o u y ie ia ią ię iu em om am ach iach ami iami ów owi owie ego emu iego iemu ej iej ych ich
      ym im ymi imi iem ć li ać eć ić yć ał ała ało ali ały eli ił iła iło ili iły ył yła yło yły yli cie`,
    min: 3,
    passes: 1,
  },
  cs: {
    suffixes: `a á e é ě i í o u ů y ý em ém ech ích ách ami emi ími ovi ové ům am ám ou ého ému ých ým ými iho imu ích
      ata aty at el ela elo eli il ila ilo ili al ala alo ali`,
    min: 3,
    passes: 1,
  },
  ka: {
    suffixes: `ი ს ის ით ად მა ო ში ზე თან დან იდან ისთვის ები ების ებს ებმა ებით ებში ებზე ებთან ებიდან ებად ა ე ამ ას ომ ემ`,
    min: 3,
    passes: 2,
  },
  am: {
    suffixes: 'ዎች ዎችን ዎቹ ዎቹን ን ም ና ው ውን ዋ ዋን ኛ',
    prefixes: 'የ በ ለ ከ ስለ እንደ ወደ',
    min: 3,
    passes: 2,
  },
  // Written in the folded Arabic alphabet.
  ckb: {
    suffixes: 'هکه هکان هکانی هکهی ان انی یک هک یه وه ی دا هوه هکهدا هکاندا',
    min: 3,
    passes: 2,
  },
  ur: {
    suffixes: 'وں یں یاں یوں ات ان ے ی ه ا',
    min: 3,
    passes: 1,
  },
  hy: {
    suffixes: `ը ն ի ին ից ով ում ու եր երը երն երի երին երից երով երում ներ ները ներն ների ներին ներից ներով ներում
      ություն ությունը ությունն ության ությանը ությունից ությամբ ություններ ությունները ությունների ություններից`,
    min: 3,
    passes: 2,
  },
  // Written in folded letters, without the nukta and with decomposed vowels.
  bn: {
    suffixes:
      `টি টির টিকে টিতে টা টার টাকে গুলো গুলোর গুলোকে গুলি গুলির কে রা েরা দের েদের ের র ে তে য যের যে`.normalize(
        'NFD',
      ),
    min: 3,
    minLong: 2,
    passes: 3,
    // After a consonant the ত belongs to the word.
    after: { ত: '\u09be\u09bf\u09c0\u09c1\u09c7' },
    finals: { '\u09c0': '\u09bf' },
  },
}
