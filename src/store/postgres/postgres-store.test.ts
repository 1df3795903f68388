import '../../../test/fast-check.ts'
import { after, beforeEach, describe } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { openAtNoon } from '../../../test/open-temporary.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { describeStore } from '../contract/store.ts'
import { describeEqual } from '../contract/equal.ts'
import { describeRecount } from '../contract/recount.ts'

describe('postgres', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const { open } = schemas
  beforeEach(() => schemas.reuse())
  after(() => schemas.drop())

  describeStore(open)
  describeRecount(open, async (store) => {
    await onDatabase(schemas.of(store), (db) =>
      db.script(`update channel_features set value = 'ёлка' where value = 'елка';
        delete from channel_features where kind = 2; update posts set flags = flags & ~1023;
        delete from channel_starts; delete from totals where name like 'derived/%'`),
    )
  })
  describeEqual(open, openAtNoon, 15)
})
