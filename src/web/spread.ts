import { span } from '../model/duration.ts'
import { channelPath, safeHref, postPath } from './address.ts'
import { html, type Markup } from './markup.ts'
import { spreadPicture } from './spread-picture.ts'
import type { Post, Spread } from './views.ts'
import { count, moment, number, plural } from './words.ts'

/** Who posted it first and who spread it: a picture, and the same as a table. */
export function spreadOf(post: Post, spread: Spread | undefined): Markup | '' {
  if (!spread) return UNKNOWN
  if (spread.members.length < 2) return ''
  const { members, size, channels, linked } = spread
  const isFirst = members[0]?.id === post.id
  const left = size + linked - members.length
  return html`<section id="duplicates">
    <h2>Who said it first</h2>
    <p class="soft">
      ${plural(size, 'near-identical or forwarded post')} in ${plural(channels, 'channel')} over the
      last 30
      days${linked === 0 ? '' : `, ${linked === 1 ? '1 post that links' : `${number(linked)} posts that link`} to them`},
      earliest first.
      ${isFirst ? 'This one is the earliest' : html`<a href="${postPath(members[0]!.id)}">${members[0]!.id}</a> is the earliest`}
      in what is indexed. ${seenWords(spread, left)}
    </p>
    ${spreadPicture(members, spread.edges, post.id)}
    <div class="scroller" tabindex="0" role="region" aria-label="Who carried it on">
      <table>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">When</th>
            <th scope="col">How it came</th>
            <th scope="col" class="number">Views</th>
            <th scope="col" class="number">Subscribers</th>
          </tr>
        </thead>
        <tbody>
          ${members.map((member) => row(member, post.id))}
        </tbody>
      </table>
    </div>
    ${left > 0 ? html`<p class="soft">${plural(left, 'later post')} not shown.</p>` : ''}
  </section>`
}

/** The views of what is shown, which may not be all; most counters of the platform are rounded. */
function seenWords({ members, reach }: Spread, left: number): string {
  if (reach.views === 0) return ''
  const about = members.some(({ views }) => views?.approx === true) ? 'about ' : ''
  return `${left > 0 ? 'Those below were seen' : 'Seen'} ${about}${plural(reach.views, 'time')}.`
}

/** Without a word, a reader would take it that nobody carried the post on. */
const UNKNOWN = html`<section id="duplicates">
  <h2>Who said it first</h2>
  <p class="soft">This cannot be told just now, because the index does not answer.</p>
</section>`

type Member = Spread['members'][number]

function row(member: Member, asked: string): Markup {
  const { id, channel, published_at, delay_s: delay, views } = member
  return html`<tr>
    <td>
      <a href="${channelPath(channel.username)}"><bdi>${channel.title || channel.username}</bdi></a>
      ${id === asked ? html`<span class="tag">this post</span>` : html`<a href="${postPath(id)}">post</a>`}
    </td>
    <td>
      ${moment(published_at)}${delay === 0 ? '' : html` <br /><span class="soft">${span(delay)} later</span>`}
    </td>
    <td>${cameWords(member)}</td>
    <td class="number" data-column="Views">${count(views)}</td>
    <td class="number" data-column="Subscribers">${count(channel.subscribers)}</td>
  </tr>`
}

function cameWords({ came, source, source_url: url, source_delay_s: delay }: Member): Markup {
  const after = delay === null || delay === 0 ? '' : html` after ${span(delay)}`
  const href = safeHref(url)
  const how = came === 'link' ? 'link to' : `${came} of`
  if (source !== null) return html`${how} <a href="${postPath(source)}">${source}</a>${after}`
  if (href !== undefined)
    return html`${how} <a href="${href}" rel="noopener noreferrer">a post not indexed</a>`
  return html`${came}`
}
