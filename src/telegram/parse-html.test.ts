import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import { attribute, find, findAllClass, findClass, plainText, style, type Element } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { assertGrowsByLength, processorMs } from '../../test/processor-time.ts'

function tree(html: string, maxNodes?: number): Element {
  return parseHtml(html, { boundary: 'wrap', ...(maxNodes && { maxNodes }) }).root
}

/** The tree as text, to compare shapes at a glance. */
function outline(element: Element): string {
  return element.children
    .map((child) => (typeof child === 'string' ? child : `${child.tag}(${outline(child)})`))
    .join('')
}

describe('parsing takes bounded work for', () => {
  const maxNodes = 50_000
  const deep = '<p>'.repeat(120)
  for (const [name, head, unit] of [
    ['elements with an odd entity', '', '<a href=&x>'],
    ['the same inside a drawing', '<svg>', '<a href=&x>'],
    ['end tags of nothing', deep, '</x>'],
    ['end tags of nothing inside a block', `${deep}<div>`, '</b>'],
    ['signs that begin no tag', '', 'a< '],
  ] as const) {
    test(name, () => {
      const upTo = (pieces: number) => head + unit.repeat(pieces)
      assert.equal(parseHtml(upTo(maxNodes - 200), { boundary: 'wrap', maxNodes }).cut, null)
      const [some, many] = [upTo(2 * maxNodes), upTo(16 * maxNodes)]
      let told = ''
      for (let tries = 0; tries < 4; tries++) {
        const bounded = processorMs(() => tree(some, maxNodes))
        const whole = processorMs(() => tree(many, maxNodes))
        if (whole < 3 * bounded + 20) return
        told = `${bounded} ms, eight times as many ${whole} ms`
      }
      assert.fail(told)
    })
  }
})

describe('broken markup', () => {
  const cases: [string, string, string][] = [
    ['an end tag closes what is open inside', '<div><b>x</div>y', 'div(b(x))y'],
    ['a stray inline end tag stays inside its block', '<i><div>x</i>y</div></i>z', 'i(div(xy))z'],
    ['misnested formatting is cut, not repeated', '<b>1<i>2</b>3</i>4', 'b(1i(2))34'],
    ['a slash closes nothing but what is empty anyway', '<div/>x<br/>y', 'div(xbr()y)'],
    ['an end tag of a break is a break', 'a</br>b', 'abr()b'],
    [
      'drawings and scripts are left out',
      'a<svg><path d="M"/><g>t</g></svg>b<script>c</script>d',
      'abd',
    ],
    ['names are read in any case', '<DIV CLASS="wrap">x</DIV>', 'div(x)'],
    ['a boundary closes the one before it', '<p class=wrap><b>1<p class=wrap>2', 'p(b(1))p(2)'],
    ['a boundary ends a drawing without end', '<svg><g><p class=wrap>2', 'p(2)'],
    ['an unfinished tag at the end is dropped', 'a<b>c<i class="x', 'ab(c)'],
  ]
  for (const [name, html, expected] of cases) {
    test(name, () => assert.equal(outline(tree(html)), expected))
  }

  test('a surplus quote does not lose the attributes before it', () => {
    const link = find(tree('<a class="x" href="https://t.me/a/1" "><i>y</i></a>z'), () => true)
    assert.equal(attribute(link!, 'href'), 'https://t.me/a/1')
    assert.equal(outline(link!), 'i(y)')
    const odd = find(tree('<a data-bg-emoji="x"" href="https://t.me/a/2">y</a>'), () => true)
    assert.equal(attribute(odd!, 'href'), 'https://t.me/a/2')
  })

  test('the first of two equal attributes counts', () => {
    assert.equal(attribute(findClass(tree('<a class="a" class="b">'), 'a')!, 'class'), 'a')
  })
})

test('the time to find a class grows linearly, however many classes elements have', () => {
  assertGrowsByLength((length) => {
    const wide = `<p class="${'a '.repeat(length / 3)}">`.repeat(100)
    const posts = '<p class="wrap">'.repeat(length)
    const { root } = parseHtml(`${wide}${posts}`, { boundary: 'wrap' })
    assert.equal(findAllClass(root, 'wrap').length, length)
  }, 15_000)
})

test('style properties are matched by their whole name', () => {
  const element = find(
    tree(
      `<i style="max-width:5px;width:10px;background-image:url('https://x/;a');padding-top:50%">`,
    ),
    () => true,
  )
  assert.equal(style(element, 'width'), '10px')
  assert.equal(style(element, 'background-image'), 'https://x/;a')
  assert.equal(style(element, 'padding-top'), '50%')
  assert.equal(style(element, 'height'), undefined)
})

describe('compared with a browser’s parser', () => {
  const pieces = fc.constantFrom(
    ...'& &amp; &amp &lt; &#33; &#39; &nbsp; &quot; &#x1F6A2; &#128; &#0; &#xD800; &#99999999;'.split(
      ' ',
    ),
    ...'&not &notit; &NotEqualTilde; &copy &fjlig;'.split(' '),
    ..."= a ; # ' 🚢 é".split(' '),
    ' ',
  )
  const source = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''))

  test('entities in text are decoded the same', () => {
    fc.assert(
      fc.property(source, (text) => {
        assert.equal(plainText(tree(`<p>${text}</p>`)), textOf(parseFragment(`<p>${text}</p>`)))
      }),
      { numRuns: 1000 },
    )
  })

  test('entities in attributes are decoded the same', () => {
    fc.assert(
      fc.property(source, (value) => {
        const html = `<a href="${value}">x</a>`
        const [link] = parseFragment(html).childNodes
        const expected = (link as DefaultTreeAdapterTypes.Element).attrs[0]!.value
        const element = find(tree(html), ({ tag }) => tag === 'a')
        assert.equal(attribute(element!, 'href'), expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('well-formed markup has the same text', () => {
    const markup = fc.letrec<{ node: string; nodes: string }>((tie) => ({
      nodes: fc.array(tie('node'), { maxLength: 4 }).map((all) => all.join('')),
      node: fc.oneof(
        { depthSize: 'small' },
        source,
        fc.constantFrom('<br/>', '<img src=x>', '<!-- no -->', '<script>no()</script>'),
        fc
          .tuple(fc.constantFrom('b', 'i', 'div', 'span', 'blockquote', 'tg-spoiler'), tie('nodes'))
          .map(([tag, inside]) => `<${tag} class="x y">${inside}</${tag}>`),
      ),
    }))
    fc.assert(
      fc.property(markup.nodes, (html) => {
        assert.equal(plainText(tree(html)), textOf(parseFragment(html)))
      }),
      { numRuns: 1000 },
    )
  })
})

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value
  if (node.nodeName === 'script' || !('childNodes' in node)) return ''
  return node.childNodes.map(textOf).join('')
}
