import { nameKey, parseChannelName } from '../model/channel-name.ts'
import type { Entity, EntityType, Post } from '../model/post.ts'
import { HAS_VALUES, type HasValue } from '../model/query.ts'
import { scanSigned } from './scan-part.ts'
import { foldTag } from './scan-entity.ts'
import { searchableText } from './searchable-text.ts'
import type { Sink } from './sink.ts'
import { hostOf } from './urls.ts'

/**
 * What a post names besides its words, and (`postHas`) what it has: the one definition for the archive's filters and
 * statistics, the index, and the view of a hit. Lists hold each value once, in the order of the post. Raise ANALYZER_VERSION
 * when the definition changes: the index is then rebuilt and the archive's statistics are counted anew.
 */
interface PostFeatures {
  /** `tag` is folded for search, `display` as written; neither has the `#`. */
  readonly hashtags: readonly { readonly tag: string; readonly display: string }[]
  /** Usernames, lower case, without `@`; links to channels count. */
  readonly mentions: readonly string[]
  /** Web addresses as written. */
  readonly links: readonly string[]
  /** Their hosts, without `www.`; `domainTerms` gives the parents. */
  readonly domains: readonly string[]
}

// The result is not cached: a weak map takes longer than `postHas`, the only other question asked of the same post.
export function postFeatures(post: Post): PostFeatures {
  const hashtags = new Map<string, string>()
  const mentions = new Set<string>()
  const links = new Set<string>()

  const addTag = (display: string) => {
    const tag = foldTag(display)
    if (tag !== '' && !hashtags.has(tag)) hashtags.set(tag, display)
  }
  const addLink = (url: string | null | undefined) => {
    if (!isWebAddress(url)) return
    links.add(url)
    const channel = parseChannelName(url)
    if (channel !== undefined) mentions.add(nameKey(channel))
  }

  for (const entity of post.entities) {
    const shown = post.text.slice(entity.offset, entity.offset + entity.length)
    readEntity(entity, shown, { addTag, addLink, mentions })
  }
  scanUnmarked(post, (term, shown) => {
    if (term.startsWith('#')) addTag(shown.slice(1))
    else if (term.startsWith('@')) mentions.add(term.slice(1))
    else if (term.startsWith('site:')) addLink(absolute(shown))
  })
  addLink(post.linkPreview?.url)
  for (const button of post.buttons.flat()) addLink(button.url)

  const domains = new Set<string>()
  for (const link of links) {
    const host = hostOf(link)
    if (host !== undefined) domains.add(host)
  }
  return {
    hashtags: [...hashtags].map(([tag, display]) => ({ tag, display })),
    mentions: [...mentions],
    links: [...links],
    domains: [...domains],
  }
}

/** In the order of HAS_VALUES. */
export function postHas(post: Post): HasValue[] {
  return HAS_VALUES.filter((value) => {
    if (value === 'link') return isLinked(post)
    if (value === 'poll') return post.poll !== null
    if (value === 'media') return post.media.length > 0
    return post.media.some(({ kind }) => kind === value)
  })
}

/** Whether its features include a link. Most links are marked, and the text need not be scanned for those. */
function isLinked(post: Post): boolean {
  const isMarked =
    post.entities.some(({ type, url }) => LINKS.has(type) && isWebAddress(url)) ||
    isWebAddress(post.linkPreview?.url) ||
    post.buttons.some((row) => row.some(({ url }) => isWebAddress(url)))
  if (isMarked) return true
  let isFound = false
  scanUnmarked(post, (term) => {
    isFound ||= term.startsWith('site:')
  })
  return isFound
}

const LINKS: ReadonlySet<EntityType> = new Set(['link', 'text_link'])

/** Entities whose text need not be scanned again. A `text_link` is not among them: its text may itself hold an entity. */
const MARKED: ReadonlySet<EntityType> = new Set(['link', 'mention', 'hashtag', 'cashtag'])
/** Every entity of the scanner has a sign before it or a dot inside a word. Sums of money and ends of quotes do not match. */
const SIGNS = /[#＃]|[@$][A-Za-z]|\.\p{L}|:\/\//gu

/**
 * Reports the entities that the scanner finds and the platform did not mark: in imports, code, polls and file names. Few
 * parts of a text hold any, and looking for signs costs a tenth of a scan.
 */
function scanUnmarked(post: Post, found: (term: string, shown: string) => void): void {
  const { poll, media } = post
  const text = searchableText({ text: withoutMarked(post), poll, media })
  const sink: Sink = {
    word() {},
    ideographs() {},
    southeast() {},
    entity: (term, start, end) => found(term, text.slice(start, end)),
  }
  scanSigned(text, sink, SIGNS)
}

/** The text with a digit for each marked stretch, so that what follows one directly does not begin a word. */
function withoutMarked({ text, entities }: Post): string {
  const marked = entities.filter(({ type }) => MARKED.has(type))
  let rest = ''
  let at = 0
  for (const { offset, length } of marked.sort((a, b) => a.offset - b.offset)) {
    if (offset >= at) rest += `${text.slice(at, offset)}0`
    at = Math.max(at, offset + length)
  }
  return rest + text.slice(at)
}

interface Found {
  readonly addTag: (display: string) => void
  readonly addLink: (url: string | undefined) => void
  readonly mentions: Set<string>
}

function readEntity(entity: Entity, shown: string, into: Found): void {
  switch (entity.type) {
    case 'hashtag':
      // The platform also links #tag@channel.
      into.addTag(shown.replace(/^[#＃]/, '').replace(/@.*$/s, ''))
      break
    case 'mention': {
      const name = parseChannelName(shown) ?? (entity.url && parseChannelName(entity.url))
      if (name) into.mentions.add(nameKey(name))
      break
    }
    case 'link':
    case 'text_link':
      into.addLink(entity.url)
      break
    default:
  }
}

function isWebAddress(url: string | null | undefined): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url)
}

function absolute(address: string): string {
  return isWebAddress(address) ? address : `https://${address}`
}
