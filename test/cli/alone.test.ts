import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { lockExclusive } from '../../src/store-lock.ts'
import { openStore } from '../../src/store/open-store.ts'
import { locateStore } from '../../src/store/store-location.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { makeHome, runLine } from './telegrep.ts'

const retention = { deleted: 'keep', versions: 'keep' } as const
const STORES = [
  { name: 'files', skip: false },
  { name: 'PostgreSQL', skip: whyNoEngines() ?? false },
]

const REFUSED = [
  'serve',
  'add durov',
  'import -',
  'keys create --tier free',
  'remove durov --reason asked',
  'watch remove storms',
]

for (const { name, skip } of STORES) {
  test(
    `no command starts or writes on ${name} while another has exclusive use of the store`,
    { skip },
    async (t) => {
      const home = makeHome('telegrep-alone-')
      t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
      await using opened = new AsyncDisposableStack()
      const isRemote = name === 'PostgreSQL'
      const pair = isRemote ? opened.use(await openPair({ store: 'postgres', index: null })) : null
      const location = pair
        ? locateStore({ folder: '', url: pair.env['TELEGREP_DATABASE_URL']! })
        : locateStore({ folder: home.env!['TELEGREP_DATA']! })
      const store = opened.use(await openStore({ ...location, retention }))
      opened.use(await lockExclusive(store))
      const env = { ...home.env, ...pair?.env }
      const input = '{"channel": "durov", "id": 1, "date": "2026-01-01T00:00:00Z", "text": "x"}'
      const run = (line: string) =>
        runLine(`telegrep ${line}`, { ...home, env, input, timeoutMs: 60_000 })
      for (const line of REFUSED) {
        const refused = await run(line)
        assert.match(refused.stderr, /^telegrep: a command has .* to itself/m, line)
        assert.equal(refused.code, 1)
      }
      const read = await run('keys list')
      assert.equal(read.code, 0, read.stderr)
    },
  )
}
