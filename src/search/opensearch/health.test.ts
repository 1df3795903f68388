import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { examineIndex } from '../open-search-index.ts'

/** A node that tells these settings of the cluster. A real one with such a block would stop all other tests. */
async function openNode(status: number, settings: object) {
  const answers: Readonly<Record<string, object>> = {
    '/': { version: { number: '3.1.0' } },
    '/_cluster/health/a-*': { status: 'green', number_of_nodes: 2 },
    '/_cluster/settings': settings,
  }
  const server = createServer(({ url = '' }, response) => {
    const path = url.split('?')[0]!
    response.writeHead(path === '/_cluster/settings' ? status : 200)
    response.end(JSON.stringify(answers[path] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    location: { kind: 'opensearch', nodes: [origin], prefix: 'a' } as const,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a cluster that makes no new indices is in trouble, as when its disks are nearly full', async () => {
  const set = { persistent: { 'cluster.blocks.create_index': 'true' }, transient: {} }
  await using node = await openNode(200, set)
  const { trouble } = await examineIndex(node.location)
  assert.equal(trouble, 'cluster.blocks.create_index is set: is its disk full?')
})

test('a user who may not see the settings of the cluster is told the rest', async () => {
  await using node = await openNode(403, { error: { type: 'security_exception' } })
  const { engine, trouble } = await examineIndex(node.location)
  assert.deepEqual([engine, trouble], ['OpenSearch 3.1.0, 2 nodes, green', null])
})
