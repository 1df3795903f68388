import { html, type Markup } from './markup.ts'
import type { Status } from './views.ts'
import { plural } from './words.ts'

/** Why nothing can be found at all, and what helps; null once something can be found. */
export function whyNothing({ index, archive, visits }: Status): Markup | null {
  if (index.problem !== null) {
    return html`Searches are refused just now:
      ${index.problem}${index.rebuilding ? '; it is being built anew from the archive' : ''}.
      <a href="/channels">The channels</a> can be read meanwhile.`
  }
  if (index.posts > 0) return null
  const { channels, posts } = archive
  if (posts > 0 && (index.rebuilding || index.pending_changes > 0)) {
    return html`The index is being made of the archive’s ${plural(posts, 'post')};
      <a href="/status">how far it is</a>.`
  }
  if (posts > 0) {
    return html`Nothing of the last 30 days is indexed; <a href="/channels">the archive</a> holds
      ${plural(posts, 'post')}.`
  }
  if (channels === 0) {
    return html`Nothing is indexed yet. On the server: <code>telegrep add durov</code>, or
      <code>telegrep demo</code> to look around.`
  }
  const failing = Object.values(visits.failures).reduce((sum, n) => sum + n, 0)
  return failing === 0
    ? html`Nothing is indexed yet: ${plural(channels, 'channel')} to be read first.`
    : html`Nothing is indexed yet: of ${plural(channels, 'channel')},
        <a href="/status">${failing} could not be read</a>. On the server,
        <code>telegrep doctor</code> tells why.`
}
