import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { ALLOWED } from '../src/architecture.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { EXIT_CODES } from '../src/cli/command.ts'
import { VARIABLES, defaultOf } from '../src/variables.ts'
import { declareMetrics } from '../src/observe/metrics.ts'
import { QUERY_OPERATORS } from '../src/text/query/query-operators.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

/** The rows of the first table after `heading`, cells trimmed. */
function table(file: string, heading: string): string[][] {
  const text = read(file)
  const at = text.indexOf(heading)
  assert.ok(at >= 0, `${file} has no ${JSON.stringify(heading)}`)
  const lines = text.slice(at).split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const last = lines.findIndex((line, i) => i > first && !line.startsWith('|'))
  return lines.slice(first + 2, last < 0 ? undefined : last).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
}

const code = (text: string) => `\`${text}\``

test('decisions are numbered without gaps, in file names and titles alike', () => {
  const files = globSync('docs/decisions/*.md', { cwd: root }).toSorted()
  const numbers = files.map((file) => Number(/\d{4}/.exec(file)?.[0]))
  assert.deepEqual(
    numbers,
    files.map((_, i) => i + 1),
  )
  assert.deepEqual(
    files.map((file) => Number(/^# (\d+)\. /.exec(read(file))?.[1])),
    numbers,
  )
})

test('decision 12 lists every dependency', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object }
  const rows = table('docs/decisions/0012-few-dependencies.md', '## Consequences')
  const told = rows.flatMap(([names = '']) => names.split(', '))
  assert.deepEqual(told.toSorted(), Object.keys(dependencies).toSorted())
})

test('every relative link in the documents leads to an existing file', () => {
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1] as string)
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(dead, [])
})

/** The anchor of a heading, as Markdown renderers make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

test('every link to a heading in the documents leads to an existing heading', () => {
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)]
      .filter(([, target, anchor]) => {
        const headings = read(target === undefined ? file : join(dirname(file), target))
        return ![...headings.matchAll(/^#+ (.+)$/gm)].some(([, h]) => anchorOf(h!) === anchor)
      })
      .map(([link]) => `${file} → ${link}`),
  )
  assert.deepEqual(dead, [])
})

test('every source file named in a document exists', () => {
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/`((?:src|test|bench|scripts|docs|channels)\/[\w./-]+\.\w+)`/g)]
      .map((match) => match[1] as string)
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(dead, [])
})

test('identifiers and source files named in the contributor documents exist', () => {
  const sources = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root })
  const program = sources.map(read).join('\n')
  const dead = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'].flatMap((file) =>
    [...read(file).matchAll(/`(\w+)(?:\(\))?`|`([\w-]+(?:\/[\w-]+)*\/[\w.-]+\.ts)`/g)]
      .filter(([, name, path]) =>
        path === undefined
          ? /[a-z][A-Z]/.test(name!) && !new RegExp(`\\b${name}\\b`).test(program)
          : !sources.some((source) => `/${source}`.endsWith(`/${path}`)),
      )
      .map(([named]) => `${file} → ${named}`),
  )
  assert.deepEqual(dead, [])
})

test('ARCHITECTURE.md shows the import rules that are enforced', () => {
  const rows = table('ARCHITECTURE.md', '<!-- table: ALLOWED -->').map(([f, , may]) => [f, may])
  const rules = Object.entries(ALLOWED).map(([folder, may]) => [
    code(folder),
    may.length === 0 ? 'nothing' : may.map(code).join(', '),
  ])
  assert.deepEqual(rows, rules)
})

test('ARCHITECTURE.md lists every file directly in src', () => {
  const rows = table('ARCHITECTURE.md', 'Around them stands the frame')
  const named = rows.flatMap(([files = '']) => files.split(', '))
  const files = globSync('src/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  assert.deepEqual(named.toSorted(), files.map((file) => code(basename(file))).toSorted())
})

test('docs/configuration.md lists exactly the variables there are', () => {
  assert.deepEqual(
    table('docs/configuration.md', '# Configuration'),
    Object.entries(VARIABLES).map(([name, v]) => [code(name), defaultOf(v), v.accepts, v.meaning]),
  )
})

test('docs/operating.md lists exactly the metrics there are', () => {
  assert.deepEqual(
    table('docs/operating.md', '## Metrics'),
    Object.values(declareMetrics()).map(({ kind, name, help, labels }) => [
      code(name),
      kind,
      labels.map(code).join(', '),
      help,
    ]),
  )
})

test('docs/command-line.md lists exactly the commands and exit codes there are', () => {
  assert.deepEqual(
    table('docs/command-line.md', '## Commands'),
    COMMANDS.map((c) => [
      code(`${c.name} ${c.operands ?? ''}`.trim().replaceAll('|', '\\|')),
      c.summary.replaceAll('|', '\\|'),
    ]),
  )
  assert.deepEqual(
    table('docs/command-line.md', '## Exit codes'),
    Object.values(EXIT_CODES).map(({ code: c, meaning }) => [String(c), meaning]),
  )
})

test('docs/command-line.md says which commands create a data folder, and which need none', () => {
  const said = /^- \*\*The data folder\*\* is made by (.*?), and not looked at by\s(.*?)\. /ms
  const [, made, untouched] = said.exec(read('docs/command-line.md')) ?? []
  const namesIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  const namesOf = (data: string) => COMMANDS.filter((c) => c.data === data).map((c) => c.name)
  // `restore` creates no data folder, and checks by itself for what it needs.
  const making = namesOf('made').filter((name) => name !== 'restore')
  assert.deepEqual(namesIn(made), making)
  assert.deepEqual(namesIn(untouched), namesOf('untouched'))
})

test('docs/query-language.md lists exactly the operators there are', () => {
  const escaped = (text: string) => text.replaceAll('|', '\\|')
  assert.deepEqual(
    table('docs/query-language.md', '# Query language'),
    QUERY_OPERATORS.map(({ name, example, meaning }) => [
      code(escaped(name)),
      code(escaped(example)),
      escaped(meaning),
    ]),
  )
})
