import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { ENTITY_TYPES, type Entity, type EntityType } from '../model/post.ts'
import { normalizeEntities, toHtml, toMarkdown } from './markup.ts'
import { assertGrowsByLength } from '../../test/processor-time.ts'

function mark(text: string, part: string, type: EntityType, more: Partial<Entity> = {}): Entity {
  const offset = text.indexOf(part)
  assert.ok(offset >= 0, `${part} is not in ${text}`)
  return { type, offset, length: part.length, ...more }
}

describe('toHtml', () => {
  test('renders each kind of entity', () => {
    const text = 'bold italic under gone secret x=1 here @name #tag'
    const html = toHtml(text, [
      mark(text, 'bold', 'bold'),
      mark(text, 'italic', 'italic'),
      mark(text, 'under', 'underline'),
      mark(text, 'gone', 'strike'),
      mark(text, 'secret', 'spoiler'),
      mark(text, 'x=1', 'code'),
      mark(text, 'here', 'text_link', { url: 'https://example.org/?a=1&b="2' }),
      mark(text, 'here', 'text_link', { url: 'https://example.org/?a=1&b=2' }),
      mark(text, '@name', 'mention', { url: 'https://t.me/name' }),
      mark(text, '#tag', 'hashtag'),
    ])
    assert.equal(
      html,
      '<b>bold</b> <i>italic</i> <u>under</u> <s>gone</s> <span class="spoiler">secret</span> <code>x=1</code> ' +
        '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener noreferrer">here</a> ' +
        '<a href="https://t.me/name" rel="nofollow noopener noreferrer">@name</a> #tag',
    )
  })

  test('lets a block absorb the adjacent line breaks', () => {
    const text = 'before\nquoted\nlines\nafter\nlet a\n\nend'
    const html = toHtml(text, [
      mark(text, 'quoted\nlines', 'quote'),
      mark(text, 'let a', 'pre', { language: 'js' }),
    ])
    assert.equal(
      html,
      'before<blockquote>quoted<br>lines</blockquote>after<pre><code class="language-js">let a</code></pre><br>end',
    )
  })

  test('closes and reopens overlapping entities in order', () => {
    const text = 'abcdef'
    const html = toHtml(text, [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'italic', offset: 2, length: 4 },
    ])
    assert.equal(html, '<b>ab<i>cd</i></b><i>ef</i>')
  })

  test('renders a link inside a link as text', () => {
    const url = 'https://example.org/'
    const html = toHtml('abc', [
      { type: 'text_link', offset: 0, length: 3, url },
      { type: 'link', offset: 1, length: 1, url: 'https://example.com/' },
    ])
    assert.equal(html, `<a href="${url}" rel="nofollow noopener noreferrer">abc</a>`)
  })

  test('drops links with unsafe schemes and keeps their text', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'https:x', ' x']) {
      assert.equal(toHtml('x', [{ type: 'text_link', offset: 0, length: 1, url }]), 'x')
    }
  })
})

const ALLOWED_TAGS = new Set('b i u s code pre blockquote span a br #text'.split(' '))
const ALLOWED_ATTRIBUTES: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|tg:|mailto:)/i,
  rel: /^nofollow noopener noreferrer$/,
  class: /^(?:spoiler|language-[\w+#.-]+)$/,
}

type Node = DefaultTreeAdapterTypes.ChildNode

function visit(nodes: readonly Node[], see: (node: Node) => void): void {
  for (const node of nodes) {
    see(node)
    if ('childNodes' in node) visit(node.childNodes, see)
  }
}

function words(html: string): string {
  let text = ''
  visit(parseFragment(html).childNodes, (node) => {
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterTypes.TextNode).value
    if (node.nodeName === 'br') text += '\n'
  })
  return text
}

const nasty = fc.constantFrom(
  '<script>alert(1)</script>',
  '<img src=x onerror=y>',
  '</a></b></pre>',
  '&lt;b&gt;&amp;',
  '"\'`',
  '\n',
  '\n\n',
  '👩‍💻',
  '\ud83d',
  '<!-- -->',
  ' ',
  '![a](b)',
)
const anyText = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(''))
const anyUrl = fc.oneof(
  fc.webUrl(),
  fc.constantFrom(
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'https://x" onclick="y',
    "https://x' onclick='y",
    'https://x><script>',
    'tg://resolve?domain=x',
    'mailto:a@b.c',
    'https://e.org/a_b(c)d*',
  ),
  fc.string({ maxLength: 20 }),
)
const anyEntity: fc.Arbitrary<Entity> = fc.record(
  {
    type: fc.constantFrom(...ENTITY_TYPES),
    offset: fc.integer({ min: -3, max: 60 }),
    length: fc.integer({ min: -3, max: 60 }),
    url: anyUrl,
    language: fc.oneof(fc.constantFrom('js', 'c++', '"><script>'), fc.string({ maxLength: 8 })),
    customId: fc.string({ maxLength: 8 }),
  },
  { requiredKeys: ['type', 'offset', 'length'] },
)
const anyEntities = fc.array(anyEntity, { maxLength: 8 })

describe('random texts and entities', () => {
  test('give HTML with only allowed tags and attributes', () => {
    fc.assert(
      fc.property(anyText, anyEntities, (text, entities) => {
        visit(parseFragment(toHtml(text, entities)).childNodes, (node) => {
          assert.ok(ALLOWED_TAGS.has(node.nodeName), node.nodeName)
          if (!('attrs' in node)) return
          for (const { name, value } of node.attrs) {
            assert.match(value, ALLOWED_ATTRIBUTES[name] ?? /^\b$/, `${name}=${value}`)
          }
        })
      }),
      { numRuns: 2000 },
    )
  })

  test('give HTML with exactly the words of the text', () => {
    const inline = anyEntities.map((all) =>
      all.filter((e) => e.type !== 'quote' && e.type !== 'pre'),
    )
    fc.assert(
      fc.property(anyText, inline, (text, entities) => {
        assert.equal(words(toHtml(text, entities)), text.toWellFormed().replace(CONTROLS, ''))
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(anyText, anyEntities, (text, entities) => {
        const without = (s: string) => s.toWellFormed().replace(CONTROLS, '').replaceAll('\n', '')
        assert.equal(without(words(toHtml(text, entities))), without(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('are normalised to entities within the text, in order, that normalise to themselves', () => {
    fc.assert(
      fc.property(anyText, anyEntities, (text, entities) => {
        const once = normalizeEntities(text, entities)
        assert.deepEqual(normalizeEntities(text, once), once)
        once.forEach((entity, i) => {
          assert.ok(entity.offset >= 0 && entity.length > 0)
          assert.ok(entity.offset + entity.length <= text.length)
          assert.ok(i === 0 || once[i - 1]!.offset <= entity.offset)
        })
      }),
    )
  })

  test('give Markdown without images or raw HTML, and with all the words', () => {
    fc.assert(
      fc.property(anyText, anyEntities, (text, entities) => {
        const markdown = toMarkdown(
          text,
          entities.filter((entity) => entity.type !== 'code' && entity.type !== 'pre'),
        )
        assert.doesNotMatch(markdown, /(?<!\\)!\[/)
        assert.doesNotMatch(markdown, /(?<!\\)<(?!(?:https?:\/\/|tg:|mailto:)[^\s<>]+>)/i)
        const letters = (s: string) => s.replace(/[^\p{L}\p{N}]/gu, '')
        const plain = toMarkdown(text, [])
        assert.equal(letters(plain), letters(text.toWellFormed()))
      }),
      { numRuns: 1000 },
    )
  })
})

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

describe('toMarkdown', () => {
  const cases: [string, string, Entity[], string][] = [
    ['marks hug their words', 'a bold b', [{ type: 'bold', offset: 1, length: 6 }], 'a **bold** b'],
    [
      'what has no mark tears no mark',
      '🚢 bold #tag',
      [
        { type: 'bold', offset: 0, length: 12 },
        { type: 'custom_emoji', offset: 0, length: 2, customId: '1' },
        { type: 'hashtag', offset: 8, length: 4 },
      ],
      '**🚢 bold #tag**',
    ],
    [
      'marks end with the line',
      'one\ntwo',
      [{ type: 'italic', offset: 0, length: 7 }],
      '*one*  \n*two*',
    ],
    [
      'a link shows its address',
      'see here',
      [{ type: 'text_link', offset: 4, length: 4, url: 'https://e.org/a(b)' }],
      'see [here](https://e.org/a%28b%29)',
    ],
    [
      'an address that is its own words is not said twice',
      'https://e.org/a_b',
      [{ type: 'link', offset: 0, length: 17, url: 'https://e.org/a_b' }],
      '<https://e.org/a_b>',
    ],
    [
      'no image comes of an exclamation mark',
      'look!here',
      [{ type: 'text_link', offset: 5, length: 4, url: 'https://e.org/' }],
      'look\\![here](https://e.org/)',
    ],
    [
      'the author’s own Markdown is text',
      '*not* _this_ snake_case [x](y) `z`',
      [],
      '\\*not\\* \\_this\\_ snake_case \\[x\\](y) \\`z\\`',
    ],
    [
      'line starts are escaped',
      '# head\n#tag\n- item\n1. first\n> quote\n---\n===',
      [],
      '\\# head  \n#tag  \n\\- item  \n1\\. first  \n\\> quote  \n\\---  \n\\===',
    ],
    ['HTML is text', '<b>x</b> &amp; & Co', [], '\\<b>x\\</b> \\&amp; & Co'],
    [
      'a quote ends with an empty line',
      'q1\nq2\nafter',
      [{ type: 'quote', offset: 0, length: 5 }],
      '> q1  \n> q2\n\nafter',
    ],
    [
      'code keeps its empty lines and outgrows its own fences',
      'run:\na\n\n```\nend',
      [{ type: 'pre', offset: 5, length: 6, language: 'sh' }],
      'run:\n````sh\na\n\n```\n````\nend',
    ],
    [
      'code spans outgrow their ticks',
      'a `b` c',
      [{ type: 'code', offset: 2, length: 3 }],
      'a `` `b` `` c',
    ],
  ]
  for (const [name, text, entities, expected] of cases) {
    test(name, () => assert.equal(toMarkdown(text, entities), expected))
  }
})

describe('text made to be long when rendered', () => {
  const LINES = 6_000
  const address = `https://e.org/${'!'.repeat(200)}`

  test('takes time and space linear in its length', () => {
    const inLines = (lines: number, type: EntityType, separator: string) => ({
      text: `a${separator}`.repeat(lines),
      entities: Array.from({ length: lines }, (_, i): Entity[] => [
        { type: 'text_link', offset: 2 * i, length: 1, url: address },
        { type, offset: 2 * i, length: 1 },
      ]).flat(),
    })
    for (const [type, separator] of [['bold', ' '] as const, ['quote', '\n'] as const]) {
      assertGrowsByLength((lines) => {
        const { text, entities } = inLines(lines, type, separator)
        assert.ok(toHtml(text, entities).length < 400 * lines)
        assert.ok(toMarkdown(text, entities).length < 400 * lines)
      }, LINES)
    }
  })

  test('does not lengthen the fence of every block for one long row of backticks', () => {
    const ticks = '`'.repeat(1000)
    const blocks = Array.from({ length: 500 }, (_, i): Entity => ({
      type: 'pre',
      offset: ticks.length + 1 + 4 * i,
      length: 1,
    }))
    const shown = toMarkdown(`${ticks}\n${'a\nb\n'.repeat(500)}`, blocks)
    assert.ok(shown.endsWith('```\na\n```\nb\n'))
    assert.ok(shown.length < 12_000, `${shown.length}`)
  })
})
