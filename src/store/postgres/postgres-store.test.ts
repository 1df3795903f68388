import '../../../test/fast-check.ts'
import { after, beforeEach, describe } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { openAtNoon } from '../../../test/open-temporary.ts'
import { createSchemas } from '../../../test/postgres.ts'
import { describeStore } from '../contract/store.ts'
import { describeEqual } from '../contract/equal.ts'

describe('postgres', { skip: whyNoEngines() }, () => {
  const schemas = createSchemas()
  const { open } = schemas
  beforeEach(() => schemas.reuse())
  after(() => schemas.drop())

  describeStore(open)
  describeEqual(open, openAtNoon, 15)
})
