import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealPackage, wholeFile } from '../../src/evidence/package.ts'
import { deriveSigningKey } from '../../src/evidence/signing-key.ts'
import { createStamper } from '../../src/evidence/timestamp.ts'
import { verifyPackage } from '../../src/evidence/verify.ts'
import { systemClock } from '../../src/model/clock.ts'
import { startAuthority, whyNoAuthority } from '../timestamp-authority.ts'

const FILES = { 'post.json': '{"text":"a"}\n', 'media/a.txt': 'x'.repeat(300) }

/** Flips every bit of a stamped package, cuts it at every place and inserts bytes: none passes. `unzip` reads the original. */
export async function proveEvidence(): Promise<string> {
  const why = whyNoAuthority()
  await using authority = why === undefined ? await startAuthority() : undefined
  const key = await deriveSigningKey('a secret of some length')
  const sealed = await sealPackage({
    subject: { id: 'durov/1' },
    madeBy: {},
    files: Object.entries(FILES).map(([name, text]) => wholeFile(name, Buffer.from(text))),
    key,
    stamper: authority
      ? createStamper(authority.url, systemClock, (reason) => assert.fail(reason))
      : null,
  })
  const zip = Buffer.concat(await Array.fromAsync(sealed.pieces()))
  const keys = [key.public]
  assert.deepEqual(verifyPackage(zip, keys).problems, [])
  const isCaught = (bytes: Uint8Array) => verifyPackage(bytes, keys).problems.length > 0
  let tries = 0
  for (let at = 0; at < zip.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(zip)
      changed[at]! ^= 1 << bit
      assert.ok(isCaught(changed), `byte ${at}, bit ${bit}`)
      tries++
    }
    assert.ok(isCaught(zip.subarray(0, at)), `cut at ${at}`)
    const [before, after] = [zip.subarray(0, at), zip.subarray(at)]
    assert.ok(isCaught(Buffer.concat([before, Buffer.from([at % 256]), after])), `more at ${at}`)
    assert.ok(isCaught(Buffer.concat([before, after.subarray(1)])), `less at ${at}`)
    tries += 3
  }
  unzip(zip)
  const stamped = why === undefined ? 'with a stamp' : `without a stamp: ${why}`
  return `${tries} changes of a package of ${zip.length} bytes, ${stamped}: each was found; unzip reads it`
}

function unzip(zip: Uint8Array): void {
  const cwd = mkdtempSync(join(tmpdir(), 'telegrep-unzip-'))
  writeFileSync(join(cwd, 'a.zip'), zip)
  execFileSync('unzip', ['-t', 'a.zip'], { cwd, stdio: 'pipe' })
  execFileSync('unzip', ['a.zip'], { cwd, stdio: 'pipe' })
  for (const [name, text] of Object.entries(FILES))
    assert.equal(readFileSync(join(cwd, name), 'utf8'), text)
  rmSync(cwd, { recursive: true })
}
