import { html, type Markup } from './markup.ts'
import { pictureOver, type Picture } from './picture.ts'

const COLOURS = 8

/**
 * A channel's first letter on a colour of its own, behind its picture if there is one. It stands beside the channel's name,
 * so screen readers skip it.
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

/** The first letter or digit: many titles start with an emoji. */
function initialOf(title: string): string {
  const letter = /[\p{L}\p{N}]/u.exec(title)?.[0] ?? [...title][0] ?? '?'
  return letter.toUpperCase()
}

function colourOf(username: string): number {
  let sum = 0
  for (const letter of username.toLowerCase()) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521
  return sum % COLOURS
}
