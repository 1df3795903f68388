import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { createSchemas, onDatabase } from '../../../test/postgres.ts'
import { NOON } from '../contract/samples.ts'

const schemas = createSchemas()
after(() => schemas.drop())

test(
  'groups go on after the last number that an integer holds',
  { skip: whyNoEngines() ?? false },
  async () => {
    const { store } = await schemas.open()
    const join = (first: number, key: number) =>
      store.groups.join(
        [first, first + 1].map((number) => {
          return { channelId: 1, number, publishedAt: NOON, keys: [key], bands: [], sketch: [] }
        }),
      )
    await onDatabase(schemas.of(store), (db) =>
      db.script(`select setval('copy_group_ids', ${2 ** 31 - 252})`),
    )
    const groups = []
    for (const key of [1, 2, 3]) {
      const [first, copy] = await join(10 * key, key)
      assert.deepEqual([first!.isCopy, copy!.isCopy, first!.group], [false, true, copy!.group])
      groups.push(first!.group)
    }
    assert.equal(new Set(groups).size, 3)
  },
)
