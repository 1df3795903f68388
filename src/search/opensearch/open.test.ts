import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { systemClock } from '../../model/clock.ts'
import { openIndexWriter, openSearchIndex } from '../open-search-index.ts'

const servers: { close(): void }[] = []
after(() => servers.forEach((server) => server.close()))

async function serverThatSays(status: number, body: object): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push({ close: () => void server.close() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function refused(nodes: readonly string[], why: RegExp, prefix = 'telegrep'): Promise<void> {
  return assert.rejects(openSearchIndex({ kind: 'opensearch', nodes, prefix }, systemClock), why)
}

test('an invalid address or prefix is reported', async () => {
  await refused(['http://127.0.0.1:1/path'], /as https:\/\/host:port, found "http:.*path"/)
  await refused(['nonsense'], /found "nonsense"/)
  await refused([], /found none/)
  await refused(['http://127.0.0.1:1'], /expected a prefix .* found "Tele grep"/, 'Tele grep')
})

test('an unreachable host is named in errors, but does not prevent a start', async () => {
  const location = {
    kind: 'opensearch',
    nodes: ['http://127.0.0.1:1'],
    prefix: 'telegrep',
  } as const
  const why = /cannot be reached: http:\/\/127\.0\.0\.1:1: nothing listens there \(ECONNREFUSED\)$/
  await using index = await openSearchIndex(location, systemClock)
  await assert.rejects(index.state(), why)
  await assert.rejects(openIndexWriter(location, systemClock), why)
})

/** Whatever it has to do with: what does not need the index works meanwhile, and the operator may be about to correct it. */
test('a wrong password or a missing right is named in errors, but does not prevent a start', async () => {
  const reason = 'no permissions for [cluster:monitor/main]'
  const cases = [
    [401, {}, /OpenSearch.* refuses the user or the password$/],
    [
      403,
      { error: { type: 'security_exception', reason } },
      /OpenSearch.* does not let the user do this: .*cluster:/,
    ],
  ] as const
  for (const [status, body, why] of cases) {
    const nodes = [await serverThatSays(status, body)]
    const location = { kind: 'opensearch', nodes, prefix: 'telegrep' } as const
    await using index = await openSearchIndex(location, systemClock)
    await assert.rejects(index.state(), why)
    const refusal = { code: 'unavailable', extra: { reason: 'index_unavailable' } }
    await assert.rejects(openIndexWriter(location, systemClock), refusal)
    await assert.rejects(openIndexWriter(location, systemClock), /at http.*: |at http.* refuses/)
  }
})

test('a server that is not OpenSearch, or too old, is rejected', async () => {
  const elastic = await serverThatSays(200, { version: { number: '8.1.0' } })
  await refused([elastic], /expected OpenSearch 3 or later at .*, found 8\.1\.0/)
  const version = { distribution: 'opensearch', number: '2.19.1' }
  await refused([await serverThatSays(200, { version })], /found opensearch 2\.19\.1/)
  await refused([await serverThatSays(404, {})], /found status 404/)
})

test('an embedded index loads no code for OpenSearch', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    const { openIndexWriter } = await import(${JSON.stringify(new URL('../open-search-index.ts', import.meta.url).href)})
    console.log(loaded.length, loaded.filter((url) => /search\\/opensearch\\/|undici/.test(url)).join(' '))`
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const [count, ...found] = stdout.trim().split(' ')
  assert.ok(Number(count) > 10)
  assert.deepEqual(found, [])
})
