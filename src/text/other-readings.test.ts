import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyzeQueryWord } from './analyze-query.ts'
import { otherReadings } from './other-readings.ts'

const readings = (word: string) =>
  otherReadings(word, analyzeQueryWord(word).alternatives[0]!).map((sequence) =>
    sequence.map(({ toks }) => toks.join('|')).join(' '),
  )

for (const [word, expected] of [
  ['F-16', 'f16'],
  ['F16', 'f 16'],
  ['covid-19', 'covid19'],
  ['covid19', 'covid 19'],
  ['Су-34', 'су34'],
  ['T72b', 't 72b'],
  ['1299', '1 299'],
  ['1,299', '1 299'],
  ['1.299', '1299'],
  ["1'000'000", '1000000'],
  ['1000000', '1 000 000'],
  ['1.299,99', '1299 99'],
  ["1'299.99", '1299 99'],
  ['1299.99', '1 299 99'],
  ['1299,9', '1 299 9'],
  ['1,299.99', '1 299 99'],
  ['wi-fi', 'wifi'],
  ['20km', '20 km'],
  ['20км', '20 км'],
  ['20km/h', '20 km h'],
  ['90х', '90 х'],
  ['90-х', '90х'],
  ['С400', 'с 400'],
  ['USD/RUB', 'usdrub'],
  ['U.S', 'us'],
  ['US', 'u s'],
  ['us', 'u s'],
  ['U.S.A', 'usa'],
  ['USA', 'u s a'],
  ['D.C', 'dc'],
  ['EE.UU', 'eeuu'],
  ['EEUU', 'ee uu'],
  ['С.Ш.А', 'сша'],
  ['TikTok', 'tik tok'],
  ['OpenAI', 'open ai'],
  ['StopTheSteal', 'stop the steal'],
] as const) {
  test(`${word} is also searched as ${expected}`, () =>
    assert.deepEqual(readings(word), [expected]))
}

for (const [word, why] of [
  ['2024', 'it is a year'],
  ['A10', '"a 10" says something else'],
  ['с300', '"с 300" says something else'],
  ['ceasefire', 'where to part a word is not known'],
  ['т.е', '"те" says something else'],
  ['a.m', '"am" says something else'],
  ['U.N', '"un" is an article'],
  ['eBay', 'one letter is no part'],
  ['Берлин', 'it has one capital'],
  ['0012', 'it is no count'],
  ['12.99', 'it has no thousands'],
  ['12:30', 'it is a time'],
  ['example.com', 'it is an address'],
] as const) {
  test(`${word} is searched in one way only, since ${why}`, () =>
    assert.deepEqual(readings(word), []))
}

test('the last part of a compound may have other endings', () => {
  const forms = (word: string) => readings(word).at(-1)!.split(' ').at(-1)!.split('|')
  for (const form of ['йорка', 'йорке', 'йорком', 'йорку']) {
    assert.ok(forms('Нью-Йорк').includes(form), form)
  }
  assert.ok(forms('Нью-Йорке').includes('йорк'))
  assert.ok(forms('IT-компания').includes('компании'))
  assert.ok(forms('премьер-министром').includes('министра'))
  assert.ok(forms('air-strike').includes('strikes'))
  assert.ok(forms('IT-companies').includes('company'))
  assert.ok(forms('прем’єр-міністр').includes('міністра'))
  assert.ok(!forms('Нью-Йорк').includes('йоркшир'))
  for (const form of ['йоркская', 'йоркского', 'йоркские', 'йоркских']) {
    assert.ok(forms('нью-йоркский').includes(form), form)
  }
})

test('a word is searched in a bounded number of forms', () => {
  for (const word of ['Нью-Йорк', 'air-strikes', 'web-designer', 'Telegram-канал']) {
    const readings = otherReadings(word, analyzeQueryWord(word).alternatives[0]!)
    assert.ok(readings.length > 0 && readings.length <= 4, `${word}: ${readings.length}`)
    for (const sequence of readings) {
      assert.ok(sequence.every(({ toks }) => toks.length > 0 && toks.length <= 20))
    }
  }
})

test('a date is searched with and without zeros, and with the year first', () => {
  assert.deepEqual(readings('7.10.2023'), ['07 10 2023', '2023 10 07'])
  assert.deepEqual(readings('07/10/2023'), ['7 10 2023', '2023 10 07'])
  assert.deepEqual(readings('2023-10-07'), ['7 10 2023', '07 10 2023'])
})

test('a Slavic name is searched with several endings in Latin letters', () => {
  const [alike] = readings('Zelenskyy')
  for (const spelling of ['zelensky', 'zelenskiy', 'zelenskyi', 'zelenski']) {
    assert.ok(alike!.split('|').includes(spelling), spelling)
  }
  assert.deepEqual(readings('husky'), [])
})

test('a place is found as neighbouring languages spell it, in any form', () => {
  for (const [word, other] of [
    ['Харків', 'харьков'],
    ['Харкові', 'харькова'],
    ['Харьковом', 'харків'],
    ['Києві', 'киев'],
    ['Киева', 'київ'],
    ['Донецьку', 'донецк'],
    ['Запоріжжі', 'запорожье'],
    ['Славянске', 'словянськ'],
    ['Kiew', 'kyiv'],
    ['Hisbollah', 'hezbollah'],
  ] as const) {
    assert.ok(
      readings(word).some((each) => each.split('|').includes(other)),
      word,
    )
  }
  for (const word of ['кий', 'донец', 'крем', 'hezb', 'odes']) assert.deepEqual(readings(word), [])
})

test('a place gets the stems of posts in the other language', () => {
  const typed = analyzeQueryWord('Харкові').alternatives[0]!
  assert.ok(otherReadings('Харкові', typed)[0]![0]!.stems.includes('харьков/ru'))
})

test('a Russian name in -ов is searched in all cases', () => {
  assert.deepEqual(readings('Лавров'), ['лаврова|лаврову|лаврове|лавровым|лавровом'])
  assert.deepEqual(readings('Лаврова'), ['лавров'])
  assert.deepEqual(readings('Сергеев'), ['сергеева|сергееву|сергееве|сергеевым|сергеевом'])
  assert.deepEqual(readings('годовой'), [])
})
