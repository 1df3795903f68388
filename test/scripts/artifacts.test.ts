import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unpacked, type Artifact } from '../../scripts/engines/artifacts.ts'
import { openPlaces } from '../../scripts/engines/places.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'telegrep-artifacts-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** An archive with one file, fetched by a tool that takes its time. */
function archive(name: string, seconds: number): Artifact {
  const source = join(folder, 'registry', name)
  mkdirSync(source, { recursive: true })
  writeFileSync(join(source, 'content'), `this is ${name}`)
  const file = `${name}.tgz`
  execFileSync('tar', ['czf', join(folder, 'registry', file), '-C', source, 'content'])
  const bytes = readFileSync(join(folder, 'registry', file))
  return {
    file,
    sha512: createHash('sha512').update(bytes).digest('hex'),
    tool: 'sh',
    argsFor: (to) => ['-c', `sleep ${seconds}; cp "$0" "$1"`, join(folder, 'registry', file), to],
  }
}

test('two archives fetched concurrently do not interfere, and neither is fetched twice', async () => {
  const places = openPlaces(join(folder, 'cache'), 'default')
  const both = [archive('quick', 0.1), archive('slow', 0.6)]
  const folders = await Promise.all(both.map((each) => unpacked(each, places)))
  assert.deepEqual(
    folders.map((each) => readFileSync(join(each, 'content'), 'utf8')),
    ['this is quick', 'this is slow'],
  )
  assert.deepEqual(readdirSync(places.downloads).toSorted(), ['quick.tgz', 'slow.tgz'])

  const gone = both.map((each) => ({ ...each, tool: 'no-such-tool' }))
  assert.deepEqual(await Promise.all(gone.map((each) => unpacked(each, places))), folders)
})

test('an archive with the wrong checksum is rejected and leaves nothing behind', async () => {
  const places = openPlaces(join(folder, 'other-cache'), 'default')
  const forged = { ...archive('forged', 0), sha512: 'a'.repeat(128) }
  await assert.rejects(unpacked(forged, places), /its SHA-512 differs/)
  assert.deepEqual(readdirSync(places.downloads), [])
  assert.equal(existsSync(join(places.software, 'forged')), false)
})
