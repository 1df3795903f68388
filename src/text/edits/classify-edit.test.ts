import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertGrowsByLength } from '../../../test/processor-time.ts'
import { classifyEdit } from './classify-edit.ts'

/** The kinds, then what is named as `before → after`. */
function told(before: string, after: string, language: string | null = 'en'): string {
  const { kinds, named } = classifyEdit({ text: before }, { text: after }, language)
  const changes = named.map(({ before: a, after: b }) => `${a ?? '–'} → ${b ?? '–'}`)
  return [kinds.join(' '), ...changes].join('; ')
}

describe('classifyEdit', () => {
  test('recognises changed numbers in the digits of any script', () => {
    assert.equal(told('12 people were hurt.', '21 people were hurt.'), 'number; 12 → 21')
    assert.equal(told('به ۱۲ نفر', 'به ۲۱ نفر', 'fa'), 'number; ۱۲ → ۲۱')
    assert.equal(told('१२ लोग घायल', '२१ लोग घायल', 'hi'), 'number; १२ → २१')
    assert.equal(
      told('At 12:30, -5 degrees', 'At 12:45, 5 degrees'),
      'number; 12:30 → 12:45; -5 → 5',
    )
    assert.equal(told('𝟙𝟘𝟘 people died', '𝟚𝟘𝟘 people died'), 'number; 𝟙𝟘𝟘 → 𝟚𝟘𝟘')
    assert.equal(told('負傷者は12人です', '負傷者は21人です', 'ja'), 'number; 12 → 21')
  })

  test('ends, although an imported link ends inside a character', () => {
    const link = { type: 'link', offset: 0, length: 1, url: 'https://example.org/' } as const
    const before = { text: '😀 at 5', entities: [link] }
    assert.deepEqual(classifyEdit(before, { text: '😀 at 6' }, 'en').kinds, ['number'])
  })

  test('does not take another notation of the same number for a change', () => {
    assert.equal(told('12,000 and 3.5', '12 000 and 3,5'), 'text')
    for (const twelve of ['۱۲', '𝟏𝟐', '𝟷𝟸', '１２', '𞥑𞥒'])
      assert.equal(told(`cost ${twelve}`, 'cost 12', 'fa'), 'text', twelve)
  })

  test('recognises changed names by capitals within a sentence, mentions and quotes', () => {
    assert.equal(
      told('The mayor, Ivan Petrov, said', 'The mayor, Anna Sidorova, said'),
      'name; Ivan Petrov → Anna Sidorova',
    )
    assert.equal(told('ask @durov_one now', 'ask @durov_two now'), 'name; @durov_one → @durov_two')
    assert.equal(
      told('матч выиграл «Спартак»', 'матч выиграл «Зенит»', 'ru'),
      'name; Спартак → Зенит',
    )
    assert.equal(told('映画「春の川」を上映', '映画「冬の山」を上映', 'ja').split(';')[0], 'name')
    assert.equal(
      told('Sie fuhr nach Berlin', 'Sie fuhr nach Hamburg', 'de'),
      'name; Berlin → Hamburg',
    )
  })

  test('takes no capital at the start of a sentence, German noun or headline for a name', () => {
    assert.equal(told('Police said so.', 'Officials said so.'), 'text')
    assert.equal(told('Der Hund lief weg', 'Der Kater lief weg', 'de'), 'text')
    assert.equal(told('FIRE IN THE HARBOUR', 'FLOOD IN THE HARBOUR'), 'text')
    assert.equal(
      told('Petrov left. They saw Petrov.', 'Sidorov left. They saw Petrov.'),
      'name; Petrov → Sidorov',
      'a word known as a name is one at the start, too',
    )
  })

  test('recognises changed links, shown and hidden', () => {
    assert.equal(
      told('See https://a.example/1.', 'See https://a.example/2.'),
      'link; https://a.example/1 → https://a.example/2',
    )
    const entity = { type: 'text_link', offset: 0, length: 4 } as const
    const side = (url: string) => ({ text: 'here', entities: [{ ...entity, url }] })
    const found = classifyEdit(side('https://a.example/'), side('https://b.example/'), 'en')
    assert.deepEqual(found, {
      kinds: ['link'],
      named: [{ kind: 'link', before: 'https://a.example/', after: 'https://b.example/' }],
    })
  })

  test('reports changes of neither text nor links as other', () => {
    const bold = { type: 'bold', offset: 0, length: 4 } as const
    assert.deepEqual(classifyEdit({ text: 'same' }, { text: 'same', entities: [bold] }, 'en'), {
      kinds: ['other'],
      named: [],
    })
  })

  const NEGATIONS: readonly (readonly [language: string, plain: string, negated: string])[] = [
    ['en', 'they will attend', 'they will not attend'],
    ['en', 'it is safe', "it isn't safe"],
    ['ru', 'он был в городе', 'он не был в городе'],
    ['uk', 'він був у місті', 'він не був у місті'],
    ['de', 'sie kommen heute', 'sie kommen heute nicht'],
    ['fr', 'ils viendront', 'ils ne viendront pas'],
    ['es', 'ellos vienen', 'ellos no vienen'],
    ['pt', 'eles vêm', 'eles não vêm'],
    ['tr', 'onlar dün geldi', 'onlar dün gelmedi'],
    ['tr', 'bu güvenli', 'bu güvenli değil'],
    ['fa', 'او دیروز رفت', 'او دیروز نرفت'],
    ['ar', 'سيحضر الوزير', 'لن سيحضر الوزير'],
    ['he', 'הם יבואו מחר', 'הם לא יבואו מחר'],
    ['hi', 'वे कल आएंगे', 'वे कल नहीं आएंगे'],
    ['zh', '他会来', '他不会来'],
    ['ja', '彼は行きます', '彼は行きません'],
    ['ko', '그는 온다', '그는 안 온다'],
    ['am', 'እሱ መጣ', 'እሱ አልመጣም'],
    ['id', 'mereka datang', 'mereka tidak datang'],
  ]
  test('recognises added and removed negations in many languages', () => {
    for (const [language, plain, negated] of NEGATIONS) {
      for (const [a, b] of [
        [plain, negated],
        [negated, plain],
      ] as const) {
        const { kinds } = classifyEdit({ text: a }, { text: b }, language)
        assert.ok(kinds.includes('negation'), `${language}: ${a} → ${b}: ${kinds.join()}`)
      }
    }
    assert.equal(
      told('they will attend', 'they will not attend'),
      'negation; will attend → will not attend',
    )
  })

  test('shows a negation without spaces where its script has none', () => {
    for (const [language, plain, negated, shown] of [
      ['zh', '他会来', '他不会来', '他会 → 他不会'],
      ['th', 'เขาไปตลาด', 'เขาไม่ไปตลาด', 'ไป → ไม่ไป'],
      ['lo', 'ລາວໄປ', 'ລາວບໍ່ໄປ', 'ວໄ → ວບໍ່ໄ'],
      ['km', 'គាត់ទៅផ្សារ', 'គាត់មិនទៅផ្សារ', 'ត់ទៅ → ត់មិនទៅ'],
      ['my', 'သူ သွား', 'သူ မသွားဘူး', 'သူသွား → သူမသွား'],
    ] as const) {
      assert.equal(told(plain, negated, language).split('; ')[1], shown, language)
    }
  })

  test('ignores another way to negate, and negations of other languages', () => {
    assert.ok(!told('it is not so', "it isn't so").includes('negation'))
    assert.equal(told('foi em casa', 'foi no casa', 'pt'), 'text')
    assert.equal(told('foi em casa', 'foi no casa', null), 'text')
  })

  test('reports an added passage as a change of text only', () => {
    const more =
      '\nUPD: 30 more people from Harborview were brought to the clinic, not all of them safe'
    assert.equal(told('A ferry ran aground.', `A ferry ran aground.${more}`), 'text')
  })

  test('reports swapped numbers as changed, but not one whose phrase only moved', () => {
    assert.equal(told('5 cats saw 7 dogs', '7 cats saw 5 dogs').split(';')[0], 'number')
    assert.equal(told('Today 5 cats came', '5 cats came today'), 'text')
  })

  test('accepts any two texts and names at most ten changes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { kinds, named } = classifyEdit({ text: a }, { text: b }, null)
        assert.ok(kinds.length > 0 && !kinds.includes('deleted'))
        assert.ok(named.length <= 10)
        assert.equal(kinds.includes('other'), a === b)
      }),
    )
  })
})

test('the time to classify an edit grows linearly with the length of the text', () => {
  // Edits are classified while they are written to the store: a crafted post must not hold that up.
  const shapes = { a: '\u0323', я: 'x', 不: '', '"A" ': '', မ: '', '7 ': '', aş: 'ı' }
  for (const [unit, end] of Object.entries(shapes)) {
    const edit = (length: number) => {
      const text = unit.repeat(length / unit.length) + end
      classifyEdit({ text }, { text: unit + text }, 'tr')
      classifyEdit({ text }, { text: `x ${text} x` }, null)
    }
    assertGrowsByLength(edit, 8_000, `${unit}…`)
  }
})
