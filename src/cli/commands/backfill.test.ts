import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../model/clock.ts'
import { openLocalStore } from '../local.ts'
import { createPrinter } from '../print.ts'
import { readLine } from '../read-line.ts'
import { backfill as command } from '../definitions/archive.ts'

test('backfill --watch reports how the backfill ended', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-backfill-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const line = await readLine(command, ['durov', '--watch', '--data', folder], {})
  assert.ok(line !== 'help')
  const { signal } = new AbortController()
  await using store = await openLocalStore({ ...line, signal })
  const at = systemClock.now()
  await store.archive.addChannel('durov', { at, status: 'queued' })
  const notes: string[] = []
  let removal: Promise<unknown> | undefined
  const print = {
    ...createPrinter({ color: false }),
    note: (text: string) => void notes.push(text),
    progress: () => (removal ??= store.removals.removeChannel('durov', 'asked', at)),
  }
  assert.equal(await command.run({ ...line, print, signal }), undefined)
  await removal
  assert.match(notes[0] ?? '', /^durov: queued/)
  assert.equal(notes[1], 'durov: removed from the archive meanwhile.')
})
