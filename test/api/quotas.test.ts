import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseTiers } from '../../src/access/tiers.ts'
import { TOO_LATE } from '../../src/operations/deadlines.ts'
import { getChannel } from '../../src/operations/get-channel.ts'
import { listLanguages } from '../../src/operations/list-languages.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { perform } from '../../src/operations/perform.ts'
import { makePost, startService, type Service } from './harness.ts'

const TIERS = parseTiers(
  '{"anonymous": {"burst": 8, "daily": 5, "live": 1}, "free": {"burst": 60, "daily": 5000}, "unlimited": {"burst": 60000}}',
)

async function withChannel(options: Parameters<typeof startService>[0] = {}): Promise<Service> {
  const service = await startService({ tiers: TIERS, ...options })
  const publishedAt = service.clock.now() - 60_000
  await service.publish({ username: 'quota_channel' }, [makePost({ number: 1, publishedAt })])
  return service
}

const ANONYMOUS = { anonymous: 'yes' }

async function standing(service: Service): Promise<Record<string, number>> {
  const { json } = await service.get('/v1/meta', ANONYMOUS)
  return Object.fromEntries(
    json.data.policies.map(({ name, remaining }: { name: string; remaining: number }) => [
      name,
      remaining,
    ]),
  )
}

describe('quotas', () => {
  test('each request costs its share of burst and daily', async () => {
    await using service = await withChannel()
    const etag = (await service.get('/v1/languages', ANONYMOUS)).headers.get('etag')!
    assert.deepEqual(await standing(service), { burst: 7, daily: 4, live: 1 })
    const cases: [string, Record<string, string>, number, number, number][] = [
      ['/v1/meta', {}, 200, 0, 0],
      ['/v1/languages', { 'If-None-Match': etag }, 304, 1, 0],
      ['/v1/search?q=post&explain=true', {}, 200, 1, 0],
      ['/v1/search?nonsense=1', {}, 400, 1, 0],
      ['/v1/channels/not_indexed_here', {}, 404, 1, 1],
      ['/v1/nothing_here', {}, 404, 1, 1],
      ['/v1/languages', { Accept: 'image/png' }, 406, 1, 1],
    ]
    for (const [path, headers, status, burst, daily] of cases) {
      const before = await standing(service)
      const answer = await service.get(path, { ...ANONYMOUS, ...headers })
      const after = await standing(service)
      assert.equal(answer.status, status, path)
      assert.deepEqual(
        [before['burst']! - after['burst']!, before['daily']! - after['daily']!],
        [burst, daily],
        path,
      )
    }
  })

  test('a caller on the same machine, without a proxy in between, has the local tier', async () => {
    await using service = await startService({
      tiers: parseTiers(
        '{"anonymous": {"burst": 8, "daily": 5}, "local": {"burst": 600}, "unlimited": {"burst": 60000}}',
      ),
    })
    const policyOf = async (headers: Record<string, string>) =>
      (await service.get('/v1/languages', { ...ANONYMOUS, ...headers })).headers.get(
        'ratelimit-policy',
      )
    assert.equal(await policyOf({}), '"burst";q=600;w=60')
    for (const proxied of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via']) {
      assert.equal(await policyOf({ [proxied]: '1' }), '"burst";q=8;w=60, "daily";q=5;w=86400')
    }
  })

  test('rate limit headers with policies and remaining units are on every reply, errors included', async () => {
    await using service = await withChannel()
    for (const path of ['/v1/languages', '/v1/search?nonsense=1', '/v1/nothing_here', '/v1/meta']) {
      const { headers } = await service.get(path, ANONYMOUS)
      assert.equal(
        headers.get('ratelimit-policy'),
        '"burst";q=8;w=60, "daily";q=5;w=86400, "live";q=1;w=3600',
      )
      assert.match(headers.get('ratelimit')!, /^"burst";r=\d+;t=\d+/)
    }
    const { headers } = await service.get('/v1/languages', ANONYMOUS)
    assert.match(headers.get('ratelimit')!, /^"burst";r=4;t=(60|59|58), "daily";r=2;t=\d+$/)
  })

  test('replies with rate limit headers are never cached publicly', async () => {
    await using service = await withChannel({ anonymous: false })
    const keyed = await service.get('/v1/openapi.json')
    assert.equal(keyed.headers.get('ratelimit-policy'), '"burst";q=60000;w=60')
    const bad = await service.get('/v1/openapi.json', { Authorization: 'Bearer nonsense' })
    assert.deepEqual([bad.status, bad.json.code], [401, 'invalid_key'])
    const files = ['/v1/openapi.json', '/llms.txt', '/robots.txt']
    for (const path of [...files, '/docs', '/errors', '/healthz', '/readyz']) {
      const { status, headers } = await service.get(path, ANONYMOUS)
      assert.equal(status, 200, path)
      assert.match(headers.get('ratelimit-policy')!, /^"burst";q=8;w=60/, path)
      assert.match(headers.get('cache-control') ?? 'none', /private|no-store/, path)
    }
  })

  test('a used-up policy gets 429 with its name and Retry-After', async () => {
    await using service = await withChannel()
    for (let i = 0; i < 5; i++)
      assert.equal((await service.get('/v1/languages', ANONYMOUS)).status, 200)
    const daily = await service.get('/v1/languages', ANONYMOUS)
    assert.equal(daily.status, 429)
    assert.equal(daily.json.type, 'https://iana.org/assignments/http-problem-types#quota-exceeded')
    assert.equal(daily.json.code, 'quota_exceeded')
    assert.deepEqual(daily.json['violated-policies'], ['daily'])
    assert.equal((await service.get('/v1/search?q=post&explain=true', ANONYMOUS)).status, 200)
    await service.get('/v1/languages', ANONYMOUS)
    const burst = await service.get('/v1/languages', ANONYMOUS)
    assert.deepEqual(burst.json['violated-policies'], ['burst'])
    assert.ok(Number(burst.headers.get('retry-after')) <= 60)
    assert.equal((await service.get('/v1/meta', ANONYMOUS)).status, 200)
    service.pass(60_000)
    assert.equal(
      (await service.get('/v1/languages', ANONYMOUS)).json['violated-policies'][0],
      'daily',
    )
    service.pass(86_400_000)
    assert.equal((await service.get('/v1/languages', ANONYMOUS)).status, 200)
  })

  test('the input of a request that exceeds burst is not parsed', async () => {
    const tiers = parseTiers('{"anonymous": {"burst": 1}}')
    await using service = await startService({ tiers })
    const { ctx } = service
    let read = 0
    const counted: Operation = {
      ...listLanguages,
      prepare(input) {
        read++
        return listLanguages.prepare(input)
      },
    }
    const caller = ctx.access.anonymous('203.0.113.9')
    const { signal } = new AbortController()
    const asked = { ctx, caller, requestId: 'test', signal }
    const ask = () => perform(counted, {}, asked, (reply) => reply)
    await ask()
    await assert.rejects(ask(), { code: 'quota_exceeded' })
    assert.equal(read, 1)
  })

  test('a bug or a missed deadline costs nothing of daily; hanging up does', async () => {
    await using service = await withChannel()
    const { ctx } = service
    const caller = ctx.access.anonymous('203.0.113.9')
    type Act = (abort: AbortController) => void
    /** What remains of `daily` after an operation that does this, and a reply that is written like this. */
    const after = async (act: Act, write: Act = () => {}) => {
      const abort = new AbortController()
      const { prepare } = listLanguages
      const acting: Operation = {
        ...listLanguages,
        prepare: (input) => ({
          ...prepare(input),
          async run(runCtx, call) {
            act(abort)
            return prepare(input).run(runCtx, call)
          },
        }),
      }
      const { signal } = abort
      const asked = { ctx, caller, requestId: 'test', signal }
      await perform(acting, {}, asked, () => write(abort)).catch(() => undefined)
      const states = await ctx.access.policyStates(caller)
      return states.find(({ name }) => name === 'daily')?.remaining
    }
    const fail = () => {
      throw new TypeError('a bug')
    }
    assert.equal(await after(fail), 5)
    const late: Act = (abort) => abort.abort(TOO_LATE)
    const hangUp: Act = (abort) => abort.abort(new Error('gone'))
    const work: Act = () => {}
    assert.equal(await after(late), 5)
    assert.equal(await after(work, fail), 5)
    assert.equal(await after(work, late), 5)
    assert.equal(await after(hangUp), 4)
    assert.equal(await after(work, hangUp), 3)
    assert.equal(await after(work), 2)
  })

  test('a reply that cannot be written costs nothing of daily', async (t) => {
    await using service = await withChannel()
    t.mock.method(getChannel, 'markdown', () => {
      throw new TypeError('a bug')
    })
    const { status, headers } = await service.get('/v1/channels/quota_channel?format=md', ANONYMOUS)
    assert.equal(status, 500)
    assert.match(headers.get('ratelimit')!, /"daily";r=5;/)
    assert.deepEqual(await standing(service), { burst: 7, daily: 5, live: 1 })
  })

  test('a stream that fails because of a bug costs nothing of daily', async (t) => {
    await using service = await withChannel()
    t.mock.method(service.store.events, 'bounds', () => Promise.reject(new TypeError('a bug')))
    assert.equal((await service.get('/v1/stream?q=post', ANONYMOUS)).status, 500)
    assert.deepEqual(await standing(service), { burst: 7, daily: 5, live: 1 })
  })

  test('the input of a stream that exceeds burst is not parsed', async () => {
    await using service = await withChannel()
    for (let i = 0; i < 8; i++) await service.get('/v1/nothing_here', ANONYMOUS)
    const { status, json } = await service.get('/v1/stream?nonsense=1', ANONYMOUS)
    assert.deepEqual([status, json['violated-policies']], [429, ['burst']])
  })

  test('an invalid key costs the burst of its address', async () => {
    await using service = await withChannel()
    for (let i = 0; i < 8; i++) {
      assert.equal(
        (await service.get('/v1/languages', { Authorization: 'Bearer nonsense' })).status,
        401,
      )
    }
    assert.equal(
      (await service.get('/v1/languages', { Authorization: 'Bearer nonsense' })).status,
      429,
    )
    assert.equal((await service.get('/v1/languages', ANONYMOUS)).status, 429)
    assert.equal((await service.get('/v1/languages')).status, 200)
  })

  test('two different keys in one request cost the burst of the address, like an invalid key', async () => {
    await using service = await withChannel()
    const two = { Authorization: 'Bearer nonsense', 'X-API-Key': 'other' }
    for (let i = 0; i < 8; i++) {
      const { status, json } = await service.get('/v1/languages', two)
      assert.deepEqual([status, json.code], [400, 'invalid_request'])
    }
    assert.equal((await service.get('/v1/languages', two)).status, 429)
    assert.equal((await standing(service))['daily'], 5)
  })

  test('X-Forwarded-For tells callers apart behind a trusted proxy, and is ignored otherwise', async () => {
    await using trusting = await withChannel({ trustProxy: 1 })
    for (let i = 0; i < 9; i++) {
      const answer = await trusting.get('/v1/search?q=post&explain=true', {
        ...ANONYMOUS,
        'X-Forwarded-For': `198.51.100.${i}`,
      })
      assert.equal(answer.status, 200)
    }
    await using wary = await withChannel()
    const statuses = []
    for (let i = 0; i < 9; i++) {
      const answer = await wary.get('/v1/search?q=post&explain=true', {
        ...ANONYMOUS,
        'X-Forwarded-For': `198.51.100.${i}`,
      })
      statuses.push(answer.status)
    }
    assert.deepEqual(statuses.filter((status) => status === 429).length, 1)
  })

  test('a server that requires keys says so in errors, documents and OpenAPI', async () => {
    await using closed = await withChannel({ anonymous: false })
    const { status, json } = await closed.get('/v1/languages', ANONYMOUS)
    assert.deepEqual([status, json.code], [401, 'key_required'])
    assert.equal((await closed.get('/v1/languages')).status, 200)
    const told = async (path: string) => (await closed.get(path, ANONYMOUS)).text
    for (const path of ['/llms.txt', '/docs', '/mcp/server-card'])
      assert.doesNotMatch(await told(path), /needed\s+to begin/, path)
    assert.match(await told('/mcp/server-card'), /"isRequired": true/)
    assert.deepEqual(JSON.parse(await told('/v1/openapi.json')).security, [
      { bearer: [] },
      { apiKey: [] },
    ])
  })
})
