import type { ArchivedPost } from '../../model/post.ts'
import { postFeatures } from '../../text/post-features.ts'
import { servedLine } from './served-text.ts'

/** Bounds what a hostile post can put into a reply. */
const MAX_FACTS = 100

/** The facts that filters match a post by, as a hit shows them. */
interface PostFacts {
  readonly links: string[]
  /** Without `#`, as written. */
  readonly hashtags: string[]
  /** Without `@`, lower case. */
  readonly mentions: string[]
}

export function factsOf(post: ArchivedPost): PostFacts {
  const facts = postFeatures(post)
  return {
    links: facts.links.slice(0, MAX_FACTS),
    hashtags: facts.hashtags.slice(0, MAX_FACTS).map(({ display }) => servedLine(display)),
    mentions: facts.mentions.slice(0, MAX_FACTS),
  }
}
