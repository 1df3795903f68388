import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { ALLOWED, LIBRARIES, PORTS, WIRED } from './architecture.ts'

const root = import.meta.dirname
const files = globSync('**/*.ts', { cwd: root }).toSorted()
const sources = files.filter((file) => !file.endsWith('.test.ts'))
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : 'frame')

const ENGINES = ['sqlite', 'postgres', 'embedded', 'opensearch']
const ENGINE = new RegExp(`['"/](?:${ENGINES.join('|')})['"/]`)
const CHOOSING = [
  'architecture.ts',
  'store/store-location.ts',
  'store/open-store.ts',
  'search/index-location.ts',
  'search/open-search-index.ts',
]

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:\n[^'"]*?)?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|\bimport\s+['"]([^'"]+)['"]/g

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)].map((m) => (m[1] ?? m[2] ?? m[3]) as string)
}

function localTargets(file: string): string[] {
  return importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(file), target)))
}

test('a folder imports only the folders it is allowed to', () => {
  const wrong: string[] = []
  for (const file of sources) {
    const from = folderOf(file)
    if (from === 'frame') continue
    const allowed = ALLOWED[from]
    assert.ok(allowed, `${from}/ stands in src/ but not in architecture.ts`)
    for (const target of localTargets(file)) {
      const to = folderOf(target)
      if (to !== from && !allowed.includes(to)) wrong.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('only the ports of a seam are imported from outside it', () => {
  const wrong: string[] = []
  for (const file of sources) {
    const from = folderOf(file)
    for (const target of localTargets(file)) {
      const to = folderOf(target)
      const ports = PORTS[to]
      if (to === from || !ports) continue
      const open = from === 'frame' ? [...ports, ...(WIRED[to] ?? [])] : ports
      if (!open.includes(target.slice(to.length + 1))) wrong.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('postings are imported only through their port', () => {
  const home = 'search/embedded/postings/'
  const wrong = files
    .filter((file) => !file.startsWith(home))
    .flatMap((file) => localTargets(file).map((target) => ({ file, target })))
    .filter(({ target }) => target.startsWith(home) && target !== `${home}postings.ts`)
  assert.deepEqual(wrong, [])
})

test('an engine is named only where it is chosen and in its own folder', () => {
  const homes = [...ENGINES, 'contract'].map((folder) => `/${folder}/`)
  const wrong = sources
    .filter((file) => !CHOOSING.includes(file) && !homes.some((home) => file.includes(home)))
    .filter((file) => ENGINE.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(wrong, [])
})

test('faces call operations and never reach into the store or the index', () => {
  const parts = '(?:store|index|live|cards|overview)'
  const reached = new RegExp(`\\b(?:ctx|context)\\.${parts}\\b`)
  const taken = new RegExp(`\\{[^{}]*\\b${parts}\\b[^{}]*\\}\\s*(?:=\\s*ctx\\b|:\\s*Context\\b)`)
  const wrong = sources
    .filter((file) => ['http', 'mcp', 'web'].includes(folderOf(file)))
    .filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return reached.test(text) || taken.test(text)
    })
  assert.deepEqual(wrong, [])
})

test('a library is imported from its own folders only', () => {
  const wrong: string[] = []
  for (const file of sources) {
    for (const target of importsOf(file)) {
      if (target.startsWith('.') || target.startsWith('node:')) continue
      const name = target.startsWith('@')
        ? target.split('/').slice(0, 2).join('/')
        : (target.split('/')[0] as string)
      const homes = LIBRARIES[name]
      if (!homes?.some((home) => file === home || file.startsWith(`${home}/`))) {
        wrong.push(`${file} imports ${target}`)
      }
    }
  }
  assert.deepEqual(wrong, [])
})

const OUTSIDE = ['model/clock.ts', 'model/thread.ts']

test('model and text do no I/O and read no time, except for the clock and threads', () => {
  const wrong = sources
    .filter((file) => ['model', 'text'].includes(folderOf(file)) && !OUTSIDE.includes(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const nodes = importsOf(file).filter((t) => t.startsWith('node:') && t !== 'node:crypto')
      const impure = /\bDate\.now\(|\bMath\.random\(|\bsetTimeout\(|new Date\(\)/.test(text)
      return nodes.length > 0 || impure ? [file] : []
    })
  assert.deepEqual(wrong, [])
})

test('the environment, process.exit and the console are each used only in their own files', () => {
  const homes: readonly [RegExp, readonly string[]][] = [
    // Threads are given the environment unchanged.
    [/\bprocess\.env\b/, ['main.ts', 'model/thread.ts']],
    [/\bprocess\.exit\(/, ['main.ts']],
    [/\bconsole\.\w+\(/, ['cli/print.ts']],
  ]
  const wrong = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return homes
      .filter(([p, at]) => p.test(text) && !at.includes(file))
      .map(([p]) => `${file}: ${p}`)
  })
  assert.deepEqual(wrong, [])
})

const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm

test('every export is used by another file', () => {
  const users = new Map<string, Set<string>>()
  const exported = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(EXPORTED)].map((found) => {
      users.set(found[1]!, new Set())
      return { file, name: found[1]! }
    }),
  )
  const around = ['src', 'test', 'bench', 'scripts'].map((folder) => `${folder}/**/*.ts`)
  for (const file of globSync([...around, '*.ts'], { cwd: join(root, '..') })) {
    const text = readFileSync(join(root, '..', file), 'utf8')
    for (const [word] of text.matchAll(/\w+/g)) users.get(word)?.add(file)
  }
  assert.deepEqual(
    exported.filter(({ name }) => users.get(name)!.size === 1),
    [],
  )
})

test('nothing is shipped that only tests use, but for the simulator', () => {
  const shipped = sources.filter((file) => !/^architecture\.ts$|\/contract\//.test(file))
  const texts = shipped.map((file) => readFileSync(join(root, file), 'utf8'))
  const words = Map.groupBy(texts.join('\n').match(/\w+/g)!, (word) => word)
  const unused = shipped.flatMap((file, i) =>
    [...texts[i]!.matchAll(EXPORTED)]
      .filter(([, name]) => words.get(name!)!.length === 1)
      .map(([, name]) => `${file}: ${name}`),
  )
  assert.deepEqual(
    unused.filter((line) => !line.startsWith('simulator/')),
    [],
  )
})

test('no file is longer than 400 lines', () => {
  const long = files.filter((f) => readFileSync(join(root, f), 'utf8').split('\n').length > 400)
  assert.deepEqual(long, [])
})
