import { clipText } from '../model/cut-text.ts'
import { isChannelName } from '../model/channel-name.ts'
import type { Entity, EntityType } from '../model/post.ts'
import { safeUrl } from '../model/safe-url.ts'
import { plain } from './desktop-export-fields.ts'
import { MAX_TEXT } from './parse-text.ts'

/** The text of a record: a string, or a list of strings and `{type, text}`; newer files also have the list separately. */

const TYPES: ReadonlyMap<string, EntityType> = new Map([
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['underline', 'underline'],
  ['strikethrough', 'strike'],
  ['spoiler', 'spoiler'],
  ['code', 'code'],
  ['pre', 'pre'],
  ['blockquote', 'quote'],
  ['hashtag', 'hashtag'],
  ['cashtag', 'cashtag'],
  ['mention', 'mention'],
  ['link', 'link'],
  ['email', 'link'],
  ['text_link', 'text_link'],
  ['mention_name', 'text_link'],
  ['custom_emoji', 'custom_emoji'],
])
const MAX_ENTITIES = 1_000

type Part = Readonly<Record<string, unknown>>

export function readWords(
  listed: unknown,
  plain: unknown,
): { readonly text: string; readonly entities: readonly Entity[] } {
  const parts = Array.isArray(listed) && listed.length > 0 ? (listed as unknown[]) : plain
  if (typeof parts === 'string') return { text: clipText(parts, MAX_TEXT), entities: [] }
  if (!Array.isArray(parts)) return { text: '', entities: [] }
  let text = ''
  const entities: Entity[] = []
  for (const part of parts as unknown[]) {
    const words = typeof part === 'string' ? part : wordsOf(part)
    const offset = text.length
    if (offset + words.length > MAX_TEXT) {
      text = clipText(text + words, MAX_TEXT)
      break
    }
    text += words
    const entity = typeof part === 'string' ? undefined : entityOf(part as Part, words)
    if (entity && words !== '' && entities.length < MAX_ENTITIES)
      entities.push({ ...entity, offset, length: words.length })
  }
  return { text, entities }
}

function wordsOf(part: unknown): string {
  const words = typeof part === 'object' && part !== null ? (part as Part)['text'] : undefined
  return typeof words === 'string' ? words : ''
}

function entityOf(part: Part, words: string): Omit<Entity, 'offset' | 'length'> | undefined {
  if (typeof part !== 'object' || part === null) return undefined
  const named = plain(part['type'])
  const type = TYPES.get(named)
  if (type === undefined) return undefined
  switch (type) {
    case 'link':
    case 'text_link': {
      const url = safeUrl(addressOf(named, part, words))
      return url === null ? undefined : { type, url }
    }
    case 'mention': {
      const name = words.replace(/^@/, '')
      return isChannelName(name) ? { type, url: `https://t.me/${name}` } : undefined
    }
    case 'pre': {
      const language = part['language']
      return typeof language === 'string' && language !== ''
        ? { type, language: language.slice(0, 64) }
        : { type }
    }
    case 'quote':
      return part['collapsed'] === true ? { type, collapsed: true } : { type }
    case 'custom_emoji': {
      const customId = /^\d{1,20}$/.exec(plain(part['document_id']))?.[0]
      return customId === undefined ? undefined : { type, customId }
    }
    default:
      return { type }
  }
}

function addressOf(named: string, part: Part, words: string): string | undefined {
  if (named === 'text_link') return typeof part['href'] === 'string' ? part['href'] : undefined
  if (named === 'mention_name') {
    const id = /^\d{1,20}$/.exec(plain(part['user_id']))?.[0]
    return id && `tg://user?id=${id}`
  }
  if (named === 'email') return `mailto:${words}`
  return /^[a-z][a-z\d+.-]*:/i.test(words) ? words : `http://${words}`
}
