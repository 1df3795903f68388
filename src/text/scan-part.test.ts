import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { createBulk } from '../../test/simulated/bulk-posts.ts'
import { analyze, collect } from './analyze.ts'
import { firstLetters } from './first-letters.ts'
import { lexiconOf } from './lexicon.ts'
import { scanSigned } from './scan-part.ts'
import { scan } from './scan.ts'
import type { Sink } from './sink.ts'

/** Difficult cases for a scanner, in texts of every script. */
const words =
  'Run running l\'homme \u0441lub Ёлки день می\u200cخواهم الحكومة وزير 大学生 ไทยแลนด์ ａ ß צה"ל ሰላም ء é \u0301'
const numbers =
  '1,000 5G U.S. end.Next www example.com https://t.me/durov/1?x=#y) http://www a@b.org'
const signs = '#tag #tag@durov @durov $BTC #大学 — « … : . # 🔥 👩‍👩‍👧'
const spaces = [' ', ' ', ' ', '\n', '\t', '\u00a0', '\u200b', '\ud800', '1\u00a0000']
const piece = fc.constantFrom(...`${words} ${numbers} ${signs}`.split(' '), ...spaces)
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
const language = fc.constantFrom(null, 'en', 'ru', 'fa', 'ar', 'tr')

function assertAsInWhole(of: string, asked: readonly string[], lang: string | null): void {
  const lexicon = lexiconOf(lang)
  const wants = firstLetters(asked, lang)!
  const whole = analyze(of, lang).tokens
  const part = collect(of, lexicon, lexicon.cutsSuffix, wants).tokens
  const at = (token: { start: number; end: number; tok: string; stem: string }) =>
    `${token.start}-${token.end} ${token.tok} ${token.stem}`
  const places = new Map(whole.map((token, i) => [at(token), i]))
  const wanted = whole.filter(({ tok, stem }) => asked.includes(tok) || asked.includes(stem))
  const found = new Set(part.map(at))
  assert.deepEqual(
    wanted.filter((token) => !found.has(at(token))),
    [],
    'words that are wanted and were not read',
  )
  for (const [i, token] of part.entries()) {
    if (token.tok === '') continue
    const place = places.get(at(token))
    assert.ok(place !== undefined, `${at(token)} is no word of the whole text`)
    const next = part[i + 1]
    if (next === undefined || next.tok === '') continue
    assert.equal(places.get(at(next)), place + 1, `${at(token)} and ${at(next)} are neighbours`)
  }
}

test('words that may be wanted are read as in the whole text, with their neighbours', () => {
  fc.assert(
    fc.property(text, language, fc.nat(), (of, lang, pick) => {
      const { tokens } = analyze(of, lang)
      const chosen = tokens[pick % Math.max(1, tokens.length)]
      if (chosen) assertAsInWhole(of, [chosen.tok, chosen.stem], lang)
    }),
    { numRuns: 2000 },
  )
})

test('words of posts in every language are read as in the whole text', () => {
  const bulk = createBulk({ seed: 4, count: 600, channels: 100 })
  for (let i = 0; i < 600; i++) {
    const { channel, post } = bulk.post(i)
    const { tokens } = analyze(post.text, channel.language)
    const chosen = tokens[i % Math.max(1, tokens.length)]
    if (!chosen || !firstLetters([], channel.language)) continue
    assertAsInWhole(post.text, [chosen.tok, chosen.stem], channel.language)
  }
})

test('scanSigned finds the same tags, mentions and addresses as a full scan', () => {
  const SIGNS = /[#＃]|[@$][A-Za-z]|\.\p{L}|:\/\//gu
  fc.assert(
    fc.property(text, (of) => {
      const [whole, part] = [sinkOfEntities(), sinkOfEntities()]
      scan(of, whole)
      scanSigned(of, part, SIGNS)
      const tags = (found: readonly string[]) => found.filter((each) => !each.startsWith('emoji:'))
      assert.deepEqual(tags(part.found), tags(whole.found))
    }),
    { numRuns: 2000 },
  )
})

function sinkOfEntities(): Sink & { readonly found: string[] } {
  const found: string[] = []
  return {
    found,
    word() {},
    ideographs() {},
    southeast() {},
    entity: (term, start, end) => found.push(`${term} ${start}-${end}`),
  }
}
