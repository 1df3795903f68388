/**
 * How often the language of a text is detected correctly, by language and length, and whether scores mean what they say.
 * `node bench/languages.ts FILE… [--only bg,sr] [--as bs=hr] [--show 10]`. A file holds tab-separated lines: the language
 * code, or `und` where the detector should not know, and the text. `--as` counts one language as another. No set is part
 * of this repository.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { readLanguageModel } from '../src/language-model.ts'
import { createLanguageDetector } from '../src/text/language.ts'

interface Told {
  readonly wanted: string
  readonly code: string
  readonly score: number
  readonly text: string
  readonly characters: number
}

const UNKNOWN = 'und'
const LENGTHS = [15, 30, 60, Infinity]
const SCORES = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    as: { type: 'string', default: '' },
    show: { type: 'string', default: '0' },
  },
})
if (positionals.length === 0) throw new Error('name at least one file of codes and texts')
const only = values.only?.split(',')
const counted = new Map(values.as.split(',').map((pair) => pair.split('=') as [string, string]))
const detector = createLanguageDetector(await readLanguageModel())

for (const file of positionals) {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n')
  const started = process.cpuUsage()
  const told = texts.map((line): Told => {
    const [code, text] = line.split('\t') as [string, string]
    const found = detector.detect(text)
    const wanted = counted.get(code) ?? code
    const answer = found.code ?? UNKNOWN
    return {
      wanted,
      code: counted.get(answer) ?? answer,
      score: found.score,
      text,
      characters: [...text].length,
    }
  })
  const { user, system } = process.cpuUsage(started)
  report(basename(file), told, (user + system) / texts.length)
}

function report(name: string, told: readonly Told[], microseconds: number): void {
  const codes = [...new Set(told.map(({ wanted }) => wanted))].toSorted()
  const rows = Object.fromEntries(
    codes
      .filter((code) => !only || only.includes(code))
      .map((code) => [code, accuracies(told.filter(({ wanted }) => wanted === code))]),
  )
  console.log(`\n${name}: ${told.length} texts, ${microseconds.toFixed(0)} µs each`)
  console.table({ ...rows, macro: macro(told, codes) })
  console.table(SCORES.slice(1).map((end, i) => calibration(told, SCORES[i]!, end)))
  const wrong = told.filter((each) => each.code !== each.wanted && (rows[each.wanted] ?? null))
  for (const { wanted, code, score, text } of wrong.slice(0, Number(values.show))) {
    console.log(`${wanted} as ${code} (${score.toFixed(2)}): ${text}`)
  }
}

function accuracies(told: readonly Told[]): Record<string, string | number> {
  const row: Record<string, string | number> = {}
  for (const [i, end] of LENGTHS.entries()) {
    row[heading(i)] = percent(told.filter((each) => isBetween(each, i, end)))
  }
  const wrong = new Map<string, number>()
  for (const { wanted, code } of told) {
    if (code !== wanted) wrong.set(code, (wrong.get(code) ?? 0) + 1)
  }
  const most = [...wrong].toSorted((a, b) => b[1] - a[1]).slice(0, 5)
  return {
    ...row,
    texts: told.length,
    'taken for': most.map(([code, n]) => `${code} ${n}`).join(', '),
  }
}

function macro(told: readonly Told[], codes: readonly string[]): Record<string, string> {
  const row: Record<string, string> = {}
  for (const [i, end] of LENGTHS.entries()) {
    const shares = codes.flatMap((code) => {
      const share = percent(told.filter((each) => each.wanted === code && isBetween(each, i, end)))
      return share === '' ? [] : [Number(share)]
    })
    const mean = shares.reduce((a, b) => a + b, 0) / shares.length
    row[heading(i)] = shares.length === 0 ? '' : mean.toFixed(1)
  }
  return row
}

function calibration(told: readonly Told[], from: number, to: number) {
  const within = told.filter(({ code, score }) => code !== UNKNOWN && score >= from && score < to)
  const mean = within.reduce((sum, { score }) => sum + score, 0) / within.length
  return {
    score: `${from} to ${Math.min(1, to)}`,
    answers: within.length,
    mean: mean.toFixed(3),
    right: percent(within),
    'right, up to 30': percent(within.filter(({ characters }) => characters <= 30)),
  }
}

function isBetween({ characters }: Told, bucket: number, end: number): boolean {
  return characters < end && characters >= (LENGTHS[bucket - 1] ?? 0)
}

function heading(bucket: number): string {
  const [from, to] = [LENGTHS[bucket - 1] ?? 0, LENGTHS[bucket]!]
  return to === Infinity ? `${from} and more` : `${from} to ${to - 1}`
}

function percent(told: readonly Told[]): string {
  if (told.length === 0) return ''
  const right = told.filter(({ wanted, code }) => wanted === code).length
  return ((100 * right) / told.length).toFixed(1)
}
