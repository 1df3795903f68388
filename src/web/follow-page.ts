import type { Parameters } from './address.ts'
import { page, type Page } from './layout.ts'
import { html } from './markup.ts'
import { OPML_PATH } from './opml.ts'

/** How to be notified of new posts, and a downloadable list of feeds. */
export function followPage(parameters: Parameters): Page {
  return page({
    title: 'Follow – Telegrep',
    here: '/follow',
    body: html`<div class="reading">
      <h1>Follow channels and searches</h1>
      <p>
        Every search and every channel has a feed, for any feed reader: the Follow buttons on their
        pages lead to it, as RSS or JSON Feed, with whole posts and the pictures this service shows.
        Give a reader the address of the page and it finds the feed by itself.
      </p>
      <h2>Many at once</h2>
      <p>A list of feeds (OPML), which feed readers import as a whole:</p>
      <form class="card stack" action="${OPML_PATH}" method="get">
        <label
          >Channels, by name or address
          <textarea name="channel" rows="4" placeholder="durov, telegram">
${parameters['channel'] ?? ''}</textarea>
        </label>
        <label
          >Searches, one a line: words, or the address of a search
          <textarea name="search" rows="4" placeholder="storm warning" dir="auto">
${parameters['search'] ?? ''}</textarea>
        </label>
        <button>Make the list</button>
      </form>
    </div>`,
  })
}
