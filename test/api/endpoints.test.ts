import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { STREAMS } from '../../src/operations/stream-posts.ts'
import { startService, type Service } from './harness.ts'
import { fillWorld } from './world.ts'

/** One test for each row of the list of endpoints, and for the paths beside `/v1`. */
describe('endpoints', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  test('/channels/{username} is the profile', async () => {
    const { json } = await service.get('/v1/channels/chessnews')
    assert.equal(json.data.username, 'ChessNews')
    assert.equal(json.data.platform_id, 1001)
    assert.deepEqual(
      { ...json.data.subscribers, as_of: null },
      { value: 12_300, approx: true, raw: '12.3K', as_of: null },
    )
    assert.equal(json.data.stats.daily.length, 30)
    assert.equal(json.data.stats.hours.length, 24)
    assert.equal(json.data.index.status, 'active')
  })

  test('/languages lists every language held, most channels first', async () => {
    const { json } = await service.get('/v1/languages')
    assert.deepEqual(
      json.data.map((language: { code: string }) => language.code),
      ['en', 'ru'],
    )
    assert.deepEqual(json.data[1], {
      code: 'ru',
      name: 'Russian',
      native_name: 'русский',
      channels: 1,
      posts_30d: 2,
      stemming: true,
    })
  })

  test('/meta reports tier, policies and limits', async () => {
    // Through a proxy, since local callers have far higher quotas.
    const stranger = { anonymous: 'yes', 'x-forwarded-for': '203.0.113.9' }
    const { json } = await service.get('/v1/meta', stranger)
    assert.equal(json.data.tier, 'anonymous')
    assert.equal(json.data.key, null)
    assert.deepEqual(
      json.data.policies.map((policy: { name: string; limit: number; window_s: number }) => [
        policy.name,
        policy.limit,
        policy.window_s,
      ]),
      [
        ['burst', 30, 60],
        ['daily', 500, 86_400],
        ['live', 10, 3_600],
      ],
    )
    assert.deepEqual(json.data.limits, {
      max_limit: 100,
      max_query_chars: 512,
      search_window_days: 30,
    })
    assert.equal(json.data.openapi, 'https://telegrep.example/v1/openapi.json')
  })

  test('the OpenAPI document describes exactly the operations and streams of the catalogue', async () => {
    const { json } = await service.get('/v1/openapi.json')
    assert.equal(json.openapi, '3.1.0')
    assert.deepEqual(
      Object.entries(json.paths as Record<string, { get: { operationId: string } }>).map(
        ([path, { get }]) => [path, get.operationId],
      ),
      [...CATALOGUE, ...STREAMS].map(({ path, name }) => [path, name]),
    )
    for (const operation of CATALOGUE) {
      const described = json.paths[operation.path].get
      const names = described.parameters.map((parameter: { name: string }) => parameter.name)
      assert.deepEqual(names, [...Object.keys(operation.input.shape), 'format'])
    }
    for (const { path, input } of STREAMS) {
      const { parameters, responses } = json.paths[path].get
      const names = parameters.map((parameter: { name: string }) => parameter.name)
      assert.deepEqual(names, [...Object.keys(input.shape), 'Last-Event-ID'])
      assert.ok('text/event-stream' in responses[200].content)
    }
    const references = [
      ...JSON.stringify(json).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g),
    ]
    for (const [, kind, name] of references) assert.ok(json.components[kind!][name!], name)
  })

  test('/healthz and /readyz are served beside /v1, /metrics is not', async () => {
    assert.equal((await service.get('/healthz')).status, 200)
    assert.equal((await service.get('/readyz')).status, 200)
    assert.equal((await service.get('/metrics')).status, 404)
  })

  test('/docs has a form for every operation and sends a content security policy', async () => {
    const { text, headers } = await service.get('/docs')
    for (const operation of CATALOGUE) {
      assert.ok(text.includes(`id="${operation.name}"`))
      for (const name of Object.keys(operation.input.shape))
        assert.ok(text.includes(`name="${name}"`))
    }
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
    assert.ok(!/<script>|style="|onclick/.test(text))
    assert.equal((await service.get('/docs/docs.js')).status, 200)
  })

  test('a profile spells the channels it forwards from as their own profiles do', async () => {
    const from = async (name: string) =>
      (await service.get(`/v1/channels/${name}`)).json.data.stats.forwards_from
    assert.deepEqual(await from('novosti_shahmat'), [{ value: 'ChessNews', count: 1 }])
  })
})
