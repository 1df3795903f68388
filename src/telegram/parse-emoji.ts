import { plainText, style, type Element } from './html.ts'

/**
 * Reads `<i class="emoji" style="…/40/F09F918D.png"><b>👍</b></i>`. The name of the file is the emoji's UTF-8 without U+FE0F.
 * Where the text has lost the U+200D that joins the parts of an emoji, the name still has it.
 */
export function readEmoji(element: Element): string {
  const shown = plainText(element)
  const picture = style(element, 'background-image')
  if (picture === undefined || (shown !== '' && !/E2808D/i.test(picture))) return shown
  const name = /\/([0-9A-F]{2,96})\.png$/i.exec(picture)?.[1]
  if (name === undefined || name.length % 2 === 1) return shown
  const named = Buffer.from(name, 'hex').toString('utf8')
  if (shown === '') return named.includes('\ufffd') ? '' : named
  return joinEmoji(shown, named)
}

function joinEmoji(shown: string, named: string): string {
  const parts = Array.from(shown)
  let joined = ''
  let at = 0
  for (const character of named) {
    if (character === '\u200d' && parts[at] !== '\u200d') joined += character
    else {
      if (parts[at] !== character) return shown
      joined += parts[at++]
    }
    while (parts[at] === '\ufe0f') joined += parts[at++]
  }
  return at === parts.length ? joined : shown
}
