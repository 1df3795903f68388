import { NO_COUNTERS, type ChannelProfile } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import type { Count } from '../model/count.ts'
import { attribute, find, findAllClass, findClass, type Element } from './html.ts'
import { parseHtml } from './parse-html.ts'
import { parseCount } from './parse-count.ts'
import { domainOf, imageOf, pictureOf, readMetas } from './parse-profile.ts'
import { readLine, readText } from './parse-text.ts'

/** The page at `/<name>`, which says who owns a name. Its HTTP status is 200 in every case. */

export type LandingState =
  /** A channel whose posts can be read at `/s/<name>`. */
  | 'channel'
  | 'preview_disabled'
  /** Withheld by the platform: the channel exists, but not even its title is shown. */
  | 'restricted'
  | 'group'
  | 'user'
  | 'bot'
  | 'private'
  | 'nobody'
  /** "Nobody" for a name that certainly exists: the platform is refusing us, and no `nobody` can be believed now. */
  | 'banned'
  | 'layout_unknown'

export interface Landing {
  readonly state: LandingState
  /** Null where the page shows no title. */
  readonly profile: ChannelProfile | null
}

/** Names that belong to the platform and will always exist. */
const CERTAIN = new Set(['telegram', 'durov'])

export function parseProfilePage(html: string, { at }: { readonly at: number }): Landing {
  return readLanding(parseHtml(html, { boundary: 'tgme_page' }).root, at)
}

export function readLanding(root: Element, at: number): Landing {
  const metas = readMetas(root)
  const username = domainOf(metas)
  const page = findClass(root, 'tgme_page')
  if (!page) {
    // The platform redirects a name that it rejects to its home page, in any language.
    const isHome =
      /^Telegram\s.\sa new era of messaging/u.test(metas.get('og:title') ?? '') ||
      findClass(root, 'tl_main_wrap') !== undefined
    return { state: isHome ? 'nobody' : 'layout_unknown', profile: null }
  }
  const title = findClass(page, 'tgme_page_title')
  const extras = findAllClass(page, 'tgme_page_extra').map(readLine)
  const state = classify(page, metas, { username, extras })
  const description = findClass(page, 'tgme_page_description')
  const photo = findClass(page, 'tgme_page_photo_image')
  const profile = title &&
    username !== null && {
      username,
      platformId: null,
      title: readLine(find(title, (child) => child.tag === 'span') ?? title),
      description: description ? readText(description).text : '',
      avatarUrl: photo ? imageOf(photo) : pictureOf(metas),
      verified: findClass(title, 'verified-icon') !== undefined,
      subscribers: countOf(extras, SUBSCRIBERS, at) ?? countOf(extras, MEMBERS, at),
      counters: NO_COUNTERS,
    }
  return { state, profile: profile || null }
}

interface Signs {
  readonly username: string | null
  readonly extras: readonly string[]
}

const SUBSCRIBERS = /\bsubscribers?\b/
const MEMBERS = /\bmembers?\b/

/** Checks signs in the order of trust: a link to the preview and counts of readers, then buttons and sentences. */
function classify(page: Element, metas: ReadonlyMap<string, string>, signs: Signs): LandingState {
  // The description is skipped, because its author may link to any preview there.
  const hasPreview = find(page, isContextLink, isDescription) !== undefined
  if (hasPreview) return 'channel'
  // The words count, even beside a number in an unknown form.
  const says = (words: RegExp) =>
    signs.extras.some((extra) => !extra.startsWith('@') && words.test(extra))
  if (says(SUBSCRIBERS)) return 'preview_disabled'
  if (says(MEMBERS)) return 'group'
  const action = readLine(findClass(page, 'tgme_page_action'))
  if (says(/\bmonthly users?\b/) || action === 'Start Bot') {
    return 'bot'
  }
  const words = readText(page).text
  if (/\binvited to\b/.test(words)) return 'private'
  if (/\bview posts by\b/.test(words)) return 'restricted'
  if (findClass(page, 'tgme_page_title')) {
    return signs.extras.length > 0 || /\bcontact\b/.test(words) ? 'user' : 'layout_unknown'
  }
  const isNobody = /\bnoindex\b/.test(metas.get('robots') ?? '') || /\bcontact\b/.test(words)
  if (!isNobody) return 'layout_unknown'
  const isCertain = signs.username !== null && CERTAIN.has(nameKey(signs.username))
  return isCertain ? 'banned' : 'nobody'
}

/** Recognised by its target: in 2020 its class was a different one, and the page called a channel's readers members. */
function isContextLink(element: Element): boolean {
  return (
    element.tag === 'a' && /^(?:https?:\/\/t\.me)?\/s\/\w+$/.test(attribute(element, 'href') ?? '')
  )
}

function isDescription(element: Element): boolean {
  return element.classes.includes('tgme_page_description')
}

/** `11 286 994 subscribers`, `97 957 members, 4 138 online`, `no subscribers`. */
function countOf(extras: readonly string[], unit: RegExp, at: number): Count | null {
  for (const extra of extras) if (unit.test(extra)) return parseCount(extra, at) ?? null
  return null
}
