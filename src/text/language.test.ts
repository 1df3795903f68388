import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { LANGUAGES } from '../model/language-names.ts'
import { createLanguageDetector } from './language.ts'

const MODEL = new URL(
  '../models/language-identification/assets/lid.176.ftz',
  import.meta.resolve('fasttext.wasm.js'),
)
const detector = createLanguageDetector(readFileSync(MODEL))

const SAMPLES = [1, 2, 3].flatMap((part) =>
  readFileSync(new URL(`../../test/fixtures/language/samples-${part}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [code: string, text: string]),
)
const CODES = [...new Set(SAMPLES.map(([code]) => code))]

function bucketOf(text: string): 0 | 1 | 2 {
  const characters = [...text].length
  return characters <= 30 ? 0 : characters <= 80 ? 1 : 2
}

function macroAccuracy(bucket: 0 | 1 | 2): { accuracy: number; wrong: string[] } {
  const wrong: string[] = []
  const shares: number[] = []
  for (const code of CODES) {
    const texts = SAMPLES.filter((sample) => sample[0] === code && bucketOf(sample[1]) === bucket)
    if (texts.length === 0) continue
    const failed = texts.filter(([, text]) => detector.detect(text).code !== code)
    wrong.push(...failed.map(([, text]) => `${code} as ${detector.detect(text).code}: ${text}`))
    shares.push(1 - failed.length / texts.length)
  }
  return { accuracy: shares.reduce((a, b) => a + b) / shares.length, wrong }
}

describe('the language detector', () => {
  test('the samples cover 21 languages with 30 texts each', () => {
    assert.equal(CODES.length, 21)
    for (const code of CODES) {
      assert.ok(SAMPLES.filter((sample) => sample[0] === code).length >= 30, code)
    }
  })

  const TARGETS = ['up to 30 characters', '30 to 80 characters', 'over 80 characters'] as const
  for (const [bucket, name] of TARGETS.entries()) {
    test(`recognises the language of texts of ${name}`, () => {
      const { accuracy, wrong } = macroAccuracy(bucket as 0 | 1 | 2)
      assert.ok(accuracy >= [0.96, 0.99, 0.995][bucket]!, `${accuracy}\n${wrong.join('\n')}`)
    })
  }

  const NEIGHBOURS: [string, string][] = [
    ['az', 'Azərbaycan Respublikasının paytaxtı Bakı şəhəridir və burada çox insan yaşayır'],
    ['tk', 'Türkmenistanyň paýtagty Aşgabat şäheri ýurduň günortasynda ýerleşýär'],
    ['ky', 'Бүгүн Бишкекте жаан жаайт, бирок эртең күн ачык болот деп айтышты'],
    ['tg', 'Имрӯз дар шаҳри Душанбе ҳаво хеле гарм аст ва мардум ба боғ мераванд'],
    ['tt', 'Бүген Казанда яңгыр ява, әмма иртәгә кояшлы булачак дип әйттеләр'],
    ['mn', 'Өнөөдөр Улаанбаатар хотод маш хүйтэн байна, маргааш дулаарна гэж байна'],
    ['bg', 'Днес времето ще бъде слънчево, но утре се очаква силен дъжд в цялата страна'],
    ['mk', 'Денес времето ќе биде сончево, но утре се очекува силен дожд во целата земја'],
    ['sr', 'Данас ће време бити сунчано, али се сутра очекује јака киша у целој земљи'],
    ['hr', 'Danas će vrijeme biti sunčano, ali se sutra očekuje jaka kiša u cijeloj zemlji'],
    ['ur', 'آج شہر میں بہت گرمی ہے اور کل بارش ہونے کی امید ہے'],
    ['ps', 'نن په ښار کې هوا ډېره ګرمه ده او سبا به باران وي'],
    ['ckb', 'ئەمڕۆ کەشوهەوا لە شاری هەولێر زۆر گەرمە و سبەینێ باران دەبارێت'],
    ['ug', 'بۈگۈن شەھەردە ھاۋا ناھايىتى ئىسسىق، ئەتە يامغۇر ياغىدۇ'],
    ['mr', 'आज शहरात खूप गरम आहे आणि उद्या पाऊस पडण्याची शक्यता आहे'],
    ['ne', 'आज सहरमा धेरै गर्मी छ र भोलि पानी पर्ने सम्भावना छ'],
    ['ti', 'ሎሚ ኣብ ከተማ ብዙሕ ዋዒ ኣሎ ጽባሕ ድማ ዝናብ ክዘንብ እዩ'],
    ['yi', 'הײַנט איז דאָס וועטער זייער גוט און מיר גייען אין פּאַרק'],
    ['pl', 'Dzisiaj będzie słonecznie, ale jutro w całym kraju spodziewany jest silny deszcz'],
    ['ro', 'Astăzi va fi soare, dar mâine se așteaptă ploi puternice în toată țara'],
    ['vi', 'Hôm nay trời nắng nhưng ngày mai sẽ có mưa lớn trên cả nước'],
    ['el', 'Σήμερα θα έχει ήλιο'],
    ['ka', 'დღეს მზიანი ამინდია'],
    ['hy', 'Այսօր արևոտ եղանակ է'],
    ['th', 'วันนี้อากาศร้อนมาก'],
    ['bn', 'আজ আবহাওয়া খুব গরম'],
  ]
  for (const [code, text] of NEIGHBOURS) {
    test(`does not take ${code} for its neighbours`, () =>
      assert.equal(detector.detect(text).code, code))
  }

  /** Sentences under 30 characters, none of which is in the profiles as a whole. */
  const SHORT: Readonly<Record<string, readonly string[]>> = {
    bg: ['Къде е гарата?', 'Цените на тока се вдигат', 'Утре ще вали дъжд', 'Той не дойде вчера'],
    mk: ['Каде е станицата?', 'Цените растат денес', 'Ќе врне утре', 'Јас не знам ништо'],
    sr: ['Где је станица?', 'Нове цене струје', 'Не знам ништа о томе', 'Киша пада цео дан'],
    az: ['Vağzal harada yerləşir?', 'Qiymətlər artır', 'Sabah yağış olacaq', 'Mən evdəyəm'],
    uz: ['Bekat qayerda?', 'Narxlar yana oshdi, aka', "Ertaga yomg'ir yog'adi", 'Men uydaman'],
    id: ['Di mana stasiunnya?', 'Harga beras naik', 'Besok akan hujan', 'Saya di rumah'],
    tr: ['İstasyon nerede?', 'Fiyatlar yükseldi', 'Yarın yağmur yağacak', 'Ben evdeyim'],
    ru: ['Где вокзал?', 'Цены растут', 'Завтра будет дождь', 'Я дома'],
    uk: ['Де вокзал?', 'Ціни зростають', 'Завтра буде дощ', 'Я вдома'],
  }
  for (const [code, texts] of Object.entries(SHORT)) {
    test(`distinguishes a few words of ${code} from its neighbours`, () => {
      for (const text of texts) assert.equal(detector.detect(text).code, code, text)
    })
  }

  test('gives no language for Hindi and others in Latin letters, rather than a wrong one', () => {
    for (const text of [
      'aaj mausam bahut accha hai',
      'mujhe nahi pata wo kahan gaya',
      'kya kar rahe ho bhai',
      'emruz hava kheili khoob ast',
      'choni bashi kaka gyan',
      'ana mish fahem shu hada ya habibi',
    ]) {
      const { code, letters } = detector.detect(text)
      assert.equal(code, null, text)
      assert.ok(letters > 10, 'it was read all the same')
    }
    assert.equal(detector.detect('the main hall is open to all').code, 'en')
    assert.equal(detector.detect('Hava durumu bugün çok güzel').code, 'tr')
  })

  test('reads Latin letters that look like Cyrillic ones as Cyrillic', () => {
    assert.equal(detector.detect('Свe штo мoгу дa учинимo дaнaс').code, 'sr')
    assert.equal(detector.detect('Cрочно: завтрa в гoроде отключaт вoду').code, 'ru')
  })

  test('gives scores that are no higher than the share of correct answers', () => {
    const short = [
      ...SAMPLES.filter(([, text]) => bucketOf(text) === 0),
      ...Object.entries(SHORT).flatMap(([code, texts]) => texts.map((text) => [code, text])),
    ] as [string, string][]
    for (const below of [0.8, 0.95, 1.1]) {
      const told = short
        .map(([code, text]) => ({ wanted: code, ...detector.detect(text) }))
        .filter(({ score }) => score < below)
      const promised = told.reduce((sum, { score }) => sum + score, 0)
      const kept = told.filter(({ wanted, code }) => wanted === code).length
      assert.ok(promised <= kept, `below ${below}: ${promised} of ${told.length}, right ${kept}`)
    }
    assert.ok(detector.detect('Audio').score < 0.5, 'a word that many languages have')
  })

  test('ignores addresses, mentions, emoji and words of other scripts', () => {
    const post =
      '🔥🔥 Сегодня вышло обновление приложения https://example.com/the/new/version @some_english_channel\n#новости_недели download v2.10'
    assert.equal(detector.detect(post).code, 'ru')
    assert.ok(detector.detect(post).score > 0.9)
    assert.equal(detector.detect('𝐁𝐫𝐞𝐚𝐤𝐢𝐧𝐠 𝐧𝐞𝐰𝐬 𝐟𝐫𝐨𝐦 𝐭𝐡𝐞 𝐜𝐚𝐩𝐢𝐭𝐚𝐥').code, 'en')
    assert.equal(detector.detect('Вiн сьогоднi не прийде, бо захворiв').code, 'uk')
  })

  test('is not misled by brands in Latin letters', () => {
    assert.equal(
      detector.detect('Samsung показала новый Galaxy Fold с процессором Snapdragon').code,
      'ru',
    )
    assert.equal(detector.detect('قیمت گوشی Samsung Galaxy Ultra در بازار').code, 'fa')
    assert.equal(
      detector.detect('The word перестройка entered the English language in 1986').code,
      'en',
    )
  })

  /** Made of characters and words that both languages use. */
  const CHINESE = [
    '地震速報 花蓮近海規模5.2',
    '即時速報 立委補選結果',
    '志工募集中 歡迎報名',
    '号外 今晚直播',
    '支付宝 红包 领取',
    '秘密 文件 曝光',
    '授予 荣誉称号',
    '奖励 机制 公布',
    '衛生福利部公告',
  ]
  test('recognises Japanese headlines without kana by their characters', () => {
    for (const text of ['首相会見', '国際会議開催', '大阪株式取引所', '緊急地震速報']) {
      assert.equal(detector.detect(text).code, 'ja', text)
    }
    for (const text of ['国际会议', '國際會議', '總統會見記者', '今日股市报道', ...CHINESE]) {
      assert.equal(detector.detect(text).code, 'zh', text)
    }
  })

  test('gives no language for a text without letters', () => {
    const nothing = { code: null, score: 0, letters: 0 }
    for (const text of ['', '  \n', '12:30 😀', 'https://t.me/durov/1', '@durov', '\ud800']) {
      assert.deepEqual(detector.detect(text), nothing, text)
    }
  })

  test('reports how many letters an answer is based on', () => {
    assert.equal(detector.detect('Привет, мир! 123').letters, 9)
    assert.equal(detector.detect('слово '.repeat(1000)).letters, 400)
  })

  test('gives a known code and a score between 0 and 1 for any string', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
    )
    fc.assert(
      fc.property(text, (input) => {
        const found = detector.detect(input)
        assert.ok(found.code === null || LANGUAGES.has(found.code), String(found.code))
        assert.ok(found.score >= 0 && found.score <= 1)
        assert.deepEqual(detector.detect(input), found)
        const plain = detector.detectObvious(input)
        assert.ok(plain === undefined || LANGUAGES.has(plain.code), plain?.code)
      }),
      { numRuns: 300 },
    )
  })

  test('rejects a damaged model', () => {
    const bytes = readFileSync(MODEL)
    assert.throws(() => createLanguageDetector(bytes.subarray(0, 5000)), /cut short/)
    assert.throws(() => createLanguageDetector(new Uint8Array(64)), /not a fastText model/)
  })
})

describe('plain texts', () => {
  const long = SAMPLES.filter(([, text]) => bucketOf(text) === 2)

  test('include most of the longer texts', () => {
    const plain = long.filter(([code, text]) => detector.detectObvious(text)?.code === code)
    assert.ok(plain.length / long.length > 0.8, `${plain.length} of ${long.length}`)
  })

  test('are never assigned another of the sample languages', () => {
    for (const [code, text] of SAMPLES) {
      const found = detector.detectObvious(text)?.code
      assert.ok(
        found === undefined || found === code || !CODES.includes(found),
        `${found}: ${text}`,
      )
    }
  })

  test('report the letters that were read, and are never short', () => {
    for (const [, text] of long) {
      const found = detector.detectObvious(text)
      if (found && found.letters < 200) assert.equal(found.letters, detector.detect(text).letters)
    }
    assert.equal(detector.detectObvious('Да'), undefined)
  })
})
