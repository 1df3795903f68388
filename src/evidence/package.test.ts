import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  MANIFEST,
  SIGNATURE,
  measureFile,
  sealPackage,
  wholeFile,
  writeDocument,
  type Signature,
} from './package.ts'
import {
  deriveSigningKey,
  publicKey,
  readKeys,
  type PublicKey,
  type SigningKey,
} from './signing-key.ts'
import { verifyPackage } from './verify.ts'
import { readZip, writeZip, type ZipEntry } from './zip.ts'

const SECRET = 'a secret of some length'
const OTHER_SECRET = 'another secret'
let key: SigningKey
let keys: PublicKey[]
let zip: Buffer

before(async () => {
  key = await deriveSigningKey(SECRET)
  keys = [key.public]
  zip = (await seal({ 'post.json': '{"text":"a"}\n', 'page.html': '<p>a</p>\n' })).zip
})

async function seal(files: Readonly<Record<string, string>>, sealedBy = key) {
  const sealed = await sealPackage({
    subject: { id: 'durov/1' },
    madeBy: { program: 'telegrep' },
    files: Object.entries(files).map(([name, text]) => wholeFile(name, Buffer.from(text))),
    key: sealedBy,
    stamper: null,
  })
  return { zip: Buffer.concat(await Array.fromAsync(sealed.pieces())) }
}

function wordsOf(bytes: Uint8Array): string[] {
  return verifyPackage(bytes, keys).problems.map(({ where, what }) => `${where}: ${what}`)
}

test('a package verifies with the given key, and the same content gives the same bytes', async () => {
  const verdict = verifyPackage(zip, keys)
  assert.deepEqual(verdict.problems, [])
  assert.ok(verdict.isKeyKnown)
  assert.deepEqual(verdict.manifest?.subject, { id: 'durov/1' })
  const again = await seal({ 'post.json': '{"text":"a"}\n', 'page.html': '<p>a</p>\n' })
  assert.ok(again.zip.equals(zip), 'the same content gives the same bytes')
})

test('a package of files read in pieces equals one of whole files, and changed pieces are rejected', async () => {
  const texts = ['{"te', 'xt":"a"}\n']
  const pieces = async function* () {
    for (const text of texts) yield Buffer.from(text)
  }
  const file = await measureFile({ name: 'post.json', pieces })
  const about = { subject: { id: 'durov/1' }, madeBy: { program: 'telegrep' }, stamper: null }
  const page = wholeFile('page.html', Buffer.from('<p>a</p>\n'))
  const sealed = await sealPackage({ ...about, key, files: [file, page] })
  assert.ok(Buffer.concat(await Array.fromAsync(sealed.pieces())).equals(zip))
  assert.equal(sealed.length, zip.length)
  for (const [otherwise, text] of [
    ['longer', 'xt":"ab"}\n'],
    ['shorter', ''],
  ] as const) {
    texts[1] = text
    await assert.rejects(Array.fromAsync(sealed.pieces()), /not what was measured/, otherwise)
  }
})

test('every changed byte is detected and located', () => {
  for (let at = 0; at < zip.length; at++) {
    const changed = Buffer.from(zip)
    changed[at]! ^= 1 << (at % 8)
    const { problems } = verifyPackage(changed, keys)
    assert.ok(problems.length > 0, `byte ${at}`)
    assert.ok(
      problems.every(({ where, what }) => where !== '' && what !== ''),
      `byte ${at}`,
    )
  }
})

test('a file that was changed is named', () => {
  const at = zip.indexOf('<p>a</p>') + 3
  const changed = Buffer.from(zip)
  changed[at] = 'b'.charCodeAt(0)
  assert.match(wordsOf(changed).join('\n'), /^page\.html: changed: its SHA-256 is /)
})

test('truncated, inserted, appended and prepended bytes are detected', () => {
  for (let length = 0; length < zip.length; length += 7)
    assert.ok(wordsOf(zip.subarray(0, length)).length > 0, `${length} bytes`)
  assert.deepEqual(wordsOf(Buffer.concat([zip, Buffer.from('x')])), [
    `the ZIP: byte ${zip.length}: something follows the end of the ZIP`,
  ])
  assert.ok(wordsOf(Buffer.concat([Buffer.from('x'), zip])).length > 0)
  for (let at = 0; at <= zip.length; at += 7) {
    const longer = Buffer.concat([zip.subarray(0, at), Buffer.from([0]), zip.subarray(at)])
    assert.ok(wordsOf(longer).length > 0, `a byte more at ${at}`)
  }
})

/** The package with other files, made into a proper ZIP again. */
function rezip(change: (entries: ZipEntry[]) => ZipEntry[]): Buffer {
  return Buffer.from(writeZip(change(readZip(zip))))
}

test('added, missing, duplicate, unsafely named and reordered files are detected', () => {
  const more = { name: 'more.txt', bytes: Buffer.from('x') }
  assert.deepEqual(wordsOf(rezip((all) => [more, ...all])), ['more.txt: it is not in the manifest'])
  assert.deepEqual(wordsOf(rezip((all) => all.slice(1))), ['post.json: missing'])
  assert.deepEqual(wordsOf(rezip((all) => [...all, all[0]!])), [
    `the ZIP: byte ${rezip((all) => all).indexOf('PK\u0001\u0002')}: post.json is there twice`,
  ])
  for (const name of ['../../etc/passwd', '/etc/passwd', 'a/../../b', 'C:\\x', '.bashrc', 'a//b']) {
    assert.match(wordsOf(rezip((all) => [...all, { name, bytes: more.bytes }]))[0]!, /is no name$/)
  }
  assert.deepEqual(wordsOf(rezip((all) => [all[1]!, all[0]!, ...all.slice(2)])), [
    'the ZIP: its files are not in the order they were signed in',
  ])
})

test('bytes that are no package, and oversized archives, are rejected', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(1000, 0x50)])
    assert.match(wordsOf(bytes)[0]!, /^the ZIP: byte 0: expected a ZIP/)
  const bomb = Buffer.from(zip)
  bomb.writeUInt32LE(0xffffffff, 18)
  assert.match(wordsOf(bomb)[0]!, /longer than the whole file/)
  const many = Array.from({ length: 2000 }, (_, i) => ({ name: `f${i}`, bytes: Buffer.alloc(0) }))
  assert.match(wordsOf(writeZip(many))[0]!, /more than 1000 files/)
})

test('a package signed by another key verifies, but its key is reported as unknown', async () => {
  const other = await deriveSigningKey(OTHER_SECRET)
  assert.notEqual(other.public.kid, key.public.kid)
  const { zip: forged } = await seal({ 'post.json': '{"text":"b"}\n' }, other)
  const verdict = verifyPackage(forged, keys)
  assert.deepEqual([verdict.problems, verdict.isKeyKnown], [[], false])
  assert.equal(verifyPackage(forged).isKeyKnown, false, 'nor without any key')
})

test('a signature of another key under the known key’s id is rejected', async () => {
  const other = await deriveSigningKey(OTHER_SECRET)
  const forged = await seal({ 'post.json': '{"text":"b"}\n' }, other)
  const entries = readZip(forged.zip).map(({ name, bytes }) => {
    if (name !== SIGNATURE && name !== MANIFEST) return { name, bytes }
    const json = JSON.parse(Buffer.from(bytes).toString()) as Signature
    const { kid: key_id, x: public_key } = key.public
    const own = name === SIGNATURE ? { ...json, key_id, public_key } : { ...json, key_id }
    return { name, bytes: writeDocument(own) }
  })
  const words = wordsOf(writeZip(entries))
  assert.ok(words.includes('signature.json: the signature is not of this key'), words.join('\n'))
})

test('keys are read from the published document or from a single key', () => {
  const document = JSON.stringify({ current: key.public.kid, keys: [key.public] })
  assert.deepEqual(readKeys(document), keys)
  assert.deepEqual(readKeys(JSON.stringify(publicKey(key.public.x))), keys)
  assert.deepEqual(readKeys(JSON.stringify({ ...key.public, kid: 'lies' })), keys)
  for (const none of ['', '{}', '[]', '{"keys":[]}', '{"crv":"Ed25519","x":"AAAA"}', 'null'])
    assert.equal(readKeys(none), undefined, none)
})

test('the signing key depends on the secret alone', async () => {
  assert.deepEqual((await deriveSigningKey(SECRET)).public, key.public)
  assert.notDeepEqual((await deriveSigningKey(OTHER_SECRET)).public, key.public)
})
