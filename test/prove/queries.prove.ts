/**
 * Nothing typed is refused for its form, and parsing it is quick. `npm run prove -- queries [-- FILE…]` parses every line of
 * the files as a query, or 100 000 generated ones if none is named, and some made to be slow. Only values that an operator
 * does not accept, and lines with nothing to search for or only negations, may be refused; `strict=true` is not tried.
 */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { AppError } from '../../src/model/errors.ts'
import { createRandom } from '../../src/search/contract/sample.ts'
import { readQuery } from '../../src/text/query/read-query.ts'

const NOW = Date.UTC(2026, 4, 31, 12)
const GENERATED = 100_000
/** Processor time, because that is how long a request blocks its thread; generous, for a busy machine. */
const MAX_MS = 250

const files = process.argv.slice(2)
const queries =
  files.length > 0
    ? files.flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.trim()),
      )
    : generate(GENERATED)
// Queries made to be slow may contain a value that an operator does not accept; they only have to be quick.
const typed = report('queries', queries)
const slow = report('hostile', hostile())
process.exitCode = typed.refused === 0 && Math.max(typed.maxMs, slow.maxMs) <= MAX_MS ? 0 : 1

function report(
  name: string,
  lines: readonly string[],
): { readonly refused: number; readonly maxMs: number } {
  const times: number[] = []
  const refused: string[] = []
  let mended = 0
  let empty = 0
  let excluding = 0
  for (const q of lines) {
    const { user } = process.cpuUsage()
    const started = performance.now()
    try {
      if (readQuery(q, { now: NOW }).repair) mended++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // Only the author of the query can know what an exclusion excludes from.
      if (/negations alone/.test(error.message)) excluding++
      else if (/[\p{L}\p{N}]/u.test(q)) refused.push(`${error.message}: ${q.slice(0, 120)}`)
      else empty++
    }
    // The wall clock is finer than the system's count of processor time, and never less than it.
    times.push(Math.min(performance.now() - started, (process.cpuUsage().user - user) / 1000 + 1))
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(3)
  console.log(
    `${name}: ${lines.length} read, ${mended} mended, ${empty} without a word, ${excluding} of negations alone, ${refused.length} refused; ` +
      `ms p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`,
  )
  for (const each of refused.slice(0, 10)) console.log(`  ${each}`)
  return { refused: refused.length, maxMs: times.at(-1)! }
}

/** Words of many scripts with every sign of the grammar, in places where people put them. */
function generate(count: number): string[] {
  const random = createRandom(21)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const words =
    'flood market privacy цены погода наводнение قیمت سلام שלום 東京 서울 नमस्ते καλημέρα café naïve COVID-19 5G'.split(
      ' ',
    )
  const signs =
    '" “ ” « » \' ( ) [ ] { } - -- — | || * ** ? ! : ; , . … / \\ + = ~ ^ % & # @ $ < > 🔥 :) :-( ¿ ¡'.split(
      ' ',
    )
  const pieces = [
    () => pick(words),
    () => pick(words),
    () => pick(words),
    () => pick(signs),
    () => pick(signs) + pick(words),
    () => pick(words) + pick(signs),
    () => pick(['OR', 'AND', 'NOT', 'or', 'and', 'not', 'RT', 'is', 'has']),
    () =>
      pick(['https://example.com/a?b=c', 't.me/name/1', '@name', '#tag', '$BTC', '-22°C', '12:30']),
  ]
  return Array.from({ length: count }, () => {
    const length = 1 + Math.floor(random() ** 2 * 40)
    // At least one word: there must be something to search for.
    return [pick(words), ...Array.from({ length }, () => pick(pieces)())].join(
      random() < 0.9 ? ' ' : '',
    )
  })
}

/** What makes parsers slow: nesting, repetition, length, and all of these combined. */
function hostile(): string[] {
  const parts = [
    '(',
    ')',
    '"',
    '-',
    '|',
    'OR ',
    'a ',
    'a* ',
    '"a b" ',
    '(a|',
    '-(',
    'NOT ',
    '@',
    '#',
    'https://',
    '🔥',
    'ё',
    '\u0301',
    'from:',
    'a:',
    '= ',
    '~',
  ]
  return parts.flatMap((part) => [
    ...[60, 600, 6_000].map((times) => `flood ${part.repeat(times)}`),
    ...parts.map((other) => `flood ${`${part}${other}`.repeat(2_000)}`),
  ])
}
