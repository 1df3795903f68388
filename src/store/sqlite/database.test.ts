import assert from 'node:assert/strict'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { turnsOf } from '../../../test/turns-of.ts'
import { openDatabase } from './database.ts'
import { readSchema } from './schema.ts'

test('what is read at once is of one moment, although another process writes meanwhile', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-database-'))
  const path = join(folder.path, 'ledger.db')
  const schema = readSchema('ledger')
  const db = await openDatabase({ path, synchronous: 'normal', schema, cacheKib: 64 })
  using other = new DatabaseSync(path)
  const count = () => db.get<{ n: number }>('select count(*) as n from usage')!.n
  const counts = await db.read(() => {
    const before = count()
    other.exec(`insert into usage values ('caller', 'day', 0, 1, 1)`)
    return [before, count()]
  })
  assert.deepEqual(counts, [0, 0])
  assert.equal(await db.read(count), 1)
  db.close()
})

test('a transaction begun within another one waits for its end', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-database-'))
  const path = join(folder.path, 'ledger.db')
  const schema = readSchema('ledger')
  const db = await openDatabase({ path, synchronous: 'normal', schema, cacheKib: 64 })
  const count = () => db.get<{ n: number }>('select count(*) as n from usage')!.n
  const add = (caller: string) => db.run(`insert into usage values (?, 'day', 0, 1, 1)`, caller)
  const within: Promise<number>[] = []
  await db.write(() => {
    add('a')
    within.push(db.read(count))
    add('b')
  })
  assert.deepEqual(await Promise.all(within), [2])
  db.close()
})

test('a loop over transactions lets other work have its turns', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-database-'))
  const path = join(folder.path, 'ledger.db')
  const schema = readSchema('ledger')
  const db = await openDatabase({ path, synchronous: 'normal', schema, cacheKib: 64 })
  const busy = () => {
    const since = performance.now()
    while (performance.now() - since < 1);
  }
  for (const transaction of [db.read, db.write]) {
    const [turns] = await turnsOf(
      (async () => {
        for (let i = 0; i < 50; i++) await transaction(busy)
      })(),
    )
    assert.ok(turns >= 15, `${turns} turns`)
  }
  db.close()
})

test('a clock that jumps ends no waiting for another process', async (t) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-database-'))
  const path = join(folder.path, 'ledger.db')
  const schema = readSchema('ledger')
  const db = await openDatabase({ path, synchronous: 'normal', schema, cacheKib: 64 })
  using other = new DatabaseSync(path)
  other.exec('begin immediate')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const writing = db.write(() => 'written')
  t.mock.timers.setTime(Date.now() + 3_600_000)
  await setTimeout(50)
  other.exec('commit')
  assert.equal(await writing, 'written')
  db.close()
})
