import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../simulator/random.ts'
import { eachSegment } from './segment.ts'

const WORDS = {
  Thai: 'ความ การ ประเทศไทย วันนี้ ข่าว รัฐบาล นายก ตลาด เศรษฐกิจ กรุงเทพ มหานคร และ ของ ที่ ตำรวจ น้ำท่วม โรงเรียน',
  Khmer:
    'កម្ពុជា ភ្នំពេញ រដ្ឋាភិបាល ប្រទេស ប្រជាជន ការ និង ជា ព័ត៌មាន ថ្ងៃនេះ ទីក្រុង សាលារៀន ទឹកជំនន់',
  Burmese:
    'မြန်မာ နိုင်ငံ အစိုးရ ပြည်သူ ရန်ကုန် မြို့ သတင်း ယနေ့ ကျောင်း ရေကြီး စီးပွားရေး တွင် သည် များ',
  Lao: 'ລາວ ປະເທດ ລັດຖະບານ ວຽງຈັນ ຂ່າວ ມື້ນີ້ ໂຮງຮຽນ ເສດຖະກິດ ແລະ ຂອງ ບໍ່ ໄດ້',
}

function segments(text: string): string[] {
  const found: string[] = []
  eachSegment(text, 0, text.length, (start, end) =>
    found.push(`${start} ${text.slice(start, end)}`),
  )
  return found
}

test('an unbroken run of any length has the words that it has as a whole', () => {
  const whole = new Intl.Segmenter('th', { granularity: 'word' })
  const random = new Random(7)
  for (const [language, list] of Object.entries(WORDS)) {
    const words = list.split(' ')
    for (let i = 0; i < 20; i++) {
      const text = Array.from({ length: 400 }, () => words[random.int(words.length)]!).join('')
      const expected = [...whole.segment(text)].filter(({ isWordLike }) => isWordLike)
      assert.deepEqual(
        segments(text),
        expected.map(({ index, segment }) => `${index} ${segment}`),
        language,
      )
    }
  }
})

test('a run that is one endless word ends', () => {
  const text = '\u0e01\u0e33'.repeat(5_000)
  const found = segments(text)
  assert.equal(found.map((each) => each.replace(/^\d+ /, '')).join(''), text)
})
