import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { holdsStore } from './open-store.ts'
import { locateStore } from './store-location.ts'

test('whether a folder that this user may not enter has a store is left for its opening to tell', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-closed-'))
  chmodSync(folder, 0)
  // Root may enter every folder.
  const isRoot = process.geteuid!() === 0
  if (isRoot) process.seteuid!(65_534)
  t.after(() => {
    if (isRoot) process.seteuid!(0)
    rmdirSync(folder)
  })
  assert.ok(holdsStore(locateStore({ folder })))
})
