import { makeMedia, type Post } from '../../src/model/post.ts'
import { makePost } from '../api/harness.ts'

const RUN = 'window.pwned=1'
const MARKUP = `<script>${RUN}</script><img src=x onerror="${RUN}"><svg/onload=${RUN}><iframe srcdoc="<script>top.pwned=1</script>">`

/** In every hostile post, so that a search finds them; each tries another way out of the page. */
export const HOSTILE_WORD = 'hostileword'

export function hostilePosts(at: number): Post[] {
  const texts = [
    MARKUP,
    `</p></div></article></main></body><style>*{display:none!important}</style><div id="escaped">out</div>`,
    `"><a href="javascript:${RUN}" autofocus onfocus=${RUN}>x</a>' onmouseover='${RUN}`,
    `<!-- <![CDATA[ ]]> --> &lt;script&gt;${RUN}&lt;/script&gt; &#60;b&#62; \${${RUN}} {{constructor.constructor('${RUN}')()}}`,
    `\u202E\u202Dright to left forever \u2067\u2068 never closed \u200F\u061C\u0000\u0008\uFEFF`,
    `شكرا \u202B abc \u202E def`,
    'W'.repeat(10_000),
    `https://example.com/${'a'.repeat(9000)}`,
    `z${'\u0301\u0322\u0336'.repeat(1500)}`,
    '\n'.repeat(3000),
    '\u{1F468}\u200D'.repeat(800),
    `\uD800 lone \uDFFF surrogates`,
  ]
  return texts.map((text, i) =>
    makePost({
      number: i + 1,
      publishedAt: at + i * 1000,
      text: `${HOSTILE_WORD} ${text}`,
      ...(i === 0 ? everywhere() : {}),
    }),
  )
}

/** The same in every other field that an author fills. */
function everywhere(): Partial<Post> {
  const long = 'M'.repeat(4000)
  return {
    entities: [
      { type: 'text_link', offset: 0, length: 4, url: `javascript:${RUN}` },
      { type: 'text_link', offset: 4, length: 3, url: `https://example.com/"onclick="${RUN}` },
      { type: 'pre', offset: 12, length: 30, language: `x" onclick="${RUN}` },
      { type: 'spoiler', offset: 20, length: 99_999 },
    ],
    author: MARKUP,
    viaBot: MARKUP,
    forwardedFrom: { name: MARKUP, username: null, postUrl: `javascript:${RUN}`, author: MARKUP },
    replyTo: { url: `javascript:${RUN}`, author: MARKUP, text: `${MARKUP}${long}` },
    linkPreview: {
      url: `javascript:${RUN}`,
      siteName: MARKUP,
      title: `${MARKUP}${long}`,
      description: MARKUP,
      imageUrl: `javascript:${RUN}`,
    },
    buttons: [[{ text: `${MARKUP}${long}`, url: `javascript:${RUN}` }]],
    poll: {
      question: MARKUP,
      type: MARKUP,
      options: [{ text: `${MARKUP}${long}`, percent: 1e9 }],
      voters: null,
    },
    media: [
      makeMedia('document', {
        url: `javascript:${RUN}`,
        width: 1e9,
        height: 1,
        durationS: 1e12,
        fileName: `${MARKUP}${long}`,
        detail: MARKUP,
      }),
    ],
  }
}
