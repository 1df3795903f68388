import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { makePost, startService } from '../api/harness.ts'

const PACKAGES = ['duckdb', 'pandas', 'pyarrow', 'feedparser']
const INSTALL_MS = 900_000
/** More than two row groups. */
const POSTS = 12_000
const START = Date.UTC(2026, 0, 1)
const HOSTILE = 'a "quoted", text\nof two lines, =1+1 😀 \u202e #tag'

interface Found {
  readonly pandas: Readonly<Record<string, unknown>> & { types: Record<string, string> }
  readonly duckdb: readonly unknown[]
  readonly feed: { readonly malformed: boolean; readonly titles: readonly string[] }
}

/**
 * Parquet is read by pandas and DuckDB, feeds by feedparser, in an environment made for it; says so when they cannot be
 * installed.
 */
export async function proveReaders(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-readers-'))
  try {
    const python = install(folder)
    if (python === undefined)
      return `NOT TRIED: ${PACKAGES.join(', ')} cannot be installed here (python3 with venv, and a package index)`
    const parquet = join(folder, 'posts.parquet')
    const rss = join(folder, 'feed.xml')
    await exportPosts(parquet)
    writeFileSync(rss, await feed())
    const script = join(import.meta.dirname, 'exports/read.py')
    const found = JSON.parse(execFileSync(python, [script, parquet, rss]).toString()) as Found
    const { types, ...frame } = found.pandas
    const views = (POSTS * (POSTS + 1)) / 2
    const first = new Date(START + 1000).toISOString().replace('.000Z', '')
    assert.deepEqual(frame, {
      rows: POSTS,
      views,
      first: `${first}+00:00`,
      hashtags: POSTS,
      text: `${HOSTILE} 2`,
      versions: 0,
    })
    assert.deepEqual([types['published_at'], types['edited']], ['datetime64[ms, UTC]', 'bool'])
    assert.deepEqual(found.duckdb.toSpliced(2, 1), [POSTS, views, POSTS, POSTS])
    assert.match(String(found.duckdb[2]), /^2026-01-01 00:00:01/)
    assert.equal(found.feed.malformed, false)
    // Most feed readers take a title for HTML, so what looks like a tag in a post arrives escaped.
    assert.deepEqual(found.feed.titles, ['a "quoted", text &lt;b>bridge&lt;/b> & more'])
    return `${POSTS} posts of Parquet read alike by pandas (pyarrow) and DuckDB; RSS by feedparser`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function install(folder: string): string | undefined {
  const venv = join(folder, 'venv')
  const made = spawnSync('python3', ['-m', 'venv', venv])
  if (made.status !== 0) return undefined
  const pip = spawnSync(join(venv, 'bin/pip'), ['install', '--quiet', ...PACKAGES], {
    timeout: INSTALL_MS,
  })
  return pip.status === 0 ? join(venv, 'bin/python') : undefined
}

async function exportPosts(file: string): Promise<void> {
  const home = makeHome('telegrep-prove-export-')
  const lines = Array.from({ length: POSTS }, (_, i) =>
    JSON.stringify({
      channel: 'late_news',
      id: i + 1,
      date: new Date(START + (i + 1) * 1000).toISOString(),
      text: `${HOSTILE} ${i + 1}`,
      views: i + 1,
    }),
  )
  writeFileSync(join(home.cwd, 'posts.ndjson'), lines.join('\n'))
  const line = `telegrep import posts.ndjson && telegrep export --versions --output ${file}`
  const ran = await runLine(line, { ...home, timeoutMs: 600_000 })
  rmSync(home.cwd, { recursive: true, force: true })
  assert.equal(ran.code, 0, ran.stderr)
}

async function feed(): Promise<string> {
  await using service = await startService()
  const publishedAt = service.clock.now() - 60_000
  const text = 'a "quoted", text <b>bridge</b> & more'
  await service.publish({ username: 'canal_watch' }, [makePost({ number: 1, publishedAt, text })])
  const { status, text: body } = await service.get('/v1/search?q=bridge&format=rss')
  assert.equal(status, 200)
  return body
}
