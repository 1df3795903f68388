import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { prepareDataFolder, readChannelsFile, readSecret, readTiers } from './operator-files.ts'

test('a secret is created once, readable by its owner only, and kept', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: join(folder, 'new') })
  const [first, second] = await Promise.all([
    readSecret(config, secrets),
    readSecret(config, secrets),
  ])
  assert.equal(first, second)
  assert.ok(first.length >= 43)
  assert.equal(await readSecret(config, secrets), first)
  assert.equal(statSync(join(folder, 'new', 'secret')).mode & 0o777, 0o600)
})

test('a disk without room for the secret is left without a trace of it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const script = `
    const { readConfig } = await import(${JSON.stringify(new URL('config.ts', import.meta.url))})
    const { readSecret } = await import(${JSON.stringify(new URL('operator-files.ts', import.meta.url))})
    const { config, secrets } = readConfig({ TELEGREP_DATA: ${JSON.stringify(folder)} })
    await readSecret(config, secrets).then(() => 'made', (error) => error.code).then(console.log)`
  // A process that may write no byte into any file.
  const line = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"'
  const ran = spawnSync('sh', ['-c', line, process.execPath, script], { encoding: 'utf8' })
  assert.equal(ran.stdout, 'EFBIG\n', ran.stderr)
  assert.deepEqual(readdirSync(folder), [])
})

test('a configured secret takes precedence', async () => {
  const { config, secrets } = readConfig({ TELEGREP_SECRET: 'sixteen characters and more' })
  assert.equal(await readSecret(config, secrets), 'sixteen characters and more')
})

test('an empty or truncated secret is rejected with the name of its file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder })
  const file = join(folder, 'secret')
  for (const [found, words] of [
    ['', 'is empty'],
    ['too short', 'has fewer than 16 characters'],
  ] as const) {
    writeFileSync(file, found)
    await assert.rejects(readSecret(config, secrets), (error: Error) => {
      assert.equal(error.name, 'OperatorError')
      return error.message.startsWith(`${file} ${words};`)
    })
  }
})

test('an unreadable file is reported with what was expected and what was found', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const gone = join(folder, 'gone')
  for (const [file, found] of [
    [gone, 'nothing there'],
    [folder, 'a folder'],
  ] as const) {
    const { config } = readConfig({ TELEGREP_TIERS: file, TELEGREP_CHANNELS: file })
    await assert.rejects(readTiers(config), (error: Error) =>
      error.message.includes(
        `TELEGREP_TIERS ${file}: expected a file of tiers in JSON, found ${found}`,
      ),
    )
    await assert.rejects(readChannelsFile(config), (error: Error) =>
      error.message.includes(
        `TELEGREP_CHANNELS ${file}: expected a file with a channel a line, found ${found}`,
      ),
    )
  }
  const broken = join(folder, 'tiers.json')
  writeFileSync(broken, '{')
  const { config } = readConfig({ TELEGREP_TIERS: broken })
  await assert.rejects(readTiers(config), /tiers\.json: expected JSON such as \{"anonymous"/)
})

const noProc = existsSync('/proc/self') ? false : 'needs /proc'
test('a data folder that cannot be created is reported by its path', { skip: noProc }, async () => {
  const { config } = readConfig({ TELEGREP_DATA: '/proc/telegrep/data' })
  const message = 'TELEGREP_DATA /proc/telegrep: no folder can be made there'
  await assert.rejects(prepareDataFolder(config), { name: 'OperatorError', message })
})

// Root may write everywhere.
const skip = process.getuid?.() === 0 ? 'needs another user than root' : false
test('files in the data folder that this user cannot write are reported', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { config } = readConfig({ TELEGREP_DATA: folder })
  mkdirSync(join(folder, 'index'))
  for (const file of ['ledger.db', 'index/control.sqlite-wal', 'index'].map((f) =>
    join(folder, f),
  )) {
    if (!file.endsWith('index')) writeFileSync(file, '')
    await prepareDataFolder(config)
    chmodSync(file, 0o400)
    const message = `TELEGREP_DATA ${file}: this user may not write there`
    await assert.rejects(prepareDataFolder(config), { name: 'OperatorError', message })
    chmodSync(file, 0o700)
  }
})
