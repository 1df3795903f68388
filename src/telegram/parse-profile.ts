import type { ChannelCounters, ChannelProfile } from '../model/channel.ts'
import { isChannelName, parseChannelName } from '../model/channel-name.ts'
import type { Count } from '../model/count.ts'
import { clipText } from '../model/cut-text.ts'
import { attribute, findAllClass, findClass, findTag, type Element } from './html.ts'
import { mediaUrl } from './links.ts'
import { parseCount } from './parse-count.ts'
import { clipLine, MAX_TEXT, readLine, readText } from './parse-text.ts'

/** What a page says about its channel, in its header or its head. */

/** The `<meta property|name content>` pairs of the head; the first of each name counts. */
export function readMetas(root: Element): ReadonlyMap<string, string> {
  const metas = new Map<string, string>()
  const collect = (element: Element): void => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (child.tag === 'meta') {
        const name = attribute(child, 'property') ?? attribute(child, 'name')
        if (name !== undefined && !metas.has(name))
          metas.set(name, attribute(child, 'content') ?? '')
      } else if (child.tag === 'html' || child.tag === 'head') collect(child)
    }
  }
  collect(root)
  return metas
}

/** The name in `tg://resolve?domain=x`, which every page about a channel or user has. */
export function domainOf(metas: ReadonlyMap<string, string>): string | null {
  const url = metas.get('al:ios:url') ?? metas.get('al:android:url') ?? ''
  const name = /[?&]domain=([A-Za-z0-9_]{1,64})/.exec(url)?.[1]
  return name !== undefined && isChannelName(name) ? name : null
}

/** The channel as the header of a `/s/` page shows it; null where the page has none. */
export function readHeader(root: Element, at: number): ChannelProfile | null {
  const info =
    findClass(root, 'tgme_channel_info') ??
    (findClass(root, 'tgme_channel_info_header_username') ? root : undefined)
  if (!info) return null
  const metas = readMetas(root)
  const header = findClass(info, 'tgme_channel_info_header') ?? info
  const named = findClass(info, 'tgme_channel_info_header_username')
  const main = findClass(root, 'tgme_main')
  const title = findClass(header, 'tgme_channel_info_header_title')
  const description = findClass(info, 'tgme_channel_info_description')
  const avatar = findClass(header, 'tgme_page_photo_image')
  const { subscribers, counters } = readCounters(info, at)
  return {
    username:
      parseChannelName(readLine(named)) ??
      parseChannelName((main && attribute(main, 'data-url')?.replace(/^\//, '')) ?? '') ??
      domainOf(metas) ??
      '',
    platformId: null,
    title: readLine(title && (findTag(title, 'span') ?? title)) || titleOf(metas),
    description: description ? readText(description).text : info === root ? wordsOf(metas) : '',
    avatarUrl: avatar ? imageOf(avatar) : pictureOf(metas),
    // The icon moved from the title into labels beside it in 2024.
    verified: findClass(header, 'verified-icon') !== undefined,
    subscribers: subscribers ?? headerCount(root, at),
    counters,
  }
}

function titleOf(metas: ReadonlyMap<string, string>): string {
  return clipLine(metas.get('og:title') ?? '')
}

/** The description in the head, where tabs stand for the line breaks that an attribute would lose. */
export function wordsOf(metas: ReadonlyMap<string, string>): string {
  const words = (metas.get('og:description') ?? '').replaceAll('\t', '\n').trim()
  return clipText(words, MAX_TEXT)
}

/** The picture in the head; null for the platform's own logo, which means that there is none. */
export function pictureOf(metas: ReadonlyMap<string, string>): string | null {
  const url = mediaUrl(metas.get('og:image'))
  return url === null || url.startsWith('https://telegram.org/') ? null : url
}

export function imageOf(element: Element): string | null {
  const image = element.tag === 'img' ? element : findTag(element, 'img')
  return mediaUrl(image && attribute(image, 'src'))
}

function readCounters(
  info: Element,
  at: number,
): { subscribers: Count | null; counters: ChannelCounters } {
  const counts = new Map<string, Count>()
  for (const counter of findAllClass(info, 'tgme_channel_info_counter').slice(0, 20)) {
    const count = parseCount(readLine(findClass(counter, 'counter_value')), at)
    const type = readLine(findClass(counter, 'counter_type')).toLowerCase().replace(/s$/, '')
    if (count) counts.set(type, count)
  }
  const of = (type: string) => counts.get(type) ?? null
  return {
    subscribers: of('subscriber') ?? of('member'),
    counters: { photos: of('photo'), videos: of('video'), files: of('file'), links: of('link') },
  }
}

function headerCount(root: Element, at: number): Count | null {
  const shown = readLine(findClass(root, 'tgme_header_counter'))
  return /(?:subscriber|member)s?$/.test(shown) ? (parseCount(shown, at) ?? null) : null
}
