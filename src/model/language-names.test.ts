import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, parseLanguage, parseLanguageCode } from './language-names.ts'

test('every language has a code, an English name and a native name', () => {
  assert.ok(LANGUAGES.size > 150)
  for (const [code, { name, nativeName }] of LANGUAGES) {
    assert.match(code, /^[a-z]{2,3}$/)
    assert.match(name, /^\p{Lu}\p{L}/u, code)
    assert.ok(nativeName.length > 1, code)
  }
  assert.deepEqual(LANGUAGES.get('fa'), { name: 'Persian', nativeName: 'فارسی' })
})

test('codes are accepted with region, script, other case and in withdrawn forms', () => {
  assert.equal(parseLanguageCode('PT-br'), 'pt')
  assert.equal(parseLanguageCode('zh_Hant_TW'), 'zh')
  assert.equal(parseLanguageCode('iw'), 'he')
  assert.equal(parseLanguageCode('ckb'), 'ckb')
  assert.equal(parseLanguageCode('gsw'), 'gsw', 'no post is found to be in it')
  for (const other of ['', 'e', 'english', 'eng', 'xx', 'zzz', 'und', 'en-', 'ru uk']) {
    assert.equal(parseLanguageCode(other), undefined, other)
  }
})

test('a language is found by its code or its name, however its letters are composed', () => {
  assert.equal(parseLanguage('PT-br'), 'pt')
  assert.equal(parseLanguage('russian'), 'ru')
  for (const form of ['NFC', 'NFD']) {
    assert.equal(parseLanguage('Русский'.normalize(form)), 'ru', form)
    assert.equal(parseLanguage('Français'.normalize(form)), 'fr', form)
  }
  assert.equal(parseLanguage('klingon'), undefined)
})
