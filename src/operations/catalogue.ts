import { getChannel } from './get-channel.ts'
import { getEvidence } from './get-evidence.ts'
import { getLiveChannel } from './get-live-channel.ts'
import { getMeta } from './get-meta.ts'
import { getPost } from './get-post.ts'
import { getSpread } from './get-spread.ts'
import { getStatus } from './get-status.ts'
import { listChanges } from './list-changes.ts'
import { listChannelPosts } from './list-channel-posts.ts'
import { listChannels } from './list-channels.ts'
import { listLanguages } from './list-languages.ts'
import type { Operation } from './operation.ts'
import { searchPosts } from './search-posts.ts'
import { suggest } from './suggest.ts'

/** Everything a caller can ask. HTTP routes, OpenAPI, MCP tools, the client and the docs are loops over this list. */
export const TYPED_CATALOGUE = {
  search_posts: searchPosts,
  list_channels: listChannels,
  get_channel: getChannel,
  list_channel_posts: listChannelPosts,
  get_live_channel: getLiveChannel,
  get_post: getPost,
  get_spread: getSpread,
  list_changes: listChanges,
  get_evidence: getEvidence,
  suggest,
  list_languages: listLanguages,
  get_meta: getMeta,
  get_status: getStatus,
}
export type OperationName = keyof typeof TYPED_CATALOGUE

export const CATALOGUE: readonly Operation[] = Object.values(TYPED_CATALOGUE)
