import { html, type Markup } from './markup.ts'
import type { FullPost } from './views.ts'

/**
 * A picture over its placeholder. The picture has no words of its own, so that a browser which cannot load it shows nothing
 * in its place, no broken sign either: the placeholder, which tells what it is, is seen then.
 */

export type Picture = NonNullable<FullPost['media'][number]['picture']>

/** What is kept is asked of the server the page came from, whatever name it has for others. */
export function sourceOf({ url, sha256 }: Picture): string {
  return sha256 === undefined ? url : `/media/${sha256}`
}

/** Goes above a placeholder, in an element of class `framed`. */
export function pictureOver(picture: Picture): Markup {
  return html`<img alt="" loading="lazy" decoding="async" src="${sourceOf(picture)}" />`
}
