import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { addChannel, sampleProfile, sampleReading } from '../../src/store/contract/samples.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openShell } from './shell.ts'
import { makeHome, runLine, type Ran } from './telegrep.ts'

interface Post {
  readonly id: string
  readonly text: string
  readonly versions?: readonly { readonly text: string }[]
}

const line = (id: number, date: string, text: string) =>
  JSON.stringify({ channel: 'late_news', id, date: `${date}T00:00:00Z`, text, views: id * 10 })

describe('export and import on the command line', () => {
  const options = makeHome('telegrep-export-')
  const folder = options.cwd
  const shell = openShell(options)
  const telegrep = (rest: string): Promise<Ran> => shell.run(`telegrep ${rest}`)
  const path = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  after(async () => {
    await shell[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  before(async () => {
    const posts = [
      line(1, '2024-01-01', 'The old flood, "quoted", #water'),
      line(2, '2026-05-01', '=1+1 floods again\nin two lines'),
      line(3, '2026-06-01', 'Something else'),
    ]
    writeFileSync(path('posts.ndjson'), posts.join('\n'))
    writeFileSync(path('edited.ndjson'), line(3, '2026-06-01', 'Something else, edited'))
    const ran = await telegrep('import posts.ndjson && telegrep import edited.ndjson')
    assert.equal(ran.code, 0, ran.stderr)
  })

  test('a place where no manifest can be written is named before anything is exported', async () => {
    const ran = await telegrep('export --output early.ndjson --manifest nowhere/m.json')
    assert.notEqual(ran.code, 0)
    assert.match(ran.stderr, /there is no folder .*nowhere to write to/)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('early')),
      [],
    )
    const same = await telegrep('export --output early.ndjson --manifest early.ndjson')
    assert.deepEqual([same.code, existsSync(path('early.ndjson'))], [2, false], same.stderr)
  })

  test('posts are exported and imported with their versions, and the manifest describes the file', async () => {
    const ran = await telegrep('export --versions --output all.ndjson')
    assert.equal(ran.code, 0, ran.stderr)
    const posts = read('all.ndjson')
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as Post)
    assert.deepEqual(
      posts.map(({ id, versions }) => [id, versions?.map(({ text }) => text)]),
      [
        ['late_news/1', []],
        ['late_news/2', []],
        ['late_news/3', ['Something else']],
      ],
    )
    const manifest = JSON.parse(read('all.ndjson.manifest.json'))
    const sha256 = createHash('sha256')
      .update(readFileSync(path('all.ndjson')))
      .digest('hex')
    assert.equal(manifest.file.sha256, sha256)
    assert.deepEqual([manifest.posts, manifest.versions], [3, 1])
    assert.equal(manifest.channels[0].username, 'late_news')
    const back = await telegrep(
      'import all.ndjson --own --data other && telegrep export --versions --data other',
    )
    assert.equal(back.code, 0, back.stderr)
    // Languages are detected again, for a channel that has all its posts at once.
    const plain = (text: string) => text.replaceAll(/"language":(?:null|"\w+")/g, '"language":null')
    assert.ok(plain(back.stdout).includes(plain(read('all.ndjson'))), back.stdout)
  })

  test('--query searches posts of any age and works with every format', async () => {
    const old = await telegrep('export --query "flood before:2025-01-01"')
    assert.match(old.stdout, /^\{"id":"late_news\/1".*\n$/, 'operators are those of search')
    const open = await telegrep(`export --query '(flood'`)
    assert.match(open.stderr, /^note: .*\n(?:.*\n)*2 posts$/m, 'what had to be mended is told')
    const lines = ['parquet', 'csv'].map(
      (format) => `telegrep export --query flood --until 2026-05-15 --output some.${format}`,
    )
    const both = await runLine(lines.join(' && '), options)
    assert.equal(both.code, 0, both.stderr)
    const bytes = readFileSync(path('some.parquet'))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    const rows = await parquetReadObjects({ file })
    assert.equal(parquetMetadata(file).num_rows, 2n)
    const [first, second] = rows as Record<string, unknown>[]
    assert.deepEqual(first!['published_at'], new Date('2024-01-01T00:00:00Z'))
    assert.deepEqual([first!['views'], first!['hashtags']], [10n, ['water']])
    assert.equal(second!['text'], '=1+1 floods again\nin two lines')
    const cells: Record<string, string>[] = parse(read('some.csv'), { columns: true })
    assert.deepEqual(
      cells.map(({ id, text }) => [id, text]),
      [
        ['late_news/1', 'The old flood, "quoted", #water'],
        ['late_news/2', "'=1+1 floods again\nin two lines"],
      ],
    )
    assert.equal(JSON.parse(read('some.csv.manifest.json')).query.query, 'flood')
    const marked = await telegrep(
      'export late_news --query quoted --format excel --output excel.csv',
    )
    assert.match(marked.stderr, /^1 post to /)
    assert.match(read('excel.csv'), /^\uFEFFid,/)
  })

  test('an output name with an unsupported ending is rejected with an alternative', async () => {
    for (const [line, words] of [
      ['export --output all.xlsx', /no workbook .* --format excel --output posts\.csv/],
      ['export --format excel --output all.xls', /no workbook/],
      ['export --output all.ndjson.gz', /nothing is compressed here; .* pipe it into gzip/],
    ] as const) {
      const ran = await telegrep(line)
      assert.equal(ran.code, 2, line)
      assert.match(ran.stderr, words, line)
    }
  })

  test('a failed export leaves no file, and an empty one leaves an empty file', async () => {
    const failed = await telegrep('export nobody_here --output none.csv')
    assert.equal(failed.code, 4)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('none')),
      [],
    )
    const turned = await telegrep('export --since 2026-06-01 --until 2026-05-01')
    assert.match(turned.stderr, /--since is not before --until: no post can match/)
    const through = await telegrep('export late_news --output - | wc -l')
    assert.equal(through.stdout.trim(), '3', through.stderr)
    assert.ok(!existsSync(path('-')) && !existsSync(path('-.manifest.json')))
    const empty = await telegrep('export --query nowhere --output empty.parquet')
    assert.equal(empty.code, 0, empty.stderr)
    const bytes = readFileSync(path('empty.parquet'))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    assert.equal(parquetMetadata(file).num_rows, 0n)
  })

  test('under npm run, relative paths start at the folder it was called from', async () => {
    mkdirSync(path('below'))
    writeFileSync(path('below/here.csv'), 'name,link\nOne,https://t.me/named_one\n')
    const npm = `npm_lifecycle_event=telegrep npm_package_json=${path('package.json')}`
    const ran = await runLine(`${npm} INIT_CWD=${path('below')} telegrep add here.csv`, options)
    assert.equal(ran.code, 0, ran.stdout)
    assert.match(ran.stdout, /^named_one +added/)
    assert.match(ran.stderr, /^1 channel to be read for the first time: about \d+ s/m)
    const status = await telegrep('status --json')
    assert.deepEqual(JSON.parse(status.stdout).visits.first_reads.waiting, 1)
    const aside = `${npm} INIT_CWD=${path('below')} telegrep add named_two --data aside`
    assert.match((await runLine(aside, options)).stderr, / serve --data \S*below\/aside\)$/m)
    assert.ok(existsSync(path('below/aside/store.db')))
    const move = `${npm} INIT_CWD=${path('below')} telegrep migrate-store --to moved --from`
    const moved = await runLine(`${move} aside`, options)
    assert.equal(moved.code, 0, moved.stderr)
    assert.ok(existsSync(path('below/moved/store.db')))
    assert.match(
      (await runLine(`${move} nowhere`, options)).stderr,
      /no store in .*\/below\/nowhere$/m,
    )
  })

  test('a Telegram Desktop export is recognised by the number of its channel, and needs --channel if that is unknown', async () => {
    const message = {
      id: 4,
      type: 'message',
      date_unixtime: '1780000000',
      text: 'From the desktop',
    }
    const desktop = { name: 'Late', type: 'public_channel', id: 4321, messages: [message] }
    writeFileSync(path('result.json'), JSON.stringify(desktop, null, 1))
    const unknown = await telegrep('import result.json')
    assert.equal(unknown.code, 3)
    assert.match(
      unknown.stderr,
      /export of “Late”, number 4321: no channel of that number .* --channel/,
    )
    const named = await telegrep('import result.json --channel desk_news')
    assert.match(named.stdout, /^1 added/)
    const texts = async (channel: string) =>
      (await telegrep(`export ${channel}`)).stdout
        .trim()
        .split('\n')
        .map((each) => (JSON.parse(each) as Post).text)
    assert.deepEqual(await texts('desk_news'), ['From the desktop'])
    {
      const retention = { deleted: 'redact', versions: 'keep' } as const
      await using store = await openStore({ kind: 'sqlite', folder: path('data'), retention })
      const { id } = await addChannel(store, 'read_before')
      const profile = sampleProfile('read_before', { platformId: 4321 })
      await store.archive.record(sampleReading(id, { profile, posts: [] }))
    }
    const known = await telegrep('import result.json')
    assert.equal(known.code, 0, known.stderr)
    assert.deepEqual(await texts('read_before'), ['From the desktop'])
  })

  test('stats counts the posts of every channel', async () => {
    const ran = await telegrep('stats --format excel && telegrep stats')
    const [head, ...rows] = ran.stdout.split('\n')
    assert.match(head!, /^\uFEFFchannel,title,status,language,subscribers,posts,/)
    assert.ok(
      rows.some((row) => /^late_news,late_news,imported,\w*,,3,/.test(row)),
      ran.stdout,
    )
    assert.match(ran.stdout, /^posts +5 in all, 2024-01-01 to 2026-06-01$/m)
  })
})
