import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parse } from 'parse5'
import { readKeys } from '../../src/evidence/signing-key.ts'
import { verifyPackage, type Verdict } from '../../src/evidence/verify.ts'
import { contentSha256 } from '../../src/model/content-hash.ts'
import { makeMedia } from '../../src/model/post.ts'
import { readPost } from '../../src/operations/views/read-post.ts'
import { makePost, startService, type Service } from './harness.ts'

const MINUTE = 60_000
const HOSTILE = `"><script>alert(1)</script> <img src=x onerror=alert(1)> & \u202eевил\u200b`

describe('an evidence package', () => {
  let service: Service
  let now: number
  before(async () => {
    service = await startService()
    now = Math.floor(service.clock.now() / 1000) * 1000
    const profile = { username: 'canal_watch', title: HOSTILE, platformId: 77 }
    const post = (number: number, text: string) =>
      makePost({ number, publishedAt: now - (100 - number) * MINUTE, text })
    const media = [makeMedia('photo', { url: 'https://cdn.example/a.jpg', fileId: 'abc' })]
    const others = [5, 7].map((number) => post(number, `beside it ${number}`))
    await service.publish(profile, [...others, { ...post(6, 'The bridge has 12 piers'), media }])
    service.pass(MINUTE)
    await service.publish(profile, [{ ...post(6, HOSTILE), media, edited: true }])
  })
  after(() => service[Symbol.asyncDispose]())

  async function fetchZip(path = '/v1/channels/canal_watch/posts/6/evidence', headers = {}) {
    const response = await fetch(`${service.url}${path}`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  async function publishedKeys() {
    const { text } = await service.get('/.well-known/telegrep-key.json')
    return { document: JSON.parse(text), keys: readKeys(text)! }
  }

  function textOf({ files }: Verdict, name: string): string {
    return Buffer.from(files.find((file) => file.name === name)!.bytes).toString()
  }

  test('is served as JSON to a client that asks for text', async () => {
    const text = await service.client.text('get_evidence', { username: 'canal_watch', slug: '6' })
    assert.ok((JSON.parse(text) as { data: object }).data)
  })

  test('is not made of a post that is removed while its versions are read', async (t) => {
    const { archive, removals } = service.store
    const profile = { username: 'canal_brief', title: 'Brief', platformId: 79 }
    await service.publish(profile, [makePost({ number: 1, publishedAt: now, text: 'The bridge' })])
    const { versions } = archive
    t.mock.method(archive, 'versions', async (...asked: Parameters<typeof versions>) => {
      await removals.removePost('canal_brief', 1, 'asked', now)
      return versions(...asked)
    })
    const { response } = await fetchZip('/v1/channels/canal_brief/posts/1/evidence')
    assert.equal(response.status, 410)
  })

  test('is a ZIP signed with a published key, byte for byte the same each time', async () => {
    const { response, bytes } = await fetchZip()
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/zip')
    assert.equal(
      response.headers.get('content-disposition'),
      'attachment; filename="canal_watch-6-evidence.zip"',
    )
    const { document, keys } = await publishedKeys()
    const verdict = verifyPackage(bytes, keys)
    assert.deepEqual([verdict.problems, verdict.isKeyKnown], [[], true])
    assert.equal(verdict.key?.kid, document.current)
    const names = verdict.files.map(({ name }) => name)
    const own = ['page.html', 'post.json', 'captures.json', 'manifest.json', 'signature.json']
    assert.deepEqual(names, own)
    assert.ok((await fetchZip()).bytes.equals(bytes))
    const etag = response.headers.get('etag')!
    const again = await fetchZip(undefined, { 'If-None-Match': etag })
    assert.equal(again.response.status, 304)
  })

  test('contains the exact post, so that its hash can be recomputed', async () => {
    const verdict = verifyPackage((await fetchZip()).bytes)
    const line = textOf(verdict, 'post.json')
    const read = readPost(line, Infinity)
    assert.ok(read.kind === 'post')
    assert.equal(read.post.text, HOSTILE, 'hidden characters included')
    assert.equal(contentSha256(read.post), verdict.manifest?.subject['content_sha256'])
    const { versions } = JSON.parse(line)
    assert.deepEqual(
      versions.map(({ text }: { text: string }) => text),
      ['The bridge has 12 piers'],
    )
  })

  test('says when the post was captured and which visits saw it', async () => {
    const facts = JSON.parse(textOf(verifyPackage((await fetchZip()).bytes), 'captures.json'))
    assert.equal(facts.revision, 2)
    assert.equal(facts.versions[0].imported, false)
    assert.deepEqual(
      facts.neighbours.map(({ id }: { id: string }) => id),
      ['canal_watch/5', 'canal_watch/7'],
    )
    assert.equal(facts.channel.platform_id, 77)
    const saw = facts.visits.map((visit: { saw: string[] }) => visit.saw)
    assert.equal(saw.length, 2)
    assert.ok(saw[0].includes('this post for the first time'), saw[0].join())
    assert.ok(saw[0].includes('its version 1 for the last time'))
    assert.ok(saw[1].includes('this post, as it stands here'))
    assert.ok(saw[1].includes('the channel, for the last time so far'))
  })

  test('says that versions are left out of a post that was changed more than 1 000 times', async () => {
    const { archive } = service.store
    await service.publish({ username: 'ticker_news', platformId: 78 }, [])
    const { id: channelId } = (await archive.channel('ticker_news'))!
    const read = { channelId, capture: 'crawl', parserVersion: 1, profile: null } as const
    for (let i = 0; i <= 1_001; i++) {
      const posts = [makePost({ number: 1, publishedAt: now, text: `price ${i}` })]
      await archive.record({ ...read, at: now + i, posts, deleted: [] })
    }
    const path = '/v1/channels/ticker_news/posts/1/evidence'
    const verdict = verifyPackage((await fetchZip(path)).bytes)
    const facts = JSON.parse(textOf(verdict, 'captures.json'))
    assert.deepEqual([facts.versions.length, facts.versions_left_out], [1_000, true])
    assert.match(textOf(verdict, 'page.html'), /Only the latest 1000; those before them are not/)
    const { json } = await service.get(`${path}?format=json`)
    assert.deepEqual(
      json.warnings.map(({ code }: { code: string }) => code),
      ['versions_left_out'],
    )
  })

  test('has a page that loads and runs nothing, whatever the post contains', async () => {
    const page = textOf(verifyPackage((await fetchZip()).bytes), 'page.html')
    const elements: string[] = []
    const attributes: string[] = []
    const walk = (node: {
      nodeName: string
      attrs?: { name: string }[]
      childNodes?: unknown[]
    }) => {
      elements.push(node.nodeName)
      attributes.push(...(node.attrs ?? []).map(({ name }) => name))
      for (const child of node.childNodes ?? []) walk(child as typeof node)
    }
    walk(parse(page) as never)
    assert.deepEqual(
      elements.filter((name) => ['script', 'img', 'link', 'iframe', 'object'].includes(name)),
      [],
    )
    assert.deepEqual(
      attributes.filter((name) => name.startsWith('on') || name === 'src'),
      [],
    )
    assert.match(page, /default-src 'none'/)
    assert.match(page, /The bridge has 12 piers/)
    assert.doesNotMatch(page, /\u202e|\u200b/, 'nothing hidden is shown to a reader')
  })

  test('has a page that names the author, forward source, answered post, poll and link preview', async () => {
    const publishedAt = now - MINUTE
    const source = {
      username: 'first_desk',
      postUrl: 'https://t.me/first_desk/3',
      author: 'A. Ann',
    }
    const told = makePost({
      number: 8,
      publishedAt,
      text: 'Not our words',
      author: 'The <editor>',
      forwardedFrom: { name: 'First desk', ...source },
      replyTo: { url: 'https://t.me/canal_watch/5', author: null, text: 'beside it' },
      poll: {
        question: 'Is it closed?',
        type: 'Anonymous Poll',
        options: [{ text: 'Yes', percent: 61 }],
        voters: null,
      },
      linkPreview: {
        url: 'https://example.com/canal',
        siteName: null,
        title: 'The canal',
        description: 'How it was dug',
        imageUrl: null,
      },
    })
    await service.publish({ username: 'canal_watch', platformId: 77 }, [told])
    const { bytes } = await fetchZip('/v1/channels/canal_watch/posts/8/evidence')
    const page = textOf(verifyPackage(bytes), 'page.html')
    for (const [name, value] of [
      ['forwarded from', 'First desk (@first_desk), A. Ann, https://t.me/first_desk/3'],
      ['answers', 'https://t.me/canal_watch/5, beside it'],
      ['signed by', 'The &lt;editor&gt;'],
      ['question', 'Is it closed?'],
      ['61 %', 'Yes'],
      ['address', 'https://example.com/canal'],
      ['says', 'The canal, How it was dug'],
    ])
      assert.ok(page.includes(`<th scope="row">${name}</th><td>${value}</td>`), `${name}\n${page}`)
  })

  test('is described as JSON and Markdown; the JSON has its file list and its download address', async () => {
    const address = '/v1/channels/canal_watch/posts/6/evidence'
    const { json } = await service.get(`${address}?format=json`)
    assert.equal(json.data.zip_url, `https://telegrep.example${address}`)
    const verdict = verifyPackage((await fetchZip()).bytes)
    assert.deepEqual(json.data.files, verdict.manifest?.files)
    const { data } = await service.client.get_evidence({ username: 'canal_watch', slug: '6' })
    assert.deepEqual(data, json.data)
    const { text } = await service.get(`${address}?format=md`)
    assert.match(text, /^# Evidence of canal_watch\/6/)
  })

  test('is not made for a missing, deleted or removed post, nor for one of a removed channel', async () => {
    await service.publish({ username: 'canal_watch' }, [], [7])
    const at = service.clock.now()
    await service.publish({ username: 'wants_out' }, [makePost({ number: 1, publishedAt: at })])
    await service.store.removals.removePost('canal_watch', 5, 'asked', at)
    await service.store.removals.removeChannel('wants_out', 'asked', at)
    for (const [id, status, code] of [
      ['canal_watch/99', 404, 'post_not_found'],
      ['canal_watch/7', 410, 'post_deleted'],
      ['canal_watch/5', 410, 'post_removed'],
      ['wants_out/1', 410, 'channel_removed'],
    ] as const) {
      const path = `/v1/channels/${id.replace('/', '/posts/')}/evidence`
      for (const format of ['zip', 'json', 'md']) {
        const reply = await service.get(`${path}?format=${format}`)
        assert.deepEqual([reply.status, reply.json.code], [status, code], `${path} ${format}`)
      }
    }
    // A removed post is not named beside another either; a deleted one is, by its hash.
    const facts = JSON.parse(textOf(verifyPackage((await fetchZip()).bytes), 'captures.json'))
    const beside = facts.neighbours.map(({ id }: { id: string }) => id)
    assert.ok(beside.includes('canal_watch/7'))
    assert.ok(!beside.includes('canal_watch/5'))
  })
})
