import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { checkpointWal } from './restore.ts'

const root = mkdtempSync(join(tmpdir(), 'telegrep-restore-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** A database whose last row is only in the WAL, as a killed process leaves it. */
function leaveCrashed(path: string): void {
  const running = join(root, 'running.db')
  using db = new DatabaseSync(running)
  db.exec('pragma journal_mode = wal; create table t (x); pragma wal_checkpoint(truncate)')
  db.exec('insert into t values (7)')
  for (const suffix of ['', '-wal']) copyFileSync(`${running}${suffix}`, `${path}${suffix}`)
}

test('checkpointWal writes what a crash left in the log into the file', () => {
  const path = join(root, 'store.db')
  leaveCrashed(path)
  assert.ok(statSync(`${path}-wal`).size > 0)
  checkpointWal(path)
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  using db = new DatabaseSync(path)
  assert.deepEqual({ ...db.prepare('select x from t').get() }, { x: 7 })
})

test('checkpointWal ignores a store that is missing or cannot be opened', () => {
  const path = join(root, 'broken.db')
  writeFileSync(path, 'no database at all, but long enough for a header: '.repeat(4))
  writeFileSync(`${path}-wal`, 'no log')
  checkpointWal(path)
  checkpointWal(join(root, 'missing.db'))
  assert.ok(!existsSync(join(root, 'missing.db')))
})
