import { Tokenizer } from 'htmlparser2'

const COMMON: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
  '&#33;': '!',
  '&#39;': "'",
}
const RARE = /&(?!(?:amp|lt|gt|quot|nbsp|#33|#39);)[A-Za-z#]/

/** The platform uses seven entities; any other is decoded by the tokenizer's own table of two thousand. */
export function decodeEntities(source: string, where: 'text' | 'attribute'): string {
  if (!source.includes('&')) return source
  if (!RARE.test(source)) {
    return source.replace(/&(?:amp|lt|gt|quot|nbsp|#33|#39);/g, (entity) => COMMON[entity]!)
  }
  let decoded = ''
  const slice = (start: number, end: number) => {
    decoded += html.slice(start, end)
  }
  const character = (codepoint: number) => {
    decoded += String.fromCodePoint(codepoint)
  }
  const isText = where === 'text'
  const html = isText
    ? source.replaceAll('<', '&lt;')
    : `<a b="${source.replaceAll('"', '&quot;')}">`
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...IDLE,
      ...(isText
        ? { ontext: slice, ontextentity: character }
        : { onattribdata: slice, onattribentity: character }),
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return decoded
}

const idle = () => {}
const IDLE = {
  onattribdata: idle,
  onattribend: idle,
  onattribentity: idle,
  onattribname: idle,
  oncdata: idle,
  onclosetag: idle,
  oncomment: idle,
  ondeclaration: idle,
  onend: idle,
  onopentagend: idle,
  onopentagname: idle,
  onprocessinginstruction: idle,
  onselfclosingtag: idle,
  ontext: idle,
  ontextentity: idle,
}
