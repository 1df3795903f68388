import { z } from 'zod'
import { AppError } from '../model/errors.ts'
import { findChannel } from './find-channel.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { leanPost } from './render/lean.ts'
import { channelOf, markdownPost } from './render/markdown-post.ts'
import { ORIGIN } from './render/markdown-words.ts'
import { viewChannelCard } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin, viewTime } from './views/common.ts'
import { postView, viewEvidence, viewFullPost, viewVersion } from './views/post.ts'
import { servedText } from './views/served-text.ts'
import type { Warning } from './warnings.ts'

/** Some channels change a post at every visit, a price or a score: months of that are no answer. */
const MAX_VERSIONS = 100
const LEFT_OUT: Warning = {
  code: 'versions_left_out',
  detail: `the post was changed more than ${MAX_VERSIONS} times; these are its latest ${MAX_VERSIONS} earlier versions`,
}

export const getPost = defineOperation({
  name: 'get_post',
  path: '/channels/{username}/posts/{slug}',
  summary: 'One post with its full content',
  description:
    'Text with its formatting, media, counters, earlier versions, and the evidence of when it was captured.',
  input: z.strictObject({
    username: p.channel('The channel: `durov`, `@durov` or `t.me/durov`.'),
    slug: p.slug(
      'The post’s number on its channel, 342 of `durov/342`; any member of an album means the album.',
    ),
  }),
  output: postView,
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: [
    'invalid_username',
    'channel_not_indexed',
    'channel_removed',
    'post_not_found',
    'post_deleted',
    'post_removed',
  ],
  formats: ['json', 'md'],
  markdown({ data }) {
    const { content_sha256: hash, first_captured_at: first, last_captured_at: last } = data.evidence
    const evidence = `Captured ${first} to ${last}, SHA-256 ${hash}`
    return `# Post ${data.id}\n\nFrom ${channelOf(data)}. ${ORIGIN}\n\n${markdownPost(data)}\n\n${evidence}`
  },
  lean: (data) => ({
    ...leanPost(data),
    evidence: {
      content_sha256: data.evidence.content_sha256,
      first_captured_at: data.evidence.first_captured_at,
      last_captured_at: data.evidence.last_captured_at,
    },
  }),
  policies: ['burst', 'daily'],
  examples: [{ summary: 'One post', input: { username: 'durov', slug: '342' } }],
  async run(ctx, { username, slug }) {
    const { archive, removals } = ctx.store
    const { channel, warnings } = await findChannel(ctx, username)
    const number = Number(slug)
    const post = await archive.post(channel.id, number)
    if (!post) {
      const { numbers } = await removals.barred({ names: [channel.username] }, [number])
      if (numbers.length > 0) {
        throw new AppError('post_removed', `the post ${number} was removed on request`)
      }
      throw new AppError('post_not_found', `${channel.username} has no post ${number} here`)
    }
    // Where the operator keeps deleted text it is still there; otherwise the archive has emptied it.
    const isRedacted = post.deletedAt !== null && post.text === '' && post.media.length === 0
    if (post.deletedAt !== null && isRedacted) {
      throw new AppError('post_deleted', `the post ${number} was deleted on the platform`, {
        extra: {
          published_at: viewTime(post.publishedAt),
          deleted_at: viewTime(post.deletedAt),
          evidence: viewEvidence(post),
        },
      })
    }
    const versions = await archive.versions(post, MAX_VERSIONS + 1)
    return {
      data: {
        ...viewFullPost(post, viewChannelCard(channel)),
        versions: versions.slice(-MAX_VERSIONS).map((version) => viewVersion(version, servedText)),
      },
      meta: { content_origin: CONTENT_ORIGIN },
      warnings: versions.length > MAX_VERSIONS ? [...warnings, LEFT_OUT] : warnings,
    }
  },
})
