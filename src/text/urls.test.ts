import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { domainTerms, hostOf, normaliseUrl } from './urls.ts'
import { assertGrowsByLength } from '../../test/processor-time.ts'

describe('addresses', () => {
  test('spellings of the same page are normalised to one', () => {
    const same = [
      'http://www.Example.com/a/b/?y=2&x=1#top',
      'https://example.com:443/a/b?x=1&y=2&utm_source=tg',
      'example.com/a/b?x=1&y=2',
      '//example.com/a/b/?fbclid=abc&x=1&y=2',
    ]
    assert.deepEqual(new Set(same.map(normaliseUrl)), new Set(['https://example.com/a/b?x=1&y=2']))
  })

  test('the time to normalise a row of slashes grows linearly', () => {
    assertGrowsByLength((slashes) => {
      const url = `https://a.com/${'/'.repeat(slashes)}x`
      for (let i = 0; i < 500; i++) assert.equal(normaliseUrl(url), url)
    }, 2000)
    assert.equal(normaliseUrl('https://a.com/b///'), 'https://a.com/b')
  })

  test('pages that differ stay different', () => {
    assert.notEqual(normaliseUrl('https://a.com/x'), normaliseUrl('https://a.com/X'))
    assert.notEqual(normaliseUrl('https://a.com:8080/'), normaliseUrl('https://a.com/'))
    assert.notEqual(normaliseUrl('https://a.com/?id=1'), normaliseUrl('https://a.com/?id=2'))
  })

  test('text that is no web address is rejected', () => {
    for (const text of [
      '',
      'word',
      'mailto:a@b.com',
      'tg://resolve?domain=x',
      'javascript:alert(1)',
      'https://',
      'http://[',
      'a b.com',
    ]) {
      assert.equal(normaliseUrl(text), undefined, text)
      assert.equal(hostOf(text), undefined, text)
    }
    assert.equal(normaliseUrl(`https://a.com/${'x'.repeat(3000)}`), undefined)
  })

  test('hosts are lower case and without www', () => {
    assert.equal(hostOf('https://WWW.News.Example.CO.UK/x'), 'news.example.co.uk')
    assert.equal(hostOf('t.me/durov'), 't.me')
    assert.equal(hostOf('https://президент.рф/'), 'xn--d1abbgf6aiiy.xn--p1ai')
  })

  test('hostOf finds the same host as the URL parser', () => {
    const part = fc.constantFrom(
      'a',
      '-',
      '0',
      'www',
      'xn--',
      'xn--p1ai',
      '.',
      'com',
      '7',
      'É',
      '%',
      '_',
      '\t',
    )
    const tail = fc.constantFrom(
      '',
      '/',
      '?q',
      '#x',
      ':80',
      ':',
      '@b.com',
      '\\',
      '\n.com',
      '//x.org',
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), tail, (parts, end) => {
        const url = `https://${parts.join('')}${end}`
        const parsed = URL.parse(url.trim())?.hostname
        assert.equal(hostOf(url), parsed?.replace(/^www\./, '').replace(/\.$/, ''), url)
      }),
      { numRuns: 500 },
    )
  })

  test('a host yields its parent domains as terms', () => {
    assert.deepEqual(domainTerms('www.a.b.example.com'), [
      'a.b.example.com',
      'b.example.com',
      'example.com',
    ])
    assert.deepEqual(domainTerms('t.me'), ['t.me'])
    assert.deepEqual(domainTerms('192.168.0.1'), ['192.168.0.1'])
    assert.deepEqual(domainTerms('localhost'), ['localhost'])
  })

  test('normalising never throws, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()),
        (url) => {
          const once = normaliseUrl(url)
          if (once !== undefined) assert.equal(normaliseUrl(once), once)
        },
      ),
      { numRuns: 100 },
    )
  })
})
