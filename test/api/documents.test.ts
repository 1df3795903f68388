import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type ApiError, createClient, PATHS } from '../../src/client/client.ts'
import { renderApiDoc, renderErrorsDoc } from './api-doc.ts'
import { ERRORS, type ErrorCode } from '../../src/model/errors.ts'
import { CATALOGUE } from '../../src/operations/catalogue.ts'
import { STREAMS } from '../../src/operations/stream-posts.ts'
import { formatted } from './formatted.ts'
import { startService, type Service } from './harness.ts'
import { violations } from './json-schema.ts'
import { fillWorld } from './world.ts'

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

const MANUAL: RequestInit = { redirect: 'manual' }

test('docs/api.md and docs/errors.md match what is generated (node test/api/write-docs.ts)', async () => {
  assert.equal(read('api.md'), await formatted(renderApiDoc()))
  assert.equal(read('errors.md'), await formatted(renderErrorsDoc()))
})

test('the client has the path of every operation in the catalogue', () => {
  assert.deepEqual(PATHS, Object.fromEntries(CATALOGUE.map(({ name, path }) => [name, path])))
})

describe('documents', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  test('every error code has a page, and the `type` of a problem links to it', async () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { status, text, headers } = await service.get(`/errors/${code}`)
      assert.equal(status, 200)
      assert.ok(text.includes(code))
      assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
    }
    const { json } = await service.get('/v1/channels/nobody_here')
    assert.equal(json.type, 'https://telegrep.example/errors/channel_not_indexed')
    assert.equal((await service.get('/errors/no_such_error')).status, 404)
    assert.equal((await service.get('/errors')).status, 200)
  })

  test('a model gets the reference as it is generated, without the padding of tables', async () => {
    assert.equal((await service.get('/docs.md')).text, renderApiDoc())
    assert.equal((await service.get('/errors.md')).text, renderErrorsDoc())
  })

  test('the API reference says so where an operation has no errors of its own', async () => {
    const { text } = await service.get('/docs')
    const [, section = ''] = text.split('<section id="get_meta">')
    assert.match(section, /^[^]*?Errors:\s+only the <a href="\/errors">common ones<\/a>\.\s+<\/p>/)
    assert.doesNotMatch(text, /Errors:\s+<\/p>/)
  })

  test('the API reference lists every stream with its events and a curl command', async () => {
    const { text } = await service.get('/docs')
    for (const { name, path, events } of STREAMS) {
      assert.ok(text.includes(`href="#${name}"`))
      const [, section = ''] = text.split(`<section id="${name}">`)
      assert.ok(
        section.includes(`curl -N &#39;https://telegrep.example/v1${path}`) ||
          section.includes(`curl -N 'https://telegrep.example/v1${path}`),
      )
      for (const event of Object.keys(events)) assert.ok(section.includes(`<code>${event}</code>`))
    }
  })

  test('the forms of the API reference work without JavaScript, with most fields left empty', async () => {
    const { text } = await service.get('/docs')
    for (const { name, path, examples } of CATALOGUE) {
      assert.ok(text.includes(`action="/docs/send/${name}"`))
      // Submitted as the page has it: each field once, most of them empty.
      const [, form = ''] = text.split(`id="${name}"`)
      const fields = [
        ...form.split('</form>')[0]!.matchAll(/<(?:input|select)[^>]*\sname="(\w+)"/g),
      ]
      const input: Readonly<Record<string, unknown>> = examples[0]?.input ?? {}
      const sent = new URLSearchParams()
      for (const [, key = ''] of fields) sent.append(key, String(input[key] ?? ''))
      assert.ok(sent.has('format') && sent.size >= fields.length)
      const { status, headers } = await service.get(`/docs/send/${name}?${sent}`, {}, MANUAL)
      assert.equal(status, 303)
      const location = headers.get('location')!
      assert.ok(!/[=?&](?:&|$)|[{}]/.test(location), location)
      const operation = CATALOGUE.find((other) => other.name === name)!
      operation.prepare({
        ...Object.fromEntries(new URL(location, service.url).searchParams),
        ...Object.fromEntries(Object.entries(input).filter(([key]) => path.includes(`{${key}}`))),
      })
    }
    const odd = '/docs/send/get_channel?username=%2F%2Fevil.example%2F..&format='
    const { headers } = await service.get(odd, {}, MANUAL)
    assert.equal(headers.get('location'), '/v1/channels/%2F%2Fevil.example%2F..')
  })

  test('every operation has an example reply that fits its schema (node test/api/record-examples.ts)', async () => {
    const { text } = await service.get('/docs')
    const { json } = await service.get('/v1/openapi.json')
    for (const { name, path, formats } of CATALOGUE) {
      if (!formats.includes('json')) continue
      const { schema, example } = json.paths[path].get.responses[200].content['application/json']
      assert.ok(example, name)
      assert.deepEqual(violations(json, schema, example), [], name)
      assert.ok(text.includes(`href="#${name}"`), `${name} in the list at the side`)
      const address = `/docs/examples/${name}.json`
      assert.ok(text.includes(`href="${address}"`), name)
      assert.deepEqual((await service.get(address)).json, example)
    }
  })

  test('every operation is shown as a curl command and a client call, and is tagged in OpenAPI', async () => {
    const { text } = await service.get('/docs')
    const { json } = await service.get('/v1/openapi.json')
    const tags = json.tags.map(({ name }: { name: string }) => name)
    for (const { name, path } of CATALOGUE) {
      assert.ok(text.includes(`await telegrep.${name}(`), name)
      assert.ok(tags.includes(json.paths[path].get.tags[0]), name)
    }
    const asked = [...text.matchAll(/<pre>curl 'https:\/\/telegrep\.example([^<]+)'<\/pre>/g)]
    assert.equal(asked.length, CATALOGUE.length)
    for (const [, address = ''] of asked) {
      const { status } = await service.get(address.replaceAll('&amp;', '&'))
      assert.ok(status !== 400, address)
    }
  })

  test('llms.txt shows the important search parameters with examples that work, and has no dead links', async () => {
    const { text } = await service.get('/llms.txt')
    for (const name of ['since', 'channel', 'lang', 'collapse', 'sort', 'facets']) {
      const examples = [...text.matchAll(new RegExp(`\`(${name}=[^\`]+)\``, 'g'))]
      assert.ok(examples.length > 0, name)
      for (const [, example] of examples) {
        const { status } = await service.get(`/v1/search?q=game&${example}`)
        assert.equal(status, 200, example)
      }
    }
    const links = [...text.matchAll(/(?<=\]\(https:\/\/telegrep\.example)[^){]+(?=\))/g)]
    assert.ok(links.length > 5, text)
    for (const [address] of links) {
      if (address === '/mcp' || address === '/limits') continue
      assert.ok([200, 400].includes((await service.get(address)).status), address)
    }
  })

  test('every example in the catalogue is valid input of its operation', async () => {
    for (const operation of CATALOGUE) {
      assert.ok(operation.examples.length > 0, operation.name)
      for (const { input } of operation.examples) operation.prepare(input)
    }
  })

  test('an operation accepts JSON values and strings alike, and parsing its own output changes nothing', () => {
    const operation = CATALOGUE[0]!
    const native = {
      q: 'a',
      limit: 5,
      strict: true,
      channel: ['durov', 'telegram'],
      has: ['photo'],
    }
    const strings = { q: 'a', limit: '5', strict: 'true', channel: 'durov,telegram', has: 'photo' }
    const once = operation.input.parse(native)
    assert.deepEqual(operation.input.parse(strings), once)
    assert.deepEqual(operation.input.parse(once), once)
  })

  test('the client returns typed replies, pages, text and errors', async () => {
    const found = await service.client.search_posts({ q: 'champion', sort: 'newest', limit: 1 })
    assert.equal(found.meta.total?.value, 2)
    const meta = await service.client.get_meta({})
    assert.equal(meta.data.tier, 'unlimited')
    const ids: string[] = []
    for await (const page of service.client.pages('list_channel_posts', {
      username: 'chessnews',
      limit: 3,
    })) {
      for (const post of page.data) ids.push(post.id)
    }
    assert.equal(ids.length, 8)
    assert.match(
      await service.client.text('get_channel', { username: 'chessnews', format: 'md' }),
      /^# Chess/,
    )
    await assert.rejects(
      service.client.get_channel({ username: 'nobody_here' }),
      (error: ApiError) => {
        assert.deepEqual([error.status, error.code], [404, 'channel_not_indexed'])
        return true
      },
    )
    const anonymous = createClient({ url: `${service.url}/v1/` })
    assert.equal((await anonymous.get_meta()).data.tier, 'anonymous')
    const signal = AbortSignal.abort()
    await assert.rejects(anonymous.list_languages(undefined, { signal }), { name: 'AbortError' })
    // @ts-expect-error: what an operation cannot do without is asked for
    await assert.rejects(anonymous.get_channel(), /expected `username`, .* found undefined/)
  })
})
