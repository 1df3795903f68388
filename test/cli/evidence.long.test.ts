import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createEvidence } from '../../src/evidence/evidence.ts'
import { openShell } from './shell.ts'
import { makeHome, type Ran, type RunOptions } from './telegrep.ts'

const LINE =
  '{"channel": "late_news", "id": 7, "date": "2026-11-01T00:00:00Z", "text": "The bridge is open"}'

describe('evidence on the command line', () => {
  const home = makeHome('telegrep-evidence-')
  const options: RunOptions = {
    ...home,
    env: { ...home.env, TELEGREP_SECRET: 'a secret of the tests' },
  }
  const folder = options.cwd
  const shell = openShell(options)
  const telegrep = (line: string): Promise<Ran> => shell.run(`telegrep ${line}`)
  let document = ''

  before(async () => {
    writeFileSync(join(folder, 'posts.ndjson'), LINE)
    const secret = 'a secret of the tests'
    document = JSON.stringify(await createEvidence({ secret, stamper: null }).keys())
    writeFileSync(join(folder, 'keys.json'), document)
    const ran = await telegrep('import posts.ndjson && telegrep evidence late_news/7')
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, /late_news-7-evidence\.zip, .* signed with key /)
  })
  after(async () => {
    await shell[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('the command suggested for verification names the actual file', async () => {
    const ran = await telegrep("evidence late_news/7 --output 'the seventh.zip'")
    const told = / verify (.*) --key /.exec(ran.stderr)?.[1]
    assert.equal(told, "'the seventh.zip'", ran.stderr)
    const checked = await telegrep(`verify ${told} --key keys.json`)
    assert.equal(checked.code, 0, checked.stderr)
  })

  test('an earlier package is replaced by a complete one and never written over', async () => {
    const place = join(folder, 'again.zip')
    await telegrep('evidence late_news/7 --output again.zip')
    const earlier = openSync(place, 'r')
    const ran = await telegrep('evidence late_news/7 --output again.zip')
    assert.equal(ran.code, 0, ran.stderr)
    assert.notEqual(fstatSync(earlier).ino, statSync(place).ino)
    closeSync(earlier)
    const none = await telegrep('evidence late_news/7 --output nowhere/x.zip')
    assert.match(none.stderr, /there is no folder .*nowhere to write to/)
  })

  test('several posts get a file each, and missing posts are named', async () => {
    writeFileSync(join(folder, 'more.ndjson'), LINE.replace('7', '8'))
    const posts = 'late_news/8 late_news/99 https://t.me/late_news/7'
    const ran = await telegrep(`import more.ndjson && telegrep evidence ${posts}`)
    assert.equal(ran.code, 3, ran.stderr)
    assert.deepEqual(
      [...ran.stdout.matchAll(/late_news-(\d)-evidence\.zip, /g)].map(([, number]) => number),
      ['8', '7'],
    )
    assert.match(
      ran.stderr,
      /^late_news\/99: the channel late_news has no post 99 here\n.* verify late_news-7/m,
    )
    const one = await telegrep('evidence late_news/8 late_news/7 --output both.zip')
    assert.equal(one.code, 2)
    assert.match(one.stderr, /--output is for one post; found 2/)
    assert.equal((await telegrep('evidence late_news/99')).code, 4)
  })

  test('a package is verified with keys from a file or an address, without any data folder', async () => {
    const file = await telegrep('verify late_news-7-evidence.zip --key keys.json --data none')
    assert.equal(file.code, 0, file.stdout)
    assert.match(file.stdout, /^post +late_news\/7/m)
    assert.match(file.stdout, /not a byte was changed since it was signed by this key/)
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      response.end(document)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const far = await telegrep(`verify late_news-7-evidence.zip --key ${address} --json`)
    server.close()
    assert.equal(far.code, 0, far.stdout)
    assert.deepEqual(asked, ['/.well-known/telegrep-key.json'])
    const { verified, key_known: known } = JSON.parse(far.stdout)
    assert.deepEqual([verified, known], [true, true])
  })

  test('an address that does not send its keys within 15 seconds is named', async (t) => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    t.after(() => (server.closeAllConnections(), server.close()))
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stderr } = await telegrep(`verify late_news-7-evidence.zip --key ${address}`)
    assert.equal(code, 1)
    const path = `${address}/.well-known/telegrep-key.json`
    assert.equal(
      stderr,
      `telegrep: the key of ${path} could not be read: it does not answer within 15 s\n`,
    )
  })

  test('several packages are verified independently of each other', async () => {
    writeFileSync(join(folder, 'note.txt'), 'no package')
    const good = 'late_news-7-evidence.zip'
    const ran = await telegrep(`verify nowhere.zip ${good} note.txt --key keys.json`)
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /^there is no file nowhere\.zip\n\npost +late_news\/7/)
    assert.match(ran.stdout, /signed by this key\n\nnote\.txt is no package of evidence/)
    assert.match(ran.stderr, /^1 of 3 are as they were signed, by a key you trust\./m)
    const json = await telegrep(`verify note.txt ${good} --key keys.json --json`)
    const told = json.stdout.trim().split('\n')
    assert.deepEqual(
      told.map((line) => (JSON.parse(line) as { verified: boolean }).verified),
      [false, true],
    )
    assert.equal((await telegrep(`verify ${good} ${good} --key keys.json`)).code, 0)
  })

  test('the key inside a package is trusted only with --trust-embedded', async () => {
    const silent = await telegrep('verify late_news-7-evidence.zip')
    assert.equal(silent.code, 1)
    assert.match(silent.stdout, /only the file itself says whose that is; name the archive/)
    const said = await telegrep('verify late_news-7-evidence.zip --trust-embedded')
    assert.equal(said.code, 0, said.stdout)
    assert.match(said.stdout, /by whom, only the file says/)
    const { keys } = await createEvidence({ secret: 'x', stamper: null }).keys()
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ keys }))
    const other = await telegrep('verify late_news-7-evidence.zip --key other.json')
    assert.equal(other.code, 1)
    assert.match(other.stdout, /is none of those given/)
    assert.match(other.stdout, /is as it was signed, but NOT by a key you know/)
  })

  test('a changed byte fails verification, and the changed file is named', async () => {
    const bytes = readFileSync(join(folder, 'late_news-7-evidence.zip'))
    bytes[bytes.indexOf('The bridge')]! ^= 1
    writeFileSync(join(folder, 'changed.zip'), bytes)
    const ran = await telegrep('verify changed.zip --key keys.json')
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /^page\.html: changed: its SHA-256 is /m)
    assert.match(ran.stdout, /changed\.zip is NOT as it was signed/)
    const none = await telegrep('verify nothing.zip --key keys.json')
    assert.equal(none.code, 4)
    assert.match(none.stderr, /there is no file nothing\.zip/)
    const list = await telegrep('verify keys.json --key keys.json')
    assert.equal(list.code, 1)
    assert.match(list.stderr, /keys\.json is no package of evidence/)
  })
})
