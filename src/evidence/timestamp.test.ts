import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startAuthority, whyNoAuthority, type Authority } from '../../test/timestamp-authority.ts'
import { until } from '../../test/until.ts'
import { systemClock } from '../model/clock.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { TAG, decode, encode, encodeInteger, encodeOid, oidOf, partsOf } from './der.ts'
import { STAMP, sealPackage, wholeFile } from './package.ts'
import { deriveSigningKey } from './signing-key.ts'
import { StampError, readStamp, stampRequest } from './timestamp.ts'
import { createStamper } from './timestamp-authority.ts'
import { verifyPackage } from './verify.ts'
import { readZip } from './zip.ts'

test('DER is written in its shortest form and decoded again', () => {
  assert.equal(encodeInteger(Buffer.from([0, 0, 5])).toString('hex'), '020105')
  assert.equal(encodeInteger(Buffer.from([0x80])).toString('hex'), '02020080')
  assert.equal(encode(4, Buffer.alloc(200)).subarray(0, 3).toString('hex'), '0481c8')
  assert.equal(encode(4, Buffer.alloc(70_000)).subarray(0, 5).toString('hex'), '0483011170')
  for (const oid of ['2.16.840.1.101.3.4.2.1', '1.2.840.113549.1.7.2', '2.5.29.37'])
    assert.equal(oidOf(decode(encodeOid(oid))), oid)
})

test('bytes that are no timestamp are rejected with a StampError', () => {
  const some = [
    [],
    [0x30],
    [0x30, 0x80],
    [0x30, 0x85, 1, 1, 1, 1, 1],
    [0x30, 3, 2, 1, 2],
    [0xff, 1],
  ]
  for (const bytes of some)
    assert.throws(() => readStamp(Buffer.from(bytes), Buffer.from('m')), StampError)
})

test('an authority that does not answer is given up after 5 s, then paused; at most four requests run at once', async () => {
  let asked = 0
  await using server = createServer(() => void asked++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clock = createManualClock(0)
  const failures: string[] = []
  const stamper = createStamper(`http://127.0.0.1:${port}/`, clock, (why) => failures.push(why))
  const stamp = (text: string) => stamper(Buffer.from(text))
  const slow = ['a', 'b', 'c', 'd', 'a'].map(stamp)
  assert.equal(await stamp('e'), undefined, 'it goes without, at once')
  await until(() => asked === 4)
  await clock.advance(5_000)
  assert.deepEqual(await Promise.all(slow), Array(5).fill(undefined))
  assert.deepEqual(failures, Array(4).fill('the authority did not answer in time'))
  assert.equal(await stamp('f'), undefined, 'it rests')
  assert.equal(asked, 4)
  await clock.advance(60_000)
  const again = stamp('f')
  await until(() => asked === 5)
  await clock.advance(5_000)
  assert.equal(await again, undefined)
  server.closeAllConnections()
})

describe('a timestamp authority', { skip: whyNoAuthority() ?? false }, () => {
  let authority: Authority
  const failures: string[] = []
  const files = [wholeFile('a.txt', Buffer.from('a'))]
  before(async () => {
    authority = await startAuthority()
  })
  after(() => authority[Symbol.asyncDispose]())

  async function seal(text = 'a') {
    const stamper = createStamper(authority.url, systemClock, (reason) => failures.push(reason))
    const key = await deriveSigningKey('a secret of some length', 1)
    const make = async () => {
      const sealed = await sealPackage({
        subject: {},
        madeBy: {},
        files: [...files, wholeFile('b.txt', Buffer.from(text))],
        key,
        stamper,
      })
      return { ...sealed, zip: Buffer.concat(await Array.fromAsync(sealed.pieces())) }
    }
    return { key, first: await make(), again: await make() }
  }

  test('stamps a package once, and the stamp is verified up to its root certificate', async () => {
    const before = authority.asked()
    const { key, first, again } = await seal()
    assert.ok(again.zip.equals(first.zip), 'asked for again it is the same')
    assert.equal(authority.asked() - before, 1)
    const keys = [key.public]
    const trusted = [new X509Certificate(authority.root)]
    const known = verifyPackage(first.zip, { keys, trusted })
    assert.deepEqual(known.problems, [])
    assert.deepEqual([known.stamp?.authority, known.stamp?.isTrusted], ['Stamps', true])
    assert.ok(Math.abs(known.stamp!.at - Date.now()) < 600_000)
    const unknown = verifyPackage(first.zip, { keys })
    assert.deepEqual([unknown.problems, unknown.stamp?.isTrusted], [[], false])
  })

  test('gives a stamp that openssl verifies too', async () => {
    const { first } = await seal()
    const entries = readZip(first.zip)
    const folder = mkdtempSync(join(tmpdir(), 'telegrep-stamp-'))
    const signature = JSON.parse(Buffer.from(entries.at(-1)!.bytes).toString()) as {
      signature: string
    }
    writeFileSync(join(folder, 'stamp'), entries.find(({ name }) => name === STAMP)!.bytes)
    writeFileSync(join(folder, 'signed'), Buffer.from(signature.signature, 'base64'))
    const line = `ts -verify -in stamp -data signed -CAfile ${authority.rootFile}`
    const said = execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'pipe' })
    rmSync(folder, { recursive: true })
    assert.match(said.toString(), /Verification: OK/)
  })

  test('gives a stamp whose changed bytes are detected, and which fits no other content', async () => {
    const { key, first } = await seal()
    const keys = [key.public]
    const stamp = readZip(first.zip).find(({ name }) => name === STAMP)!.bytes
    const start = first.zip.indexOf(stamp)
    for (let at = start; at < start + stamp.length; at += 3) {
      const changed = Buffer.from(first.zip)
      changed[at]! ^= 1 << (at % 8)
      assert.ok(verifyPackage(changed, { keys }).problems.length > 0, `byte ${at}`)
    }
    assert.throws(() => readStamp(stamp, Buffer.from('another')), /the stamp of something else/)
  })

  test('gives a stamp that is rejected if its date does not exist, even if the signature is valid', () => {
    const message = Buffer.from('m')
    const [, imprint] = partsOf(decode(stampRequest(message, Buffer.from([1]))))
    const one = encodeInteger(Buffer.from([1]))
    const stampOf = (time: string) => {
      const at = encode(TAG.generalizedTime, Buffer.from(time))
      const told = encode(imprint!.tag, imprint!.content)
      return authority.sign(encode(TAG.sequence, one, encodeOid('1.2.3.4.1'), told, one, at))
    }
    const real = readStamp(stampOf('20260228235959.25Z'), message)
    assert.equal(real.at, Date.UTC(2026, 1, 28, 23, 59, 59, 250))
    for (const time of ['20261399000000Z', '20260230000000Z', '20260228250000Z'])
      assert.throws(() => readStamp(stampOf(time), message), /it tells no time/, time)
  })

  test('leaves a package without a stamp if its response is an error, invalid, oversized or for other content', async () => {
    const { key, first } = await seal()
    const stamp = readZip(first.zip).find(({ name }) => name === STAMP)!.bytes
    const wrongs = [
      { status: 500, body: Buffer.from('no') },
      { status: 200, body: Buffer.from('no') },
      { status: 200, body: Buffer.alloc(100_000) },
      { status: 200, body: Buffer.from(stamp) },
    ]
    for (const [i, wrong] of wrongs.entries()) {
      authority.answer(wrong)
      failures.length = 0
      const { first: bare } = await seal(`another ${i}`)
      assert.equal(bare.isStamped, false, String(i))
      assert.equal(failures.length, 2, 'each try is told')
      const verdict = verifyPackage(bare.zip, { keys: [key.public] })
      assert.deepEqual([verdict.problems, verdict.stamp], [[], undefined])
    }
    authority.answer(undefined)
  })
})
