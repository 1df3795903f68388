import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startAuthority, whyNoAuthority } from '../../../test/timestamp-authority.ts'
import { sealPackage, type Stamper } from '../../evidence/package.ts'
import { deriveSigningKey } from '../../evidence/signing-key.ts'
import { createStamper } from '../../evidence/timestamp.ts'
import { systemClock } from '../../model/clock.ts'
import { verify as command } from '../definitions/evidence.ts'
import { createPrinter } from '../print.ts'
import { readLine } from '../read-line.ts'

const SUBJECT = { id: 'durov/1', url: 'https://t.me/durov/1' }
const OWN_KEY = '--trust-embedded'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-verify-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function seal(
  file: string,
  { subject = SUBJECT as object, stamper = null as Stamper | null } = {},
): Promise<void> {
  const key = await deriveSigningKey('a secret of some length')
  const about = { subject: subject as typeof SUBJECT, madeBy: {}, files: [] }
  const sealed = await sealPackage({ ...about, key, stamper })
  writeFileSync(file, Buffer.concat(await Array.fromAsync(sealed.pieces())))
}

/** What the command writes to a terminal with colours, and how it exits. */
async function verify(folder: string, argv: readonly string[]) {
  let said = ''
  const stream = { write: (text: string) => (said += text) !== '', columns: 5_000, isTTY: true }
  const line = await readLine(command, argv, {})
  assert.ok(line !== 'help')
  const print = createPrinter({ color: true }, { stdout: stream, stderr: stream })
  const { signal } = new AbortController()
  const exit = await command.run({ ...line, folder, print, signal })
  return { exit, said }
}

test(
  'the line that it names checks the timestamp, which it does not check itself',
  {
    skip: whyNoAuthority() ?? false,
  },
  async (t) => {
    await using authority = await startAuthority()
    const folder = makeFolder(t)
    const stamper = createStamper(authority.url, systemClock, (reason) => assert.fail(reason))
    await seal(join(folder, 'the first.zip'), { stamper })
    const { exit, said } = await verify(folder, ['the first.zip', OWN_KEY])
    assert.equal(exit, 'ok', said)
    assert.match(said, /NOT checked here; with the authority’s root certificate/)
    const line = /^unzip .*/m.exec(said)?.[0] ?? ''
    const run = () => spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
    cpSync(authority.rootFile, join(folder, 'root.pem'))
    const checked = run()
    assert.equal(checked.status, 0, checked.stderr)
    assert.match(checked.stdout, /^Verification: OK$/m)
    await using other = await startAuthority()
    cpSync(other.rootFile, join(folder, 'root.pem'))
    assert.notEqual(run().status, 0, 'of another authority')

    const json = await verify(folder, ['the first.zip', OWN_KEY, '--json'])
    assert.deepEqual(JSON.parse(json.said).timestamp, { checked: false, check: line })
  },
)

test('a package that is made to trip it is named, and those after it are checked', async (t) => {
  const folder = makeFolder(t)
  const hostile = [{ toString: 1 }, [], true].map((id) => ({ ...SUBJECT, id }))
  const files = hostile.map((_, i) => `hostile-${i}.zip`)
  for (const [i, subject] of hostile.entries()) await seal(join(folder, files[i]!), { subject })
  await seal(join(folder, 'good.zip'))
  const { exit, said } = await verify(folder, [...files, 'good.zip', OWN_KEY])
  assert.equal(exit, 'failed')
  assert.equal(said.match(/manifest\.json: expected the manifest of /g)?.length, files.length)
  assert.match(said, /not a byte was changed since it was signed; by whom, only the file says/)
  assert.match(said, /^1 of 4 are as they were signed/m)
  const alone = await verify(folder, [files[0]!, OWN_KEY])
  assert.match(alone.said, /hostile-0\.zip is NOT as it was signed/)
})

test('what a package says about itself stays on its line and has no colours', async (t) => {
  const folder = makeFolder(t)
  const verdict = '\u001b[32mnot a byte was changed since it was signed by this key\u001b[0m'
  const lie = (sign: string) => `a${sign}${verdict}${sign}\u202eb${'x'.repeat(10_000)}`
  const signs = ['\n', '\r\n', '\r', '\u0085', '\u2028', '\v']
  for (const [i, sign] of signs.entries()) {
    const names = ['id', 'url', 'published_at', 'first_captured_at', 'last_captured_at']
    const subject = Object.fromEntries(names.map((name) => [name, lie(sign)]))
    await seal(join(folder, `${i}.zip`), { subject })
    const { said } = await verify(folder, [`${i}.zip`])
    const lines = said.split(/[\n\r\v\u0085\u2028]/)
    // Its three rows, the key, the timestamp, the problem and the verdict.
    assert.equal(lines.length, 8, JSON.stringify(said.slice(0, 500)))
    assert.equal(said.includes('\u001b[32m'), false)
    assert.equal(said.includes('\u202e'), false)
    assert.ok(said.length < 5_000)
    assert.match(said, /is as it was signed, but NOT by a key you know/)
  }
})
