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

async function seal(file: string, stamper: Stamper | null = null): Promise<void> {
  const key = await deriveSigningKey('a secret of some length')
  const sealed = await sealPackage({ subject: SUBJECT, madeBy: {}, files: [], key, stamper })
  writeFileSync(file, Buffer.concat(await Array.fromAsync(sealed.pieces())))
}

/** What the command writes to a terminal with colours, and how it exits. */
async function verify(folder: string, argv: readonly string[]) {
  let said = ''
  const stream = { write: (text: string) => (said += text) !== '', columns: 200, isTTY: true }
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
    await seal(join(folder, 'the first.zip'), stamper)
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
