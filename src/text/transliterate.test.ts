import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from './analyze.ts'
import { otherSpellings } from './other-spellings.ts'
import { transliterations } from './transliterate.ts'

for (const [word, meant] of [
  ['salam', 'سلام'],
  ['habibi', 'حبيبي'],
  ['iran', 'ایران'],
  ['tehran', 'تهران'],
  ['khabar', 'خبر'],
  ['pakistan', 'پاکستان'],
  ['madrasa', 'مدرسة'],
  ['kalimera', 'καλημέρα'],
  ['athina', 'Αθήνα'],
  ['shalom', 'שלום'],
  ['toda', 'תודה'],
  ['seychas', 'сейчас'],
  ['bolshoy', 'большой'],
  ['rossiya', 'Россия'],
  ['novaya', 'новая'],
  ['effekt', 'эффект'],
  ['obyavlenie', 'объявление'],
  ['popytatsya', 'попытаться'],
  ['misto', 'місто'],
] as const) {
  test(`${word} may be ${meant}`, () => {
    const [folded] = analyze(meant, null).tokens
    assert.ok(otherSpellings(word).includes(folded!.tok), transliterations(word).join(' '))
  })
}

test('the number of transliterations is bounded, whatever is typed', () => {
  let most = 0
  for (const word of ['aeiouaeiouaeioua', 'ssssssssssss', 'zzz', 'ab', 'qxjwvyqxjwvyqxjw']) {
    const found = transliterations(word)
    assert.ok(found.length <= 128, `${word}: ${found.length}`)
    assert.ok(found.every((each) => each.length <= 40))
    most = Math.max(most, found.length)
  }
  assert.ok(most > 64, `at most ${most}: the bound was not tried`)
  assert.deepEqual(transliterations('a'.repeat(17)), [])
})
