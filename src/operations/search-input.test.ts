import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFilter, searchInput } from './search-input.ts'

/** Written out: a new parameter that does not narrow a search must not make one without `q` acceptable. */
const FILTERS =
  `since until arrived_since channel exclude_channel lang exclude_lang hashtag exclude_hashtag mention
  exclude_mention domain exclude_domain url exclude_url forwarded_from exclude_forwarded_from has forwards replies edited
  min_views min_reactions min_subscribers`.split(/\s+/)

test('only parameters that narrow a search count as a filter', () => {
  const names = searchInput.keyof().options
  assert.deepEqual(
    names.filter((name) => hasFilter({ [name]: 'given' })),
    FILTERS,
  )
})
