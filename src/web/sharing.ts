import { cutText } from '../model/cut-text.ts'
import { html, type Markup } from './markup.ts'

const MAX_CHARS = 200

/** What messengers and social networks show of a page whose address is shared: Open Graph fields, in the head. */
export function sharingHead(shared: {
  readonly title: string
  readonly text: string
  readonly picture: string | undefined
}): Markup {
  const fields: readonly (readonly [name: string, content: string | undefined])[] = [
    ['og:site_name', 'Telegrep'],
    ['og:type', 'article'],
    ['og:title', shared.title],
    ['og:description', cutText(shared.text.replaceAll(/\s+/gu, ' ').trim(), MAX_CHARS)],
    ['og:image', shared.picture],
  ]
  return html`${fields.map(([name, content]) =>
    content === undefined || content === ''
      ? ''
      : html`<meta property="${name}" content="${content}" />`,
  )}`
}
