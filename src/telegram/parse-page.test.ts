import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { contentSha256 } from '../model/content-hash.ts'
import { classifyEmbed, classifyPage, classifyProfile, classifyWords } from './classify.ts'
import { MAX_DEPTH, MAX_NODES } from './parse-html.ts'
import { MAX_POSTS, parsePage, type ParsedPage } from './parse-page.ts'
import { MAX_TEXT } from './parse-text.ts'

const at = Date.UTC(2026, 8, 1, 10)
const TIME = '<time datetime="2026-08-30T12:00:00+00:00" class="time">12:00</time>'

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../test/fixtures/telegram', name), 'utf8')
}

function message(number: number, body: string, more = ''): string {
  return `<div class="tgme_widget_message_wrap js-widget_message_wrap"><div class="tgme_widget_message js-widget_message" data-post="pierside/${number}" ${more}><div class="tgme_widget_message_bubble">${body}<div class="tgme_widget_message_footer"><span class="tgme_widget_message_meta"><a class="tgme_widget_message_date" href="https://t.me/pierside/${number}">${TIME}</a></span></div></div></div></div>`
}

function text(html: string): string {
  return `<div class="tgme_widget_message_text js-message_text" dir="auto">${html}</div>`
}

function oneMedia(html: string): string {
  return `<div class="tgme_widget_message_one_media js-message_media">${html}</div>`
}

function page(body: string): ParsedPage {
  return parsePage(body, { at })
}

function codes(parsed: ParsedPage): string[] {
  return parsed.warnings.map(({ code }) => code)
}

describe('page states', () => {
  test('a page of an unknown layout says so', () => {
    const parsed = page('<!doctype html><html><body><p>hello</p></body></html>')
    assert.equal(parsed.state, 'layout_unknown')
    assert.deepEqual(parsed.posts, [])
  })

  test('a channel header without messages is an unknown layout, never an empty channel', () => {
    const html = fixture('page-text.html').replaceAll('tgme_widget_message', 'tgme_new_message')
    const parsed = page(html)
    assert.equal(parsed.state, 'layout_unknown')
    assert.equal(parsed.profile?.username, 'harbournotes')
  })

  test('a landing page behind a redirect reports its own state', () => {
    assert.equal(page(fixture('landing-group.html')).state, 'group')
    assert.equal(page(fixture('landing-preview-off.html')).state, 'preview_disabled')
    assert.equal(page(fixture('landing-nobody.html')).state, 'nobody')
  })

  test('a landing page is recognised by its words even if the number beside them is unreadable', () => {
    const html = fixture('landing-preview-off.html').replace('no subscribers', '12.3k subscribers')
    assert.equal(page(html).state, 'preview_disabled')
    assert.equal(page(html).profile?.subscribers, null)
  })

  test('a group whose description links to a preview is still a group', () => {
    const html = fixture('landing-group.html').replace('t.me/harbour_desk', 't.me/s/harbour_desk')
    assert.ok(html.includes('https://t.me/s/harbour_desk'))
    assert.equal(page(html).state, 'group')
  })

  test('a user is recognised whatever the name', () => {
    for (const name of ['members', 'subscribers']) {
      const html = fixture('landing-user.html').replace(/@\w+(?=\s*<\/div>)/, `@${name}`)
      assert.ok(html.includes(`@${name}`))
      assert.equal(page(html).state, 'user')
    }
  })

  test('a page, landing page or embed cut anywhere is reported as truncated', () => {
    const asked = { username: 'harbournotes', number: 413, at }
    const judges = {
      'page-media.html': (html: string) => classifyPage(html, at),
      'landing-channel.html': (html: string) => classifyProfile(html, at),
      'embed-post.html': (html: string) => classifyEmbed(html, asked),
      'post-page.html': (html: string) => classifyWords(html, asked),
    }
    for (const [name, judge] of Object.entries(judges)) {
      const html = fixture(name)
      assert.notEqual(judge(html).kind, 'broken', name)
      for (let length = 0; length < html.length - 100; length += 97)
        assert.deepEqual(judge(html.slice(0, length)), { kind: 'broken', what: 'truncated' })
    }
  })
})

describe('dates', () => {
  const renderedAt = (ms: number) =>
    `data-view="${Buffer.from(JSON.stringify({ c: -1, p: 1, t: ms / 1000, h: 'x' })).toString('base64url')}"`
  const dated = (datetime: string, more = '') =>
    page(message(1, text('x'), more).replace('2026-08-30T12:00:00+00:00', datetime))

  test('in the future are rejected, unless the page itself was rendered then and our clock is slow', () => {
    const inAnHour = '2026-09-01T11:00:00+00:00'
    assert.deepEqual(codes(dated(inAnHour)), ['post_date_out_of_range'])
    assert.deepEqual(codes(dated(inAnHour, renderedAt(at))), ['post_date_out_of_range'])
    const slow = dated(inAnHour, renderedAt(at + 3_601_000))
    assert.deepEqual([codes(slow), slow.posts.length], [[], 1])
    const inAYear = '2027-09-01T10:00:00+00:00'
    const mad = dated(inAYear, renderedAt(at + 366 * 86_400_000))
    assert.deepEqual(codes(mad), ['post_date_out_of_range'])
  })

  test('that do not exist are rejected', () => {
    assert.deepEqual(codes(dated('2026-02-30T12:00:00+00:00')), ['post_without_date'])
  })
})

describe('bounds', () => {
  test('at most sixty posts are kept, the newest', () => {
    const parsed = page(Array.from({ length: 80 }, (_, i) => message(i + 1, text('x'))).join(''))
    assert.equal(parsed.posts.length, MAX_POSTS)
    assert.deepEqual([parsed.numbers[0], parsed.numbers.at(-1)], [21, 80])
    assert.deepEqual(codes(parsed), ['posts_cut'])
  })

  test('a text that is too long is cut, but not within a character', () => {
    const parsed = page(message(1, text('x' + '🌊'.repeat(MAX_TEXT))))
    const [post] = parsed.posts
    assert.equal(post!.text.length, MAX_TEXT - 1)
    assert.ok(post!.text.isWellFormed())
    assert.deepEqual(codes(parsed), ['text_cut'])
  })

  test('title and description in the head are cut too', () => {
    const meta = (name: string) => `<meta property="og:${name}" content="${'x'.repeat(100_000)}">`
    const head = `<html><head>${meta('title')}${meta('description')}</head>`
    const header = '<div class="tgme_channel_info_header_username"><a>@pierside</a></div>'
    const { profile } = page(`${head}<body>${header}${message(1, text('words'))}</body></html>`)
    assert.equal(profile?.title.length, 1_024)
    assert.equal(profile?.description.length, MAX_TEXT)
  })

  test('a rich post of 32 768 characters is kept whole', () => {
    const parsed = page(message(1, text('wave '.repeat(6_553) + 'end')))
    assert.equal(parsed.posts[0]!.text.length, 32_768)
    assert.deepEqual(codes(parsed), [])
  })

  test('the captions of an album are cut together as one text', () => {
    const files = Array.from({ length: 5 }, () => oneMedia(text(`<b>${'wave '.repeat(2_000)}</b>`)))
    const parsed = page(message(1, files.join('')))
    const [post] = parsed.posts
    assert.equal(post!.text.length, MAX_TEXT)
    assert.ok(post!.entities.length > 1)
    assert.ok(post!.entities.every((entity) => entity.offset + entity.length <= MAX_TEXT))
    assert.deepEqual(codes(parsed), ['text_cut'])
  })

  test('nesting that is too deep does not lose the text', () => {
    const depth = MAX_DEPTH * 10
    const deep = '<b>'.repeat(depth) + 'deep' + '</b>'.repeat(depth)
    const parsed = page(message(1, text(deep)) + message(2, text('next')))
    assert.deepEqual(
      parsed.posts.map((post) => post.text),
      ['deep', 'next'],
    )
  })

  test('too many nodes are cut, and the posts before are kept', () => {
    const parsed = page(message(1, text('first')) + message(2, text('<b>xy</b>'.repeat(MAX_NODES))))
    assert.deepEqual(
      parsed.posts.map((post) => post.text),
      ['first'],
    )
    assert.deepEqual(codes(parsed), ['nodes_cut', 'text_cut', 'post_without_date'])
    assert.equal(parsed.state, 'truncated')
  })
})

describe('posts', () => {
  test('every caption of an album of files is kept, each with its own formatting', () => {
    const files = [text('first <b>bold</b>'), text(''), text('second <i>slanted</i>')]
    const parsed = page(message(1, files.map(oneMedia).join('')))
    const [post] = parsed.posts
    assert.equal(post!.text, 'first bold\n\nsecond slanted')
    assert.deepEqual(
      post!.entities.map(({ offset, length }) => post!.text.substr(offset, length)),
      ['bold', 'slanted'],
    )
    assert.deepEqual(codes(parsed), [])
  })

  test('an album consists only of links to its own channel within the range of its numbers', () => {
    const photo = (path: string) =>
      `<a class="tgme_widget_message_photo_wrap grouped_media_wrap" href="https://t.me/${path}?single"></a>`
    const own = ['pierside/1000', 'PierSide/1001', 'pierside/1009'].map(photo)
    const stray = ['pierside/3', 'pierside/999', 'pierside/1010', 'other/1002'].map(photo)
    const parsed = page(message(1000, [...own, ...stray].join('')))
    const [post] = parsed.posts
    assert.deepEqual(post!.albumNumbers, [1000, 1001, 1009])
    assert.deepEqual(parsed.numbers, [1000, 1001, 1009])
    assert.deepEqual(
      post!.media.map(({ number }) => number),
      [1000, 1001, 1009, null, null, null, null],
    )
    assert.deepEqual(
      codes(parsed),
      Array.from({ length: 4 }, () => 'foreign_member'),
    )
  })

  test('a placeholder label is an unsupported medium beside a caption, and hides a post on its own', () => {
    const label =
      '<div class="message_media_not_supported_wrap"><div class="message_media_not_supported_label">Please open Telegram to view this post</div></div>'
    const [beside] = page(message(1, label + text('words'))).posts
    assert.deepEqual(
      beside!.media.map(({ kind }) => kind),
      ['unsupported'],
    )
    assert.equal(beside!.orphan, false)
    const [alone] = page(message(1, label)).posts
    assert.deepEqual(alone!.media, [])
    assert.equal(alone!.orphan, true)
  })

  test('a reply in a topic of a group names the post, not the topic', () => {
    const replyTo = (href: string) =>
      page(message(1, `<a class="tgme_widget_message_reply" href="${href}"></a>${text('x')}`))
        .posts[0]!.replyTo?.url
    assert.equal(replyTo('https://t.me/deckhands/12/345'), 'https://t.me/deckhands/345')
    assert.equal(replyTo('https://t.me/c/77/12/345'), 'https://t.me/c/77/345')
    assert.equal(replyTo('https://t.me/c/77/12'), 'https://t.me/c/77/12')
  })

  test('cells of a table are separate words', () => {
    const table = '<table><tr><td>one</td><td><b>two</b></td></tr><tr><td>three</td></tr></table>'
    assert.equal(page(message(1, text(table))).posts[0]!.text, 'one two\nthree')
  })

  test('the length of a video is not taken for the date of the post', () => {
    const video =
      '<a class="tgme_widget_message_video_player"><time class="message_video_duration">0:10</time></a>'
    assert.equal(page(message(1, video)).posts[0]?.publishedAt, Date.UTC(2026, 7, 30, 12))
  })

  test('a date is read only with its time zone', () => {
    for (const written of ['2026-08-30T12:00:00', 'Aug 30 2026', '30', '2026-08-30T12:00:00+0']) {
      const html = message(1, text('x')).replace('2026-08-30T12:00:00+00:00', written)
      assert.deepEqual(codes(page(html)), ['post_without_date'])
    }
    const east = message(1, text('x')).replace('12:00:00+00:00', '14:00:00+02:00')
    assert.equal(page(east).posts[0]?.publishedAt, Date.UTC(2026, 7, 30, 12))
  })

  test('class names are compared whole', () => {
    const parsed = page(message(1, '<div class="not-js-message_text js-message_text2">no</div>'))
    assert.equal(parsed.posts[0]?.text, '')
  })

  test('markup written by the author stays text', () => {
    const evil =
      '</div></div><div class="tgme_widget_message" data-post="evil/1"><script>x</script>'
    const escaped = evil.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    assert.equal(page(message(1, text(escaped))).posts[0]?.text, evil)
  })

  test('a post with a broken data-view is still read', () => {
    for (const view of ['', '!!!', 'bnVsbA', 'WzEsMl0', 'eyJjIjoieCJ9', 'x'.repeat(5000)]) {
      const parsed = page(message(1, text('x'), `data-view="${view}"`))
      assert.equal(parsed.posts.length, 1)
    }
  })

  test('a post that cannot be read still counts as present, so that it does not look deleted', () => {
    const undated = message(2, text('x')).replace(TIME, '')
    const parsed = page(message(3, text('c')) + undated + message(1, text('a')))
    assert.deepEqual(
      parsed.posts.map((post) => post.number),
      [1, 3],
    )
    assert.deepEqual(parsed.numbers, [1, 2, 3])
  })

  test('a post that lost its content to a new layout is not taken for an app-only post', () => {
    const html = fixture('page-text.html').replaceAll('message_text', 'message_words')
    const parsed = page(html)
    assert.ok(parsed.posts.length > 10)
    assert.ok(parsed.posts.every((post) => post.text === '' && !post.orphan))
    assert.equal(codes(parsed).filter((code) => code === 'post_empty').length, parsed.posts.length)
  })

  test('a post of another channel among those of a channel is dropped, and does not rename it', () => {
    const view = Buffer.from('{"c":-4711,"p":1,"t":1,"h":""}').toString('base64url')
    const foreign = message(99, text('bought')).replace('pierside/99', 'sponsor/99')
    for (const more of ['', `data-view="${view}"`]) {
      const own = [1, 2, 3].map((number) => message(number, text(`own ${number}`), more))
      const parsed = page(
        fixture('page-text.html').replace(/<section class="tgme_channel[^]*<\/section>/, () =>
          [...own, foreign].join(''),
        ),
      )
      assert.deepEqual(parsed.numbers, [1, 2, 3])
      assert.equal(parsed.profile?.username, 'pierside')
      assert.ok(codes(parsed).includes('foreign_post'))
    }
  })

  test('posts without an id do not outvote the name of those with one', () => {
    const view = Buffer.from('{"c":-4711,"p":1,"t":1,"h":""}').toString('base64url')
    const own = [1, 2].map((number) => message(number, text('own'), `data-view="${view}"`))
    const foreign = [96, 97, 98, 99].map((number) =>
      message(number, text('bought')).replace('pierside/', 'sponsor/'),
    )
    const parsed = page([...own, message(3, text('own')), ...foreign].join(''))
    assert.deepEqual(parsed.numbers, [1, 2, 3])
  })

  test('a post shown twice counts once; different posts under one number are dropped, but not missing', () => {
    const twice = page(message(1, text('same')) + message(1, text('same')))
    assert.deepEqual([twice.posts.length, codes(twice)], [1, ['post_repeated']])
    for (const again of ['second', 'first', 'third']) {
      const claimed = message(1, text('first')) + message(1, text('second'))
      const parsed = page(claimed + message(1, text(again)) + message(2, text('other')))
      assert.deepEqual(
        parsed.posts.map((post) => post.number),
        [2],
      )
      assert.deepEqual(parsed.numbers, [1, 2])
    }
  })

  test('a post with an invalid number is dropped', () => {
    for (const path of ['pierside/0', 'pierside/-1', 'pierside/1e3', 'pierside/99999999999', 'x']) {
      const parsed = page(message(1, text('x')).replace('pierside/1"', `${path}"`))
      assert.deepEqual(codes(parsed), ['post_without_number'])
    }
  })

  test('the content hash ignores counters, addresses and changing names', () => {
    const html = fixture('page-media.html') + fixture('page-relations.html')
    const later = html
      .replaceAll('1.2K</span>', '9.9M</span>')
      .replaceAll('cdn4.telesco.pe', 'cdn1.telesco.pe')
      .replace(/token=[\w-]+/g, 'token=other')
      .replaceAll('>419<', '>420<')
      .replaceAll('https://t.me/harbournotes/', 'https://t.me/harbour_new/')
      .replaceAll('data-post="harbournotes/', 'data-post="harbour_new/')
    const hashes = (source: string) => page(source).posts.map(contentSha256)
    assert.deepEqual(hashes(later), hashes(html))
    assert.equal(new Set(hashes(html)).size, hashes(html).length)
  })
})

test('a custom reaction is read only if its id is numeric', () => {
  const reaction = (id: string) =>
    `<span class="tgme_reaction"><tg-emoji emoji-id="${id}"></tg-emoji>7</span>`
  const all = `<div class="tgme_widget_message_reactions">${reaction('536832417')}${reaction('x'.repeat(9000))}</div>`
  const [post] = page(message(1, text('hello') + all)).posts
  assert.deepEqual(
    post?.reactions.map(({ customId }) => customId),
    ['536832417'],
  )
})
