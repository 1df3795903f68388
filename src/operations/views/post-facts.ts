import type { Post } from '../../model/post.ts'
import type { ServedText } from './served-text.ts'

/** Lists read off a post's entities; hostile posts are bounded. */
const MAX_FACTS = 100

/** Addresses the author links to, mentions and tags aside. */
export function linksOf(post: Post): string[] {
  return distinct(
    post.entities.flatMap((entity) =>
      (entity.type === 'link' || entity.type === 'text_link') && entity.url !== undefined
        ? [entity.url]
        : [],
    ),
  )
}

/** Without `#`. */
export function hashtagsOf(served: ServedText): string[] {
  return tagged(served, 'hashtag')
}

/** Without `@`. */
export function mentionsOf(served: ServedText): string[] {
  return tagged(served, 'mention')
}

function tagged(served: ServedText, type: 'hashtag' | 'mention'): string[] {
  return distinct(
    served.entities.flatMap((entity) =>
      entity.type === type
        ? [served.text.slice(entity.offset, entity.offset + entity.length).replace(/^[#@＃]/u, '')]
        : [],
    ),
  )
}

function distinct(values: readonly string[]): string[] {
  if (values.length === 0) return []
  return [...new Set(values)].slice(0, MAX_FACTS)
}
