import { type Draft, TextBuilder } from './draft.ts'
import {
  address,
  aside,
  body,
  splitInThree,
  name,
  opening,
  paragraphs,
  sentence,
  tag,
  type Voice,
} from './phrases.ts'
import { digits } from './random.ts'
import type { Neighbours } from './relations.ts'
import type { Shape } from './shapes.ts'

/** Posts with special text: formatting, links, emoji, and characters that may break a parser. */
export function markedText(world: Neighbours, shape: Shape, voice: Voice): Partial<Draft> {
  switch (shape) {
    case 'long':
      return { text: paragraphs(voice, voice.random.between(8, 24)) }
    case 'rich':
      return rich(voice)
    case 'quote':
      return quote(voice)
    case 'code':
      return code(voice)
    case 'links':
      return links(world, voice)
    case 'tags':
      return tags(world, voice)
    case 'emoji':
      return { text: `${voice.random.pick(EMOJI)} ${body(voice)} ${voice.random.pick(EMOJI)}` }
    case 'custom_emoji':
      return customEmoji(voice)
    case 'hidden_characters':
      return hiddenCharacters(voice)
    case 'markup_text':
      return { text: `${voice.random.pick(MARKUP)}\n${sentence(voice)} 5 < 7 && 9 > 3 "yes" 'no'` }
    case 'preview':
    case 'small_preview':
    case 'bare_preview':
      return preview(shape, voice)
    default:
      return { text: body(voice) }
  }
}

const EMOJI = ['🔥', '⚡️', '❗️', '🇺🇦', '👩‍💻', '☕️', '📈', '❤️', '🧠', '☔️', '👍🏽', '1️⃣', '👁️‍🗨️']
const MARKUP = [
  '<script>alert("x")</script>',
  '<img src=x onerror=alert(1)>',
  '</div></div><div class="tgme_widget_message" data-post="evil/1">',
  '&lt;b&gt;not bold&lt;/b&gt; &amp;amp;',
  '<!-- page generated in 1ms -->',
  '{{7*7}} ${7*7} <%= 7*7 %>',
  '"><svg/onload=alert(1)> javascript:alert(1)',
]

function done(builder: TextBuilder): Partial<Draft> {
  return { text: builder.text, entities: builder.entities }
}

function rich(voice: Voice): Partial<Draft> {
  const { random } = voice
  const out = new TextBuilder().mark('bold', opening(voice)).plain('\n\n')
  for (const type of ['italic', 'underline', 'strike', 'spoiler'] as const) {
    if (!random.chance(0.6)) continue
    const [head, middle, tail] = splitInThree(sentence(voice))
    out.plain(head).mark(type, middle).plain(tail).plain('\n')
  }
  if (random.chance(0.5)) {
    const [head, middle, tail] = splitInThree(sentence(voice))
    out.around('bold', (inner) => inner.plain(head).mark('italic', middle).plain(tail)).plain('\n')
  }
  return done(out.plain(aside(voice)))
}

function quote(voice: Voice): Partial<Draft> {
  const collapsed = voice.random.chance(0.5)
  const quoted = paragraphs(voice, collapsed ? 5 : 1).replace(/\n+/g, '\n')
  return done(
    new TextBuilder()
      .plain(sentence(voice) + '\n')
      .mark('quote', quoted, collapsed ? { collapsed } : {})
      .plain('\n' + aside(voice)),
  )
}

function code(voice: Voice): Partial<Draft> {
  const { random } = voice
  const language = random.pick([undefined, 'python', 'javascript'])
  return done(
    new TextBuilder()
      .plain(`${sentence(voice)} `)
      .mark('code', `npm install ${name(voice).toLowerCase()}`)
      .plain('\n')
      .mark(
        'pre',
        `if (a < ${random.int(9)} && b) {\n    run("x")\n}`,
        language ? { language } : {},
      )
      .plain('\n' + aside(voice)),
  )
}

function links(world: Neighbours, voice: Voice): Partial<Draft> {
  const { random } = voice
  const out = new TextBuilder().plain(sentence(voice) + ' ')
  if (random.chance(0.6)) {
    out.mark('text_link', opening(voice), { url: address(voice) }).plain(' ')
  }
  if (random.chance(0.5)) {
    const url = address(voice)
    out.mark('link', url, { url }).plain(' ')
  } else if (random.chance(0.3)) {
    out.mark('link', 'example.org/about', { url: 'http://example.org/about' }).plain(' ')
  }
  mention(out, world, voice)
  return done(out.plain('\n').plain(aside(voice)))
}

function mention(out: TextBuilder, world: Neighbours, { random }: Voice): void {
  const username = world.nameOf(world.channels[random.zipf(world.channels.length)] ?? null)
  if (username) out.mark('mention', `@${username}`, { url: `https://t.me/${username}` })
  // Some @words stay plain text on the pages.
  else out.plain('@ab')
}

function tags(world: Neighbours, voice: Voice): Partial<Draft> {
  const out = new TextBuilder().plain(body(voice)).plain('\n\n')
  tag(out, voice)
  out.plain(' ')
  tag(out, voice)
  if (voice.random.chance(0.4)) {
    out.plain(' ').mark('cashtag', '$' + voice.random.pick(['BTC', 'TON', 'GOLD', 'KSTR', 'LUMN']))
  }
  out.plain(' ')
  mention(out, world, voice)
  return done(out)
}

export function customEmoji(voice: Voice): Partial<Draft> {
  const { random } = voice
  const out = new TextBuilder()
  const add = () => out.mark('custom_emoji', random.pick(EMOJI), { customId: digits(random, 19) })
  add()
  out.plain(` ${sentence(voice)}\n\n`)
  add()
  out.plain(` ${sentence(voice)} `)
  return done(random.chance(0.5) ? add() : out.plain(aside(voice)))
}

/** Zero-width, direction and soft-hyphen characters inside words, and a pile of combining marks. */
function hiddenCharacters(voice: Voice): Partial<Draft> {
  const hidden = voice.random.pick([
    '\u200b',
    '\u200f',
    '\u202e',
    '\u00ad',
    '\u2066',
    '\ufeff',
    '\u00a0',
  ])
  const [head, middle, tail] = splitInThree(sentence(voice))
  return { text: `${head}${middle.split('').join(hidden)}${tail} Z\u0341\u0317\u0352a\u0308lgo` }
}

function preview(shape: Shape, voice: Voice): Partial<Draft> {
  const { random } = voice
  const url = address(voice)
  const out = new TextBuilder().plain(body(voice)).plain('\n\n').mark('link', url, { url })
  const isBare = shape === 'bare_preview'
  return {
    ...done(out),
    linkPreview: {
      url,
      siteName: isBare ? null : name(voice),
      title: isBare ? null : opening(voice),
      description: isBare || random.chance(0.2) ? null : `${sentence(voice)} ${aside(voice)}`,
      imageKey: isBare || random.chance(0.7) ? random.bits() : null,
    },
    extras: { smallPreview: shape === 'small_preview' },
  }
}
