const TOO_MANY =
  'so many posts match that not all were looked at; more words or a filter find the rest'

/** Why an answer may lack posts that match, in words that tell the reader what to do about it. */
export const WHY_INCOMPLETE = {
  prefix: 'very many words begin like this; more letters find the rest',
  visits: TOO_MANY,
  postings: TOO_MANY,
  groups: 'there are more copies than were grouped',
  facets: 'there are more names than were counted',
  no_index: 'there is no index yet',
  filling: 'the index is still being filled; posts that are archived will be found later',
  shards: 'a part of the index did not answer',
  timeout: 'a part of the index did not answer in time',
  window: 'the post is older than those that are indexed',
} as const

export type IncompleteReason = keyof typeof WHY_INCOMPLETE
export const INCOMPLETE_REASONS = Object.keys(WHY_INCOMPLETE) as IncompleteReason[]
