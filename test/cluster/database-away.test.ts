import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenBefore } from '../cut-proxy.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { startService } from '../start-service.ts'
import { until } from '../until.ts'

test(
  'a service that loses its database answers 503, and recovers with the database',
  { skip: whyNoEngines() ?? false },
  async () => {
    await using pair = await openPair({ store: 'postgres', index: null })
    const url = new URL(pair.env['TELEGREP_DATABASE_URL']!)
    await using proxy = await listenBefore(url.hostname, Number(url.port))
    url.port = String(proxy.port)
    await using service = await startService({
      env: { ...pair.env, TELEGREP_DATABASE_URL: url.href },
      world: { channels: 3, days: 3 },
    })
    await service.settled()
    const [name] = service.names
    const ask = (path: string) => fetch(`${service.url}/v1/${path}`)
    const paths = [
      `search?channel=${name}&sort=newest`,
      `search?channel=${name}&detail=full&facets=channel,day`,
      `search?channel=${name}&collapse=duplicates`,
      `channels/${name}/posts`,
      `channels/${name}`,
      'channels',
      'status',
    ]
    proxy.cut()
    // A rejection that nobody awaits would end this process, and with it the test.
    for (const reply of await Promise.all(paths.map(ask))) {
      const told = await reply.text()
      assert.equal(reply.status, 503, told)
      assert.match(told, /the database could not be used: /)
      assert.ok(!told.includes(url.host), told)
      assert.ok(reply.headers.has('retry-after'))
    }
    proxy.mend()
    for (const path of paths) await until(async () => (await ask(path)).ok)
  },
)
