import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { onDatabase } from '../postgres.ts'

test(
  'doctor tells of a database that can be read but not written, and which right is missing',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    const home = makeHome('telegrep-rights-')
    t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
    await using pair = await openPair({ store: 'postgres', index: null })
    const url = new URL(pair.env['TELEGREP_DATABASE_URL']!)
    const schema = url.searchParams.get('schema')!
    const role = `${schema}_reader`
    const doctor = (address: string) =>
      runLine('telegrep doctor --offline', {
        ...home,
        env: { ...home.env, ...pair.env, TELEGREP_DATABASE_URL: address },
        timeoutMs: 60_000,
      })
    const well = await doctor(url.href)
    assert.equal(well.code, 0, well.stdout)
    await onDatabase(schema, (db) =>
      db.script(`create role ${role} login password 'tellnobody';
        grant usage on schema ${schema}, ${schema}_ledger to ${role};
        grant select on all tables in schema ${schema}, ${schema}_ledger to ${role}`),
    )
    try {
      url.username = role
      url.password = 'tellnobody'
      const reader = await doctor(url.href)
      assert.equal(reader.code, 1)
      assert.match(reader.stdout, /bad +integrity +.*lacks a right: permission denied for table/)
      await onDatabase(schema, (db) =>
        db.script(`alter role ${role} set default_transaction_read_only = on`),
      )
      const replica = await doctor(url.href)
      assert.equal(replica.code, 1)
      assert.match(replica.stdout, /bad +integrity +.*it only lets read[^]*ok +index[^]*ok +clock/)
    } finally {
      await onDatabase(schema, (db) => db.script(`drop owned by ${role}; drop role ${role}`))
    }
  },
)
