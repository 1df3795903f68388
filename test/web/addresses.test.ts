import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Service } from '../start-service.ts'
import { startSetting } from './setting.ts'

const CHANNEL = '/channels/harbour_news'

/** Addresses that lead elsewhere or nowhere, and the pages that say so. */
describe('addresses of pages', () => {
  let service: Service
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${service.url}${path}`, { headers })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }

  before(async () => {
    service = await startSetting()
  })
  after(() => service[Symbol.asyncDispose]())

  test('paths as on t.me redirect to the page of the channel or post', async () => {
    for (const [path, wanted] of [
      ['/s/ChessNews', '/channels/ChessNews'],
      ['/ChessNews/7', '/channels/ChessNews/posts/7'],
      ['/ChessNews/7/', '/channels/ChessNews/posts/7'],
      ['/s/ChessNews/7', '/channels/ChessNews/posts/7'],
      ['/channels/ChessNews/7', '/channels/ChessNews/posts/7'],
    ] as const) {
      const { status, headers } = await fetch(`${service.url}${path}`, { redirect: 'manual' })
      assert.deepEqual([status, headers.get('location')], [302, wanted], path)
    }
    for (const path of ['/s/no', '/v1/7', '/ChessNews/x', '//evil.example/7']) {
      const { status } = await fetch(`${service.url}${path}`, { redirect: 'manual' })
      assert.equal(status, 404, path)
    }
  })

  test('/search redirects a browser to the search page and points a program to the API', async () => {
    const ask = (accept: string) =>
      fetch(`${service.url}/search?q=storm&lang=en`, { redirect: 'manual', headers: { accept } })
    const browser = await ask('text/html')
    assert.deepEqual([browser.status, browser.headers.get('location')], [302, '/?q=storm&lang=en'])
    const program = await ask('*/*')
    assert.equal(program.status, 404)
    assert.match(await program.text(), /did you mean \/v1\/search\?/)
  })

  test('an error page offers a correction by link or form, and keeps the valid parameters', async () => {
    const linksOf = async (path: string) => {
      const { status, text } = await get(path)
      assert.equal(status, 400, path)
      const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? ''
      const links = main
        .matchAll(/href="(\/[^"]*\?[^"]*)"/g)
        .map(([, to]) => to!.replaceAll('&amp;', '&'))
      return { links: [...links], text, main }
    }
    const lang = await linksOf('/?q=harbour&lang=Englsh&since=7d&sort=newest')
    assert.deepEqual(lang.links, ['/?q=harbour&lang=en&since=7d&sort=newest'])
    assert.match(lang.main, /name="lang"\s+value="Englsh"/)
    assert.match(lang.main, /type="hidden" name="sort" value="newest"/)
    const sort = await linksOf('/?q=harbour&lang=en&sort=best')
    assert.doesNotMatch(sort.main, /type="hidden" name="sort"/, 'not sent again by the form')
    const slip = await linksOf('/?q=harbour&lnag=en')
    assert.deepEqual(slip.links, ['/?q=harbour&lang=en', '/?q=harbour'])
    const words = await linksOf('/?q=harbour+lang:eng&has=video')
    assert.deepEqual(words.links, ['/?q=harbour+lang%3Aen&has=video'])
    assert.match(words.text, /type="hidden" name="has" value="video"/, 'kept by the search box')
    const inChannel = await linksOf(`${CHANNEL}?q=harbour+lang:eng`)
    assert.deepEqual(inChannel.links, [`${CHANNEL}?q=harbour+lang+eng`])
    const late = await linksOf('/?q=harbour&has=video&cursor=abc')
    assert.deepEqual(late.links, ['/?q=harbour&has=video'])
  })

  test('the address of an API search works as a page, whatever format it asks for', async () => {
    const { status, text } = await get('/?q=harbour&detail=ids&explain=true&facets=day&format=csv')
    assert.equal(status, 200)
    assert.equal(text.match(/<article/g)?.length, 20)
  })

  test('an address that is too long gets an error page in a browser and a problem document elsewhere', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    for (const path of ['/?', '/channels/harbour_news?', '/changes?q=a&']) {
      const asked = `${path}lang=${'en,'.repeat(3000)}`
      const page = await get(asked, browser)
      assert.equal(page.status, 414, path)
      assert.match(page.text, /<h1>The address is too long<\/h1>/)
      assert.doesNotMatch(page.text, /en,en/, 'not to be sent again')
      assert.match((await get(asked)).text, /"code":"uri_too_long"/)
    }
    const { text } = await get(`/v1/search?q=${'a'.repeat(9000)}`, browser)
    assert.match(text, /"code":"uri_too_long"/)
  })

  test('a wrong address gets an error page with the right status', async () => {
    for (const [path, status, words] of [
      ['/nowhere', 404, /nothing at this address/],
      ['/channels/x', 400, /4 to 32 Latin letters/],
      ['/channels/nobody_knows_me', 404, /Read it live/],
      ['/channels/harbour_news/posts/999', 404, /no such post[^]*"\/channels\/harbour_news">The/],
      ['/?lang=klingon', 400, /lang/],
      ['/?wrods=x', 400, /no parameter of that name/],
      ['/?q=harbour&cursor=made-up', 400, />The first page</],
    ] as const) {
      const reply = await get(path, { accept: 'text/html' })
      assert.equal(reply.status, status, path)
      assert.match(reply.text, words, path)
      assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'/, path)
      assert.equal(reply.headers.get('cache-control'), 'no-store', path)
    }
    const json = await get('/nowhere', { accept: 'application/json' })
    assert.match(json.headers.get('content-type') ?? '', /problem\+json/)
  })
})
