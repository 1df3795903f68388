import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { systemClock } from '../model/clock.ts'
import { createWebSource } from './web-source.ts'

const PAGE = readFileSync('test/fixtures/telegram/page-text.html', 'utf8')
const UTF8 = 'text/html; charset=utf-8'
/** Russian words in windows-1251. */
const LEGACY = Buffer.from('cff0e8e2e5f220e2f1e5ec20eaf2ee20fdf2ee20f7e8f2e0e5f2', 'hex')

async function ask(body: Buffer | string, type: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await using source = createWebSource({
    origin: `http://127.0.0.1:${port}`,
    clock: systemClock,
    userAgent: 'telegrep/test',
    permit: async () => {},
  })
  const outcome = await source.page('harbournotes', null, { purpose: 'visit' })
  server.close()
  return outcome.kind === 'broken' ? `broken ${outcome.what}` : outcome.kind
}

/** The page with some bytes in the text of its first post. */
function withBytes(bytes: Buffer): Buffer {
  const at = PAGE.indexOf('tgme_widget_message_text')
  const start = PAGE.indexOf('>', at) + 1
  return Buffer.concat([Buffer.from(PAGE.slice(0, start)), bytes, Buffer.from(PAGE.slice(start))])
}

describe('the charset of a page', () => {
  test('a page is read as UTF-8, declared or not', async () => {
    for (const type of [UTF8, 'text/html', 'text/html; charset="UTF8"']) {
      assert.equal(await ask(PAGE, type), 'page')
    }
  })

  test('a page declared in another charset is not understood', async () => {
    assert.equal(await ask(PAGE, 'text/html; charset=windows-1251'), 'broken layout_unknown')
    const meta = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'
    const other = PAGE.replace(/<meta charset="utf-8">/i, meta)
    assert.notEqual(other, PAGE)
    assert.equal(await ask(other, 'text/html'), 'broken layout_unknown')
  })

  test('a page whose bytes are not UTF-8 is not understood, except for a single cut character', async () => {
    assert.equal(await ask(withBytes(LEGACY), UTF8), 'broken layout_unknown')
    assert.equal(await ask(withBytes(Buffer.from([0xd0])), UTF8), 'page')
  })
})
