import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import { openControl } from './control.ts'
import { openReader } from './reader.ts'

test('a rebuild is no longer reported once its writer has died', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-control-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = createStillClock(Date.UTC(2026, 5, 1))
  const [control, reader] = [openControl(folder, clock), openReader(folder)]
  const isTold = () => reader.state(clock.now()).rebuilding
  control.lock()
  control.startGeneration()
  assert.equal(isTold(), true)
  using file = new DatabaseSync(join(folder, 'control.sqlite'))
  // Above the highest possible process id.
  file.exec('update control set pid = 4194305')
  assert.equal(isTold(), false, 'its process is not there')
  file.exec(`update control set owner = 'elsewhere/1'`)
  assert.equal(isTold(), true, 'out of sight it may live')
  clock.pass(16_000)
  assert.equal(isTold(), false, 'it has been silent')
  reader.close()
  control.close()
})
