import { duration } from '../../model/duration.ts'
import { escapeHtml } from '../../text/markup.ts'
import { mediaOf, textOf, type Item, type ItemMedia } from './items.ts'

/**
 * A post as feed readers show it: its HTML, made from entities, then pictures, poll and link. Every tag is written here;
 * what authors wrote is escaped.
 */
export function contentHtml(item: Item): string {
  return [
    item.deleted_at === undefined ? '' : `<p>Deleted ${escapeHtml(item.deleted_at)}</p>`,
    item.forwarded_from ? `<p>Forwarded from ${escapeHtml(item.forwarded_from.name)}</p>` : '',
    item.html ? paragraphs(item.html) : linesOf(item),
    ...mediaOf(item).map((media) => mediaHtml(item, media)),
    pollHtml(item),
    previewHtml(item),
  ]
    .join('')
    .replaceAll(OWN_DIRECTION, '<$1 dir="auto">')
}

/** Our stylesheet does not reach feed readers, so each of these elements takes its direction from its own first word. */
const OWN_DIRECTION = /<(p|ul|blockquote)>/g

/** A change already consists of paragraphs; a post never does. */
function paragraphs(text: string): string {
  return text.startsWith('<p>') ? text : `<p>${text}</p>`
}

/** The first picture that may be shown. */
export function pictureOf(item: Item): string | undefined {
  const { media } = item
  if (media && 'kinds' in media) return webAddress(media.thumbnail?.url)
  const pictures = [...mediaOf(item), ...(item.link_preview ? [item.link_preview] : [])]
  return pictures.map(({ picture }) => webAddress(picture?.url)).find((url) => url !== undefined)
}

/** The snippet of a brief post, or the text for a post without one, unless the poll or link below says the same. */
function linesOf(item: Item): string {
  if (item.poll || item.link_preview) return ''
  const text = textOf(item)
  return text === '' ? '' : `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
}

function mediaHtml(item: Item, media: ItemMedia): string {
  const words = [
    media.kind,
    media.title ?? media.file_name,
    media.duration_s ? duration(media.duration_s) : null,
  ]
  const label = escapeHtml(words.filter((word) => word !== null).join(', '))
  const source = webAddress(media.picture?.url)
  const shown =
    source === undefined ? `[${label}]` : `<img src="${escapeHtml(source)}" alt="${label}">`
  return `<p><a href="${escapeHtml(item.url)}">${shown}</a></p>`
}

function pollHtml({ poll }: Item): string {
  if (!poll) return ''
  const options = poll.options.map(
    ({ text, percent }) =>
      `<li>${escapeHtml(text)}${percent === null ? '' : `: ${percent} %`}</li>`,
  )
  const voters = poll.voters ? `<p>${escapeHtml(poll.voters.raw)} voters</p>` : ''
  return `<p><b>${escapeHtml(poll.question)}</b></p><ul>${options.join('')}</ul>${voters}`
}

function previewHtml({ link_preview: preview }: Item): string {
  if (!preview) return ''
  const href = webAddress(preview.url)
  const title = escapeHtml(preview.title ?? preview.url)
  const head =
    href === undefined ? title : `<a href="${escapeHtml(href)}" rel="nofollow">${title}</a>`
  const source = webAddress(preview.picture?.url)
  const picture = source === undefined ? '' : `<p><img src="${escapeHtml(source)}" alt=""></p>`
  const about = preview.description ? `<p>${escapeHtml(preview.description)}</p>` : ''
  return `<blockquote><p>${head}</p>${picture}${about}</blockquote>`
}

function webAddress(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//i.test(url) ? url : undefined
}
