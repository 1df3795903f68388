import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerFolder, fileOf } from './caller-folder.ts'

test('the caller’s folder is INIT_CWD under npm run, and the working directory otherwise', () => {
  const npm = { npm_lifecycle_event: 'telegrep', npm_package_json: '/repo/package.json' }
  assert.equal(callerFolder({ ...npm, INIT_CWD: '/home/ann/files' }, '/repo'), '/home/ann/files')
  assert.equal(callerFolder({}, '/home/ann'), '/home/ann')
  assert.equal(callerFolder({ INIT_CWD: '/elsewhere' }, '/home/ann'), '/home/ann')
  const inherited = { ...npm, INIT_CWD: '/elsewhere' }
  assert.equal(callerFolder(inherited, '/home/ann'), '/home/ann', 'a program started by a script')
  assert.equal(fileOf({ folder: '/home/ann' }, 'a.csv'), '/home/ann/a.csv')
  assert.equal(fileOf({ folder: '/home/ann' }, '/b.csv'), '/b.csv')
})
