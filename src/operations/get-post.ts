import { z } from 'zod'
import type { Edit } from '../model/edit.ts'
import type { PostVersion } from '../model/post.ts'
import { findPost, POST_ERRORS } from './find-post.ts'
import { mapInTurns } from '../model/turns.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { compactPost } from './render/compact.ts'
import { channelOf, markdownPost } from './render/markdown-post.ts'
import { ORIGIN } from './render/markdown-words.ts'
import { viewChannelCard } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin } from './views/common.ts'
import { postView, viewFullPost, viewVersion } from './views/post.ts'
import { servedText } from './views/served-text.ts'
import type { Warning } from './warnings.ts'

/** Some channels change a post at every visit, such as a price or a score; months of versions are no useful answer. */
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
    'Text with its formatting, media, counters, earlier versions, and evidence of when it was captured.',
  input: z.strictObject({
    username: p.username,
    slug: p.slug(
      'The post’s number on its channel, 342 of `durov/342`; any member of an album means the album.',
    ),
  }),
  output: postView,
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: [...POST_ERRORS],
  formats: ['json', 'md'],
  markdown({ data }) {
    const { content_sha256: hash, first_captured_at: first, last_captured_at: last } = data.evidence
    const evidence = `Captured ${first} to ${last}, SHA-256 ${hash}`
    return `# Post ${data.id}\n\nFrom ${channelOf(data)}. ${ORIGIN}\n\n${markdownPost(data)}\n\n${evidence}`
  },
  compact: (data) => ({
    ...compactPost(data),
    evidence: {
      content_sha256: data.evidence.content_sha256,
      first_captured_at: data.evidence.first_captured_at,
      last_captured_at: data.evidence.last_captured_at,
    },
  }),
  policies: ['burst', 'daily'],
  examples: [{ summary: 'One post', input: { username: 'durov', slug: '342' } }],
  async run(ctx, input) {
    const { channel, post, warnings } = await findPost(ctx, input)
    const [versions, edits, pictureOf, avatarOf] = await Promise.all([
      ctx.store.archive.versions(post, MAX_VERSIONS + 1),
      ctx.store.edits.ofPost(post, MAX_VERSIONS + 1),
      ctx.pictures.of([post]),
      ctx.pictures.ofChannels([channel]),
    ])
    const card = viewChannelCard(channel, avatarOf(channel))
    return {
      data: {
        ...viewFullPost(post, card, pictureOf),
        versions: await viewVersions(versions.slice(-MAX_VERSIONS), edits, post.revision),
      },
      meta: { content_origin: CONTENT_ORIGIN },
      warnings: versions.length > MAX_VERSIONS ? [...warnings, LEFT_OUT] : warnings,
    }
  },
})

/**
 * Every version was replaced by one edit, and both lists end with the latest, so they are matched from the end. An edit made since
 * the post was read replaced none of these versions.
 */
function viewVersions(versions: readonly PostVersion[], edits: readonly Edit[], read: number) {
  const replacing = edits.filter(
    ({ kinds, revision }) => !kinds.includes('deleted') && revision < read,
  )
  const offset = replacing.length - versions.length
  return mapInTurns(versions, (version, i) =>
    viewVersion(version, replacing[i + offset], servedText),
  )
}
