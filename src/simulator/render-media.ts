import type { Media } from '../model/post.ts'
import { clockTime } from './counters.ts'
import type { MediaSpec } from './draft.ts'
import { photoIds, waveform } from './media.ts'
import { withEmoji } from './render-text.ts'

/** One file of a post as the platform's HTML. */
export interface ShownMedia {
  readonly spec: MediaSpec
  readonly media: Media
  /** The post's own address, which most media link to. */
  readonly href: string
}

const NOT_SUPPORTED = `<div class="message_media_not_supported_wrap">
  <div class="message_media_not_supported">
    <div class="message_media_not_supported_label">This media is not supported in your browser</div>
    <span class="message_media_view_in_telegram">VIEW IN TELEGRAM</span>
  </div>
</div>`

export function renderMedia(shown: ShownMedia): string {
  const { spec, media, href } = shown
  switch (spec.shape) {
    case 'photo':
      return `<a class="tgme_widget_message_photo_wrap ${photoIds(spec.key).join(' ')}" href="${href}" style="width:${media.width ?? 0}px;background-image:url('${media.url}')">
  <div class="tgme_widget_message_photo" style="padding-top:${ratio(media)}%"></div>
</a>`
    case 'video':
    case 'gif':
    case 'big_video':
      return player(shown, '', `width:${media.width ?? 0}px;padding-top:${ratio(media)}%`, '')
    case 'round':
      return round(shown)
    case 'voice':
      return voice(shown)
    case 'music':
    case 'document':
      return renderFile(shown)
    case 'sticker':
    case 'dice':
    case 'animated_sticker':
    case 'video_sticker':
      return sticker(shown)
    case 'location':
    case 'venue':
      return location(shown)
    case 'contact':
      return `<div class="tgme_widget_message_contact_wrap">
  <div class="tgme_widget_message_contact"><div class="tgme_widget_message_contact_name accent_color" dir="auto">${withEmoji(media.title ?? '')}</div>
  <div class="tgme_widget_message_contact_phone" dir="auto">${media.detail ?? ''}</div></div>
</div>`
    case 'game':
      return `<a class="tgme_widget_message_game js-message_game" href="${href}">
  <div class="tgme_widget_message_game_title accent_color" dir="auto">${withEmoji(media.title ?? '')}</div>
  <div class="tgme_widget_message_game_text" dir="auto">${withEmoji(media.detail ?? '')}</div>
</a>`
    case 'invoice':
      return invoice(shown)
    case 'unsupported':
      return notice('This media is not supported in the widget', href)
    case 'service_photo':
      return `<a class="tgme_widget_message_service_photo" href="${href}"><img src="${media.url}"></a>`
  }
}

/** The detail is the description, then the price. */
function invoice({ media, href }: ShownMedia): string {
  const [about = '', total = ''] = (media.detail ?? '').split(' · ')
  return `<a class="tgme_widget_message_invoice js-message_invoice" href="${href}">
  <div class="tgme_widget_message_invoice_title accent_color" dir="auto">${withEmoji(media.title ?? '')}</div>
  <div class="tgme_widget_message_invoice_description" dir="auto">${withEmoji(about)}</div>
  <div class="tgme_widget_message_invoice_total">${withEmoji(total)}</div>
</a>`
}

/** A notice that asks to open the post in the app. */
export function notice(label: string, href: string): string {
  return `<div class="message_media_not_supported_wrap">
  <div class="message_media_not_supported">
    <div class="message_media_not_supported_label">${label}</div>
    <a href="${href}" class="message_media_view_in_telegram">VIEW IN TELEGRAM</a>
  </div>
</div>`
}

function ratio(media: Media): number {
  return Number((((media.height ?? 1) / (media.width ?? 1)) * 100).toPrecision(14))
}

function player(
  { spec, media, href }: ShownMedia,
  classes: string,
  size: string,
  place: string,
): string {
  const thumb = `<i class="tgme_widget_message_video_thumb" style="background-image:url('${media.thumbnailUrl}')"></i>`
  const duration = `<time class="message_video_duration js-message_video_duration">${clockTime(media.durationS ?? 0)}</time>`
  if (media.tooBig) {
    return `<a class="tgme_widget_message_video_player not_supported${classes} js-message_video_player" ${place}href="${href}">${thumb}
<div class="tgme_widget_message_video_wrap" style="${size}"></div>
${duration}
<div class="message_media_not_supported_wrap">
  <div class="message_media_not_supported">
    <div class="message_media_not_supported_label">Media is too big</div>
    <span class="message_media_view_in_telegram">VIEW IN TELEGRAM</span>
  </div>
</div></a>`
  }
  const isGif = spec.shape === 'gif'
  // Older posts show the video a second time, blurred, behind itself.
  const isOld = spec.shape === 'video' && spec.key % 5 === 0
  const blurred = isOld
    ? `<video src="${media.url}" class="tgme_widget_message_video blured js-message_video_blured" width="100%" height="100%" muted></video>`
    : ''
  return `<a class="tgme_widget_message_video_player${classes} js-message_video_player" ${place}href="${href}">${thumb}
${blurred}
<div class="tgme_widget_message_video_wrap" style="${size}">
  <video src="${media.url}" class="tgme_widget_message_video js-message_video" width="100%" height="100%"${isGif ? ' preload muted autoplay loop playsinline' : ''}></video>
</div>
${isGif ? '' : `<div class="message_video_play js-message_video_play"></div>\n${duration}`}
${NOT_SUPPORTED}</a>`
}

function round({ media, href }: ShownMedia): string {
  return `<a class="tgme_widget_message_roundvideo_player js-message_roundvideo_player" href="${href}"><i class="tgme_widget_message_roundvideo_thumb" style="background-image:url('${media.thumbnailUrl}')"></i>
<div class="tgme_widget_message_roundvideo_wrap" style="width:240px;padding-top:100%">
  <video src="${media.url}" class="tgme_widget_message_roundvideo js-message_roundvideo" width="100%" height="100%" muted></video>
</div>
<div class="tgme_widget_message_roundvideo_play js-message_roundvideo_play"></div>
<time class="tgme_widget_message_roundvideo_duration js-message_roundvideo_duration">${clockTime(media.durationS ?? 0)}</time>
${NOT_SUPPORTED}</a>`
}

function voice({ spec, media, href }: ShownMedia): string {
  const wave = waveform(spec.key)
  const bars = wave.filter((_, i) => i % 2 === 0)
  const bar = bars
    .map((level) => `<s style="height:${Number(((level / 31) * 100).toFixed(3))}%;"></s>`)
    .join('')
  return `<a class="tgme_widget_message_voice_player js-message_voice_player" href="${href}">
  <audio class="tgme_widget_message_voice js-message_voice" src="${media.url}" data-ogg width="100%" data-waveform="${wave.join(',')}"></audio>
  <div class="tgme_widget_message_voice_play accent_bghover"></div>
  <div class="tgme_widget_message_voice_wrap">
    <div class="tgme_widget_message_voice_progress_wrap js-message_voice_progress_wrap">
      <div class="tgme_widget_message_voice_progress_bg"><div class="bar">${bar}</div></div>
      <div class="tgme_widget_message_voice_progress js-message_voice_progress"><div class="bar">${bar}</div></div>
    </div>
    <time class="tgme_widget_message_voice_duration js-message_voice_duration">${clockTime(media.durationS ?? 0)}</time>
  </div>
</a>`
}

export function renderFile({ spec, media, href }: ShownMedia): string {
  const isMusic = spec.shape === 'music'
  const title = isMusic ? media.title : media.fileName
  const extra = isMusic ? media.detail : media.size?.raw
  return `<a class="tgme_widget_message_document_wrap" href="${href}">
  <div class="tgme_widget_message_document_icon accent_bg${isMusic ? ' audio' : ''}"></div>
  <div class="tgme_widget_message_document">
    <div class="tgme_widget_message_document_title accent_color" dir="auto">${withEmoji(title ?? '')}</div>
    <div class="tgme_widget_message_document_extra" dir="auto">${withEmoji(extra ?? '')}</div>
  </div>
</a>`
}

const PLACEHOLDER =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4='

function sticker({ spec, media, href }: ShownMedia): string {
  const fallback = `<div class="message_media_not_supported_wrap media_not_supported_cont">
  <div class="message_media_not_supported">
    <div class="message_media_not_supported_label">This media is not supported in your browser</div>
    <a href="${href}" class="message_media_view_in_telegram">VIEW IN TELEGRAM</a>
  </div>
</div>`
  const dice = spec.shape === 'dice' ? ' data-is-dice' : ''
  const picture =
    spec.shape === 'animated_sticker'
      ? `<picture class="tgme_widget_message_tgsticker js-tgsticker_image" style="width:256px;"><source type="application/x-tgsticker" srcset="${media.url}"><img src="${PLACEHOLDER}"></picture>`
      : spec.shape === 'video_sticker'
        ? `<div class="tgme_widget_message_videosticker js-videosticker" style="width:256px;"><video class="js-videosticker_video" src="${media.url}" width="100%" height="100%" preload muted autoplay loop playsinline disablepictureinpicture><img src="${media.thumbnailUrl}"></video></div>`
        : `<i class="tgme_widget_message_sticker js-sticker_image" style="background-image:url('${PLACEHOLDER}');width:256px;" data-webp="${media.url}"${dice}><div style="padding-top:100%"></div></i>`
  return `${fallback}<div class="tgme_widget_message_sticker_wrap media_supported_cont">${picture}</div>`
}

function location({ spec, media }: ShownMedia): string {
  const here = `${media.latitude},${media.longitude}`
  const venue =
    spec.shape === 'venue'
      ? `<div class="tgme_widget_message_location_info"><div class="tgme_widget_message_location_title" dir="auto">${withEmoji(media.title ?? '')}</div><div class="tgme_widget_message_location_address" dir="auto">${withEmoji(media.detail ?? '')}</div></div>`
      : ''
  // The platform leaves these ampersands unescaped.
  return `<a class="tgme_widget_message_location_wrap" href="https://maps.google.com/maps?q=${here}&ll=${here}&z=16"><div class="tgme_widget_message_location" style="background-image:url('${media.thumbnailUrl}')"></div>${venue}</a>`
}

/** The pictures and videos of an album in one grid; each has a link to itself with `?single`. */
export function renderAlbum(items: readonly ShownMedia[]): string {
  if (items.some(({ spec }) => spec.shape === 'document' || spec.shape === 'music')) {
    return items.map((item) => renderFile(item)).join('')
  }
  const side = Math.floor(453 / items.length) - 2
  const cells = items.map((item, i) => {
    const place = `left:${i * (side + 2)}px;top:0px;width:${side}px;height:216px;margin-right:2px;margin-bottom:0px;`
    if (item.spec.shape === 'photo') {
      return `<a class="tgme_widget_message_photo_wrap grouped_media_wrap blured js-message_photo" style="${place}background-image:url('${item.media.url}')" data-ratio="1.3333333333333" href="${item.href}"><div class="grouped_media_helper" style="top:0;bottom:0;left:82px;right:83px;"><div class="tgme_widget_message_photo grouped_media" style="top:0;bottom:0;left:0px;right:0px;"></div></div></a>`
    }
    return player(
      item,
      ' grouped_media_wrap blured',
      'padding-top:100%',
      `style="${place}" data-ratio="0.75" `,
    )
  })
  return `<div class="tgme_widget_message_grouped_wrap js-message_grouped_wrap" data-margin-w="2" data-margin-h="2" style="width:453px;"><div class="tgme_widget_message_grouped js-message_grouped" style="padding-top:47.682%"><div class="tgme_widget_message_grouped_layer js-message_grouped_layer" style="width:453px;height:216px">${cells.join('')}</div></div></div>`
}
