import type { Post } from '../model/post.ts'
import type { Draft } from './draft.ts'
import { hash32, hex, Random } from './random.ts'
import { renderContent } from './render-content.ts'
import { escapeText, firstCharacter, withEmoji } from './render-text.ts'
import type { PostFrame, ShownPost } from './shown-post.ts'

const SPIKE =
  'M8,1 L9,1 L9,20 L8,20 L8,17 C7.6,14.2 6.9,11.6 5.6,8.9 C4.7,6.8 3.2,4.6 1.2,2.6 L1.2,2.6 C0.8,2.2 0.8,1.6 1.2,1.3 C1.4,1.1 1.7,1 2,1 L8,1 Z'
const TAIL = `    <i class="tgme_widget_message_bubble_tail">
      <svg class="bubble_icon" width="9px" height="20px" viewBox="0 0 9 20">
        <g fill="none">
          <path class="background" fill="#ffffff" d="${SPIKE}"></path>
          <path class="border_1x" fill="#d7e3ec" d="${SPIKE} ${SPIKE}"></path>
          <path class="border_2x" d="${SPIKE} ${SPIKE}"></path>
          <path class="border_3x" d="${SPIKE} ${SPIKE}"></path>
        </g>
      </svg>
    </i>`

const BARE_SHAPES = new Set(['round', 'sticker', 'animated_sticker', 'video_sticker', 'dice'])

/** One message, with its wrapper as on the channel's page, or without it as in a widget. */
export function renderPost(shown: ShownPost, frame: PostFrame): string {
  const { post } = shown
  const href = `https://t.me/${frame.username}/${post.number}`
  const isBare = hasNoBubble(shown)
  const classes = [
    'tgme_widget_message text_not_supported_wrap',
    isBare ? 'no_bubble' : '',
    post.kind === 'service' && !frame.embed ? 'service_message' : '',
    frame.color > 6 ? `user-color-${frame.color}` : '',
    'js-widget_message',
  ]
  const peer = frame.embed
    ? ` data-peer="c${frame.platformId}_${hash32(frame.platformId, 1)}${hash32(frame.platformId, 2)}" data-peer-hash="${hex(new Random(frame.platformId), 18)}" data-post-id="${post.number}"`
    : ''
  const logo = frame.embed
    ? '<a class="tgme_widget_message_bubble_logo" href="//core.telegram.org/widgets"></a>'
    : ''
  const letter = escapeText(firstCharacter(frame.title))
  const html = `<div class="${classes.filter(Boolean).join(' ')}" data-post="${frame.username}/${post.number}"${peer}${frame.sender === undefined ? ` data-view="${dataView(post, frame)}"` : ''}>
  <div class="tgme_widget_message_user"><a href="https://t.me/${frame.username}"><i class="tgme_widget_message_user_photo bgcolor2" data-content="${letter}"><img src="${frame.avatarUrl}"></i></a></div>
  <div class="tgme_widget_message_bubble">
    ${logo}
    ${TAIL}
    <div class="tgme_widget_message_author accent_color">${owner(frame)}${viaBot(post, 'author')}</div>

${forwarded(post)}${reply(shown)}
${renderContent(shown, frame, href)}${preview(shown)}${isBare ? '' : reactions(post)}
${footer(post, frame, href)}${isBare ? reactions(post) : ''}
  </div>
  ${keyboard(post, href)}
</div>`
  return frame.embed
    ? html
    : `<div class="tgme_widget_message_wrap js-widget_message_wrap">${html}</div>`
}

/** Stickers and round videos stand directly on the page's background, with their reactions after the footer. */
function hasNoBubble({ draft }: ShownPost): boolean {
  const shape = draft.media[0]?.shape
  return shape !== undefined && BARE_SHAPES.has(shape)
}

function owner({ username, title, verified, sender }: PostFrame): string {
  if (sender === 'Deleted Account') {
    return `<span class="tgme_widget_message_author_name" dir="auto">${sender}</span>`
  }
  if (sender !== undefined) {
    const link = `https://t.me/${sender.toLowerCase().replace(/\W/g, '')}`
    return `<a class="tgme_widget_message_author_name" href="${link}"><span dir="auto">${escapeText(sender)}</span></a>`
  }
  const labels = verified
    ? '<span class="tgme_widget_message_owner_labels"><i class="verified-icon"> ✔</i></span>'
    : ''
  return `<a class="tgme_widget_message_owner_name" href="https://t.me/${username}"><span dir="auto">${withEmoji(title)}</span></a>${labels}`
}

function dataView(post: Post, frame: PostFrame): string {
  const view = {
    c: -frame.platformId,
    p: post.albumNumbers.length > 0 ? `${post.number}g` : post.number,
    t: Math.floor(frame.at / 1000),
    h: hex(new Random(hash32(frame.platformId, post.number, frame.at / 1000)), 18),
  }
  return Buffer.from(JSON.stringify(view)).toString('base64url')
}

function viaBot(post: Post, line: 'author' | 'forwarded'): string {
  const isHere = (post.forwardedFrom ? 'forwarded' : 'author') === line
  if (!post.viaBot || !isHere) return ''
  return ` via <a class="tgme_widget_message_via_bot" href="https://t.me/${post.viaBot}">@${post.viaBot}</a>`
}

function forwarded(post: Post): string {
  const from = post.forwardedFrom
  if (!from) return ''
  const href = from.postUrl ?? (from.username ? `https://t.me/${from.username}` : null)
  const name = `<span dir="auto">${withEmoji(from.name)}</span>`
  const linked = href
    ? `<a class="tgme_widget_message_forwarded_from_name" href="${href}">${name}</a>`
    : `<span class="tgme_widget_message_forwarded_from_name">${name}</span>`
  const author = from.author
    ? `&nbsp;(<span class="tgme_widget_message_forwarded_from_author" dir="auto">${withEmoji(from.author)}</span>)`
    : ''
  return `<div class="tgme_widget_message_forwarded_from accent_color">Forwarded from&nbsp;${linked}${author}${viaBot(post, 'forwarded')}</div>\n`
}

function reply({ post, draft }: ShownPost): string {
  const to = post.replyTo
  if (!to) return ''
  const kind = draft.extras.replyMeta ? 'tgme_widget_message_metatext' : 'tgme_widget_message_text'
  const quote = draft.extras.replyQuote ? ' tgme_widget_message_reply_quote' : ''
  const emoji = draft.extras.replyQuote ? ' data-bg-emoji="5368324170671202286""' : ''
  const thumb = draft.extras.replyThumbUrl
    ? `<i class="tgme_widget_message_reply_thumb" style="background-image:url('${draft.extras.replyThumbUrl}')"></i>`
    : ''
  // The stray quotation marks are the platform's own.
  return `<a class="tgme_widget_message_reply${quote} user-color-default" href="${to.url}"${emoji} ">${thumb}
  <div class="tgme_widget_message_author accent_color">
    <span class="tgme_widget_message_author_name" dir="auto">${withEmoji(to.author ?? '')}</span>
  </div>
  <div class="${kind} js-message_reply_text" dir="auto">${withEmoji(to.text ?? '')}</div>
</a>\n`
}

function preview({ post, draft }: ShownPost): string {
  const shown = post.linkPreview
  if (!shown) return ''
  const image = shown.imageUrl === null ? '' : previewImage(shown.imageUrl, draft)
  const line = (name: string, text: string | null) =>
    text === null ? '' : `\n  <div class="link_preview_${name}" dir="auto">${withEmoji(text)}</div>`
  return `<a class="tgme_widget_message_link_preview" href="${escapeText(shown.url)}">
  ${draft.extras.smallPreview ? image : ''}${line('site_name accent_color', shown.siteName)}
  ${draft.extras.smallPreview ? '' : image}${line('title', shown.title)}${line('description', shown.description)}
</a>`
}

/** A picture or, for some previews, a video. */
function previewImage(url: string, { extras, linkPreview }: Draft): string {
  const isFilm = extras.smallPreview !== true && (linkPreview?.imageKey ?? 1) % 4 === 0
  if (isFilm) {
    return `<div class="link_preview_video_player"><i class="link_preview_video_thumb" style="background-image:url('${url}')"></i>
  <div class="link_preview_video_wrap" style="padding-top:56.25%"><video src="https://cdn4.telesco.pe/file/0a1b2c3d4e.mp4?token=x" class="link_preview_video" width="100%" height="100%"></video></div>
</div>`
  }
  const kind = extras.smallPreview ? 'link_preview_right_image' : 'link_preview_image'
  return `<i class="${kind}" style="background-image:url('${url}');padding-top:52.5%"></i>`
}

function reactions(post: Post): string {
  if (post.reactions.length === 0) return ''
  const shown = post.reactions.map(({ emoji, customId, paid, count }) => {
    if (paid) {
      return `<span class="tgme_reaction tgme_reaction_paid"><i class="icon icon-telegram-stars"></i>${count.raw}</span>`
    }
    const sign = emoji === null ? `<tg-emoji emoji-id="${customId}"></tg-emoji>` : withEmoji(emoji)
    return `<span class="tgme_reaction">${sign}${count.raw}</span>`
  })
  return `\n<div class="tgme_widget_message_reactions js-message_reactions">${shown.join('')}</div>`
}

function footer(post: Post, frame: PostFrame, href: string): string {
  const voters = post.poll?.voters
  const date = new Date(post.publishedAt).toISOString()
  const signature = post.author
    ? `<span class="tgme_widget_message_from_author" dir="auto">${withEmoji(post.author)}</span>,&nbsp;`
    : ''
  const counters =
    (voters
      ? `<span class="tgme_widget_message_voters">${voters.raw}</span><span class="copyonly"> voter${voters.value > 1 ? 's' : ''}</span>`
      : '') +
    (post.views
      ? `<span class="tgme_widget_message_views">${post.views.raw}</span><span class="copyonly"> view${post.views.value === 1 ? '' : 's'}</span>`
      : '')
  const link = frame.embed
    ? `<div class="tgme_widget_message_link accent_color"><a href="${href}" class="link_anchor flex_ellipsis"><span class="ellipsis">t.me/${frame.username}</span>/${post.number}</a></div>`
    : ''
  return `<div class="tgme_widget_message_footer${frame.embed ? '' : ' compact'} js-message_footer">
  ${link}
  <div class="tgme_widget_message_info${frame.embed ? '' : ' short'} js-message_info">
    ${counters}<span class="tgme_widget_message_meta">${signature}${post.edited ? 'edited &nbsp;' : ''}<a class="tgme_widget_message_date" href="${href}"><time datetime="${date.slice(0, 19)}+00:00" class="${frame.embed ? 'datetime' : 'time'}">${date.slice(11, 16)}</time></a></span>
  </div>
</div>`
}

function keyboard(post: Post, href: string): string {
  if (post.buttons.length === 0) return ''
  const rows = post.buttons.map((row) => {
    const buttons = row.map(({ text, url }) => {
      const kind = url === null ? '' : ' url_button'
      return `<a class="tgme_widget_message_inline_button${kind}" href="${url === null ? href : escapeText(url)}"><span class="tgme_widget_message_inline_button_text" dir="auto">${withEmoji(text)}</span></a>`
    })
    return `<div class="tgme_widget_message_inline_row">${buttons.join('')}</div>`
  })
  return `<div class="tgme_widget_message_inline_keyboard">${rows.join('')}</div>`
}
