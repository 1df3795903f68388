import { reachOf } from './channel-words.ts'

/** What listings of channels have in common in the SQL of every database. Channels are `c`, their words `w`. */

/** The expression each order sorts by, and its type. Each has an index; relevance has none and is not listed here. */
export const ORDERS = {
  subscribers: { by: 'c.subscribers', type: 'bigint', direction: 'desc' },
  posts_per_day: { by: 'c.posts_per_day', type: 'float8', direction: 'desc' },
  newest_post: { by: 'coalesce(c.last_post_at, -1)', type: 'bigint', direction: 'desc' },
  added: { by: 'c.added_at', type: 'bigint', direction: 'desc' },
  username: { by: 'c.name_key', type: 'text', direction: 'asc' },
} as const
export type Order = (typeof ORDERS)[keyof typeof ORDERS]

/** How a statement is written. */
interface Writing {
  /** Adds a value, and returns its placeholder. */
  add(value: string): string
  /** The condition that a text contains a piece. */
  holds(text: string, piece: string): string
}

/** One condition for each query word, that the channel contains it; and how well the channel matches all of them. */
export function wordsSql(words: readonly string[], { add, holds }: Writing) {
  const asked = words.map((word) => {
    const { insideNames, insideAll } = reachOf(word)
    const mark = add(word)
    const begun = holds('(w.name || w.title)', `' ' || ${mark}`)
    const titled = [
      begun,
      ...(insideNames ? [holds('w.name', mark)] : []),
      ...(insideAll ? [holds('w.title', mark)] : []),
    ].join(' or ')
    const described = holds('w.description', insideAll ? mark : `' ' || ${mark}`)
    return { begun, titled: `(${titled})`, held: `(${titled} or ${described})` }
  })
  return {
    conditions: asked.map(({ held }) => held),
    /** `relevanceClass` in SQL. */
    rank: () => `case when replace(c.name_key, '_', '') = ${add(words.join(''))} then 0
      when ${asked.map(({ begun }) => begun).join(' and ')} then 1
      when ${asked.map(({ titled }) => titled).join(' and ')} then 2 else 3 end`,
  }
}
