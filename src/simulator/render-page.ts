import type { ChannelProfile } from '../model/channel.ts'
import type { Count } from '../model/count.ts'
import { type PageRequest, type PageWindow, pageWindow, searchWords } from './page-window.ts'
import type { SimChannel } from './population.ts'
import { hash32 } from './random.ts'
import { renderPost } from './render-post.ts'
import type { PostFrame } from './shown-post.ts'
import { escapeAttribute, escapeText, firstCharacter, withEmoji, withLinks } from './render-text.ts'
import type { Slot } from './timeline.ts'
import type { World } from './world.ts'

interface ChannelPageView {
  readonly world: World
  readonly channel: SimChannel
  /** As it was requested; the header repeats it in this spelling, not in the platform's own. */
  readonly requestedName: string
  readonly at: number
  readonly request: PageRequest
  /** Show no posts although there are some, as under a soft throttle. */
  readonly withhold?: boolean
}

const COLORS = Array.from({ length: 14 }, (_, i) => {
  const accent = `#${((i * 0x1f3d7b + 0x2894af) & 0xffffff).toString(16).padStart(6, '0')}`
  return `        .user-color-${i + 7} {
          --user-line-gradient: repeating-linear-gradient(-45deg, ${accent} 0px, ${accent} 5px, #a7dc57 5px, #a7dc57 10px);
          --user-accent-color: ${accent};
          --user-background: ${accent}1f;
        }`
}).join('')

/** The channel's page at `/s/<name>`. */
export function renderPage(view: ChannelPageView): string {
  const { world, channel, requestedName, at, request } = view
  const profile = world.profileAt(channel, at)
  const window = windowOf(view)
  const base = `/s/${requestedName}`
  const search = request.q === null ? '' : `q=${encodeURIComponent(request.q)}&amp;`
  const links = headLinks(window, base, search)
  const avatar = profile.avatarUrl ?? letterAvatar(profile.title)
  const photo = `<i class="tgme_page_photo_image bgcolor2" data-content="${escapeText(initials(profile.title))}"><img src="${avatar}"></i>`
  const labels = profile.verified ? '<i class="verified-icon"> ✔</i>' : ''
  const title = withEmoji(profile.title)
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <title>${escapeText(profile.title)} – Telegram</title>
    <meta name="viewport" content="width=device-width, initial-scale=1.0, minimum-scale=1.0, maximum-scale=1.0, user-scalable=no" />
    <meta name="format-detection" content="telephone=no" />
    <meta http-equiv="X-UA-Compatible"
     content="IE=edge" />
    <meta name="MobileOptimized" content="176" />
    <meta name="HandheldFriendly" content="True" />
    ${metaTags(profile.title, avatar, profile.description, requestedName)}
    ${links}
    <link rel="icon" type="image/svg+xml" href="//telegram.org/img/website_icon.svg?4">
    <link href="//telegram.org/css/font-roboto.css?1" rel="stylesheet" type="text/css">
    <link href="//telegram.org/css/widget-frame.css?74" rel="stylesheet" media="screen">
    <link href="//telegram.org/css/telegram-web.css?39" rel="stylesheet" media="screen">
    <script>TBaseUrl='/';</script>
    <style>${COLORS}</style>
  </head>
  <body class="widget_frame_base tgme_webpreview emoji_image thin_box_shadow tme_mode no_transitions">
    <div class="tgme_background_wrap">
      <canvas id="tgme_background" class="tgme_background" width="50" height="50" data-colors="dbddbb,6ba587,d5d88d,88b884"></canvas>
      <div class="tgme_background_pattern"></div>
    </div>
    <header class="tgme_header search_collapsed">
  <div class="tgme_container">
    <div class="tgme_header_search">
      <form class="tgme_header_search_form" action="${base}">
        <input class="tgme_header_search_form_input js-header_search" placeholder="Search" name="q" autocomplete="off" value="${escapeAttribute(request.q ?? '')}" />
        <a href="${base}" class="tgme_header_search_form_clear"></a>
      </form>
    </div>
    <div class="tgme_header_right_column">
      <section class="tgme_right_column">
        <div class="tgme_channel_info">
          <div class="tgme_channel_info_header">
            ${photo}
            <div class="tgme_channel_info_header_title_wrap">
              <div class="tgme_channel_info_header_title"><span dir="auto">${title}</span></div>
              <div class="tgme_channel_info_header_labels">${labels}</div>
            </div>
            <div class="tgme_channel_info_header_username"><a href="https://t.me/${requestedName}">@${requestedName}</a></div>
          </div>
          <div class="tgme_channel_info_counters">${counters(profile)}</div>
          ${profile.description === '' ? '' : `<div class="tgme_channel_info_description">${withLinks(profile.description)}</div>`}
          <a class="tgme_channel_download_telegram" href="//telegram.org/dl?tme=${hash32(channel.index)}_0">Download Telegram</a>
          <div class="tgme_footer">
            <div class="tgme_footer_column"><h5><a href="//telegram.org/faq">About</a></h5></div>
            <div class="tgme_footer_column"><h5><a href="//telegram.org/blog">Blog</a></h5></div>
          </div>
        </div>
      </section>
    </div>
    <div class="tgme_header_info">
      <a class="tgme_channel_join_telegram" href="//telegram.org/dl?tme=${hash32(channel.index)}_0">Join</a>
      <a class="tgme_header_link" href="https://t.me/${requestedName}">
        ${photo}
        <div class="tgme_header_title_wrap">
          <div class="tgme_header_title"><span dir="auto">${title}</span></div>
          <div class="tgme_header_labels">${labels}</div>
        </div>
        <div class="tgme_header_counter">${counted(profile.subscribers, 'subscriber')}</div>
      </a>
    </div>
  </div>
</header>
<main class="tgme_main" data-url="/${requestedName}">
  <div class="tgme_container">
    <section class="tgme_channel_history js-message_history">
      ${history(view, window, base + '?' + search)}
    </section>
  </div>
</main>
    <script src="//telegram.org/js/jquery.min.js"></script>
    <script src="//telegram.org/js/widget-frame.js?67"></script>
    <script src="//telegram.org/js/telegram-web.js?14"></script>
    <script>TWeb.init();
</script>
  </body>
</html>
${closing(world.seed, channel.index, at)}`
}

/** The reply to the page script's request for more posts: one JSON string with the new blocks. */
export function renderMore(view: ChannelPageView): string {
  const search = view.request.q === null ? '' : `q=${encodeURIComponent(view.request.q)}&amp;`
  return JSON.stringify(history(view, windowOf(view), `/s/${view.requestedName}?${search}`))
}

/** Every complete page ends with this comment. */
export function closing(a: number, b: number, at: number): string {
  return `<!-- page generated in ${(5 + (hash32(a, b, at / 1000) % 30_000) / 100).toFixed(2)}ms -->`
}

function windowOf(view: ChannelPageView): PageWindow {
  if (view.withhold) return { slots: [], before: null, after: null }
  return pageWindow(view.world, view.channel, view.at, view.request)
}

function headLinks(window: PageWindow, base: string, search: string): string {
  const last = window.slots.at(-1)
  return [
    window.before === null
      ? ''
      : `<link rel="prev" href="${base}?${search}before=${window.before}">`,
    window.after === null ? '' : `<link rel="next" href="${base}?${search}after=${window.after}">`,
    last ? `<link rel="canonical" href="${base}?${search}before=${last.number + last.size}">` : '',
  ]
    .filter(Boolean)
    .join('\n')
}

function history(view: ChannelPageView, window: PageWindow, href: string): string {
  const more = (what: 'before' | 'after', value: number | '' | null) =>
    value === null
      ? ''
      : `<div class="tgme_widget_message_centered js-messages_more_wrap"><a href="${href}${what}=${value}" class="tme_messages_more js-messages_more" data-${what}="${value}"></a></div>`
  if (window.slots.length === 0) {
    return `<div class="tgme_widget_message_wrap js-widget_message_wrap"><div class="tgme_widget_message_centered"><div class="tme_no_messages_found">No posts found</div></div></div>${more('after', window.after)}`
  }
  const frame = frameOf(view.world, view.channel, view.at, searchPattern(view.request.q))
  let posts = ''
  for (const slot of window.slots) posts += renderSlot(view.world, view.channel, slot, frame)
  return more('before', window.before) + posts + more('after', window.after)
}

function renderSlot(world: World, channel: SimChannel, slot: Slot, frame: PostFrame): string {
  return renderPost(world.truth.shownAt(channel, slot, frame.at), frame)
}

export function frameOf(
  world: World,
  channel: SimChannel,
  at: number,
  highlight: RegExp | null = null,
): PostFrame {
  const profile = world.profileAt(channel, at)
  return {
    username: profile.username,
    title: profile.title,
    platformId: channel.platformId,
    avatarUrl: profile.avatarUrl ?? letterAvatar(profile.title),
    color: channel.index % 21,
    verified: profile.verified,
    at,
    highlight,
    embed: false,
  }
}

function searchPattern(q: string | null): RegExp | null {
  const words = q === null ? [] : searchWords(q)
  if (words.length === 0) return null
  return new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'giu')
}

function counters(profile: ChannelProfile): string {
  const one = (count: Count | null, type: string) =>
    count === null
      ? ''
      : `<div class="tgme_channel_info_counter"><span class="counter_value">${count.raw}</span> <span class="counter_type">${type}${count.value === 1 ? '' : 's'}</span></div>`
  const { photos, videos, files, links } = profile.counters
  return (
    one(profile.subscribers, 'subscriber') +
    one(photos, 'photo') +
    one(videos, 'video') +
    one(files, 'file') +
    one(links, 'link')
  )
}

function counted(count: Count | null, type: string): string {
  return count === null ? '' : `${count.raw} ${type}${count.value === 1 ? '' : 's'}`
}

function initials(title: string): string {
  return title.split(/\s+/).slice(0, 2).map(firstCharacter).join('')
}

/** The initials of a channel without a picture, as an inline drawing. */
function letterAvatar(title: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#d669ed"/><text text-anchor="middle" x="50" y="66" fill="#fff">${escapeText(initials(title))}</text></svg>`
  return `data:image/svg+xml;base64,${encodeURIComponent(Buffer.from(svg).toString('base64'))}`
}

export function metaTags(
  title: string,
  image: string,
  description: string,
  name: string,
  /** The post's number, on the page of one post. */
  number: number | null = null,
): string {
  const post = number === null ? '' : `&post=${number}`
  const text = escapeAttribute(description)
  return `
<meta property="og:title" content="${escapeAttribute(title)}">
<meta property="og:image" content="${image}">
<meta property="og:site_name" content="Telegram">
<meta property="og:description" content="${text}">

<meta property="twitter:title" content="${escapeAttribute(title)}">
<meta property="twitter:image" content="${image}">
<meta property="twitter:site" content="@Telegram">

<meta property="al:ios:app_store_id" content="686449807">
<meta property="al:ios:app_name" content="Telegram Messenger">
<meta property="al:ios:url" content="tg://resolve?domain=${name}${post}">

<meta property="al:android:url" content="tg://resolve?domain=${name}${post}">
<meta property="al:android:app_name" content="Telegram">
<meta property="al:android:package" content="org.telegram.messenger">

<meta name="twitter:card" content="summary">
<meta name="twitter:site" content="@Telegram">
<meta name="twitter:description" content="${text}
">`
}
