import { html, type Markup } from './markup.ts'
import { pictureOver, type Picture } from './picture.ts'

const COLOURS = 8

/**
 * A channel's first letter on a colour of its own, below its picture where there is one to show. It stands beside the
 * channel's name: nobody has to hear it.
 */
export function avatar(
  channel: {
    readonly username: string
    readonly title: string
    readonly avatar?: Picture | undefined
  },
  size: 'small' | 'large' = 'small',
): Markup {
  return html`<span
    class="avatar framed c${colourOf(channel.username)}${size === 'large' ? ' large' : ''}"
    aria-hidden="true"
    >${initialOf(channel.title || channel.username)}${channel.avatar ? pictureOver(channel.avatar) : ''}</span
  >`
}

/** The first letter or digit: titles like to begin with an emoji. */
function initialOf(title: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(title)?.[0] ?? [...title][0] ?? '?'
  return letter.toUpperCase()
}

function colourOf(username: string): number {
  let sum = 0
  for (const letter of username.toLowerCase()) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521
  return sum % COLOURS
}
