import assert from 'node:assert/strict'
import { globSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startService, type Service } from './start-service.ts'
import { until } from './until.ts'

/** An index is damaged under a running server: it is never silently empty, says why, and recovers by itself. */

const UNLIMITED = fileURLToPath(new URL('fixtures/tiers/open.json', import.meta.url))

async function ask(service: Service): Promise<{ status: number; total: number; reason: unknown }> {
  const response = await fetch(
    `${service.url}/v1/search?limit=1&sort=newest&channel=${service.names.join(',')}`,
  )
  const body = (await response.json()) as { meta?: { total?: { value: number } }; reason?: unknown }
  return { status: response.status, total: body.meta?.total?.value ?? 0, reason: body.reason }
}

const HARMS: Readonly<Record<string, (folder: string) => void>> = {
  'a deleted folder': (folder) => rmSync(folder, { recursive: true }),
  'empty files': (folder) => {
    for (const file of globSync(join(folder, 'generation-*.sqlite'))) truncateSync(file, 0)
  },
}

for (const [name, harm] of Object.entries(HARMS)) {
  test(`a running server rebuilds its index after damage and answers 503 meanwhile: ${name}`, async () => {
    await using service = await startService({
      world: { channels: 4, days: 10 },
      env: { TELEGREP_TIERS: UNLIMITED, TELEGREP_LOG: 'silent' },
    })
    await service.settled()
    const { total } = await ask(service)
    assert.ok(total > 20, `${total} posts`)
    const archived = (await service.app.store.archive.totals()).posts
    harm(join(service.folder, 'index'))
    const refused: unknown[] = []
    await until(async () => {
      const answer = await ask(service)
      if (answer.status !== 200) {
        assert.equal(answer.status, 503)
        refused.push(answer.reason)
        return false
      }
      assert.ok(answer.total >= total * 0.9, `${answer.total} of ${total} found and no word of it`)
      return refused.length > 0
    })
    assert.deepEqual([...new Set(refused)], ['index_rebuilding'])
    assert.ok((await service.app.store.archive.totals()).posts >= archived)
    assert.match(service.app.metrics.text(), /^telegrep_index_damaged_total [1-9]/m)
  })
}
