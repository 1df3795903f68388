import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startAuthority, whyNoAuthority, type Authority } from '../../test/timestamp-authority.ts'
import { until } from '../../test/until.ts'
import { systemClock } from '../model/clock.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { STAMP, sealPackage, wholeFile } from './package.ts'
import { deriveSigningKey } from './signing-key.ts'
import { createStamper } from './timestamp.ts'
import { verifyPackage } from './verify.ts'
import { readZip } from './zip.ts'

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
    const key = await deriveSigningKey('a secret of some length')
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

  test('stamps a package once', async () => {
    const before = authority.asked()
    const { key, first, again } = await seal()
    assert.ok(again.zip.equals(first.zip), 'asked for again it is the same')
    assert.equal(authority.asked() - before, 1)
    const { problems, stampedSha256 } = verifyPackage(first.zip, [key.public])
    assert.deepEqual(problems, [])
    assert.match(stampedSha256!, /^[0-9a-f]{64}$/)
  })

  test('gives a stamp whose changed bytes are detected', async () => {
    const { key, first } = await seal()
    const stamp = readZip(first.zip).find(({ name }) => name === STAMP)!.bytes
    const start = first.zip.indexOf(stamp)
    for (let at = start; at < start + stamp.length; at += 3) {
      const changed = Buffer.from(first.zip)
      changed[at]! ^= 1 << (at % 8)
      const [problem] = verifyPackage(changed, [key.public]).problems
      assert.equal(problem?.where, STAMP, `byte ${at}`)
    }
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
      const verdict = verifyPackage(bare.zip, [key.public])
      assert.deepEqual([verdict.problems, verdict.stampedSha256], [[], undefined])
    }
    authority.answer(undefined)
  })
})
