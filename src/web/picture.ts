import { html, type Markup } from './markup.ts'
import type { FullPost } from './views.ts'

/**
 * A picture on top of its placeholder. The picture has an empty `alt`, so that a browser that cannot load it shows nothing,
 * not even a broken-image sign: the placeholder, which says what it is, then remains visible.
 */

export type Picture = NonNullable<FullPost['media'][number]['picture']>

/** A kept picture is loaded from the server that the page came from, whatever its public address is. */
export function sourceOf({ url, sha256 }: Picture): string {
  return sha256 === undefined ? url : `/media/${sha256}`
}

/** To be placed on a placeholder, in an element of class `framed`. */
export function pictureOver(picture: Picture): Markup {
  return html`<img alt="" loading="lazy" decoding="async" src="${sourceOf(picture)}" />`
}
