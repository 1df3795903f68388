import { addressWith, channelPath, type Parameters } from './address.ts'
import { profileHead } from './channel-page.ts'
import { fullPost } from './full-post.ts'
import { page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html } from './markup.ts'
import type { LiveRead, Warning } from './views.ts'
import { age, moment } from './words.ts'

const SOURCES = {
  live: 'Read from the platform',
  cache: 'Read from the platform',
  archive: 'From the archive, as of',
} as const

export function livePage(options: {
  readonly live: LiveRead
  readonly parameters: Parameters
  readonly warnings: readonly Warning[]
  readonly context: RenderContext
}): Page {
  const { live, parameters, context } = options
  const { channel, posts } = live
  const path = channelPath(channel.username)
  // Older pages need no newer reading than this one did.
  const older = (before: string) =>
    addressWith(`${path}/live`, parameters, { before, max_age: undefined })
  const none =
    parameters['q'] === undefined ? 'The channel shows no posts here.' : 'No post matches.'
  const last = posts.at(-1)
  return page({
    title: `${channel.title || channel.username} live – Telegrep`,
    warnings: options.warnings,
    body: html`${profileHead(channel)}
      <div class="bar">
        <p>
          ${SOURCES[live.source]} ${age(live.fetched_at, context.now)}
          <small>(${moment(live.fetched_at)})</small>
        </p>
        <p>
          <a class="button" href="${path}/live?max_age=0" rel="nofollow">Refresh</a>
          ${channel.indexed ? html`<a class="button quiet" href="${path}">Archive</a>` : html`<span class="tag">not indexed here</span>`}
        </p>
      </div>
      <h2 class="unseen">Posts</h2>
      <div>${posts.map((post) => fullPost(post, context, { isInList: true }))}</div>
      ${posts.length === 0 ? html`<p class="notice">${none}</p>` : ''}
      <nav class="pages" aria-label="Older posts">
        ${last === undefined ? '' : html`<a class="button quiet" rel="next nofollow" href="${older(last.slug)}">Older posts, live</a>`}
      </nav>
      <p class="soft">
        <a href="${addressWith(`/v1${path}/live`, parameters, {})}">This as JSON</a>
      </p>`,
  })
}
