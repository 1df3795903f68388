import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openOutput } from './output.ts'

describe('the output of an export', () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-output-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  const write = async (place: string, text: string) => {
    await using output = await openOutput(place)
    await output.write(Buffer.from(text))
    return { isFile: output.isFile, ...(await output.end()) }
  }

  test('is refused before anything is read if the path cannot be a file', async () => {
    await assert.rejects(openOutput(folder), { message: `${folder} is a folder, expected a file` })
    await assert.rejects(openOutput(path('none/posts.csv')), {
      message: `there is no folder ${path('none')} to write to`,
    })
  })

  test('replaces the target of a symbolic link and keeps the link', async () => {
    writeFileSync(path('monday.csv'), 'old')
    symlinkSync('monday.csv', path('latest.csv'))
    assert.equal((await write(path('latest.csv'), 'new')).name, 'latest.csv')
    assert.ok(lstatSync(path('latest.csv')).isSymbolicLink())
    assert.equal(readFileSync(path('monday.csv'), 'utf8'), 'new')
  })

  test('is written to a named pipe, which stays a pipe', async () => {
    execFileSync('mkfifo', [path('pipe')])
    const read = readFile(path('pipe'), 'utf8')
    const { isFile, name } = await write(path('pipe'), 'through it')
    assert.deepEqual([isFile, name], [false, null])
    assert.equal(await read, 'through it')
    assert.ok(lstatSync(path('pipe')).isFIFO())
  })

  test('is a whole file for each of two concurrent writers, and the last one wins', async () => {
    const [one, other] = [await openOutput(path('a.csv')), await openOutput(path('a.csv'))]
    for (const part of ['1', '2', '3']) {
      await one.write(Buffer.from(part))
      await other.write(Buffer.from(part.repeat(2)))
    }
    await one.end()
    assert.equal(readFileSync(path('a.csv'), 'utf8'), '123')
    await other.end()
    assert.equal(readFileSync(path('a.csv'), 'utf8'), '112233')
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.part')),
      [],
    )
  })
})
