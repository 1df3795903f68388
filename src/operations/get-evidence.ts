import { z } from 'zod'
import { measureFile, wholeFile, writeDocument, type Manifest } from '../evidence/package.ts'
import { picturesOf } from '../model/picture.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { Context } from './context.ts'
import { captureFacts } from './evidence-facts.ts'
import { findPost, POST_ERRORS } from './find-post.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { evidencePage, type KeptPicture } from './render/evidence-page.ts'
import { viewArchivedPost, type ArchivedPostView } from './views/archived-post.ts'
import { viewChannelCard } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin, timeView } from './views/common.ts'
import type { Warning } from './warnings.ts'

/** Bounded because they are held in memory. */
const MAX_VERSIONS = 1_000
/** How often a post that keeps changing is read. */
const TRIES = 3

const NOT_STAMPED: Warning = {
  code: 'not_timestamped',
  detail: 'the timestamp authority could not be asked; the package is signed all the same',
}

const LEFT_OUT: Warning = {
  code: 'versions_left_out',
  detail: `the post was changed more than ${MAX_VERSIONS} times; the package has its latest ${MAX_VERSIONS} earlier versions`,
}

export const getEvidence = defineOperation({
  name: 'get_evidence',
  path: '/channels/{username}/posts/{slug}/evidence',
  summary: 'A signed package of one post, to keep',
  description:
    'A signed ZIP with the post, its versions, captures, hashes and a readable page; `telegrep verify` checks it offline. Other formats give its manifest.',
  input: z.strictObject({
    username: p.username,
    slug: p.slug('The post’s number on its channel.'),
  }),
  output: z
    .strictObject({
      id: z.string(),
      zip_url: z.string(),
      key_id: z.string(),
      keys_url: z.string(),
      content_sha256: z.string(),
      first_captured_at: timeView,
      last_captured_at: timeView,
      timestamped: z.boolean(),
      files: z.array(z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })),
    })
    .meta({ id: 'EvidencePackage' }),
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: [...POST_ERRORS],
  formats: ['zip', 'json', 'md'],
  markdown({ data }) {
    const files = data.files.map(({ name, sha256 }) => `- ${name} ${sha256}`).join('\n')
    const captured = `Captured ${data.first_captured_at} to ${data.last_captured_at}, SHA-256 ${data.content_sha256}`
    return `# Evidence of ${data.id}\n\n${captured}\n\nPackage: ${data.zip_url}\nSigned with key ${data.key_id} of ${data.keys_url}\n\n${files}`
  },
  policies: ['burst', 'daily'],
  examples: [{ summary: 'To keep', input: { username: 'durov', slug: '342' } }],
  async run(ctx, input, { signal }) {
    const { channel, post, warnings, found } = await findWithVersions(ctx, input)
    const versions = found.slice(-MAX_VERSIONS)
    const isCut = found.length > MAX_VERSIONS
    const view = viewArchivedPost(post, viewChannelCard(channel, undefined), versions)
    const facts = await captureFacts(ctx.store, { channel, post, isCut }, versions)
    const { publicUrl } = ctx.settings
    const keysUrl = `${publicUrl}/.well-known/telegrep-key.json`
    const hashes = await pictureHashes(ctx, post)
    const measure = async () => {
      const pictures = await keptPictures(ctx, hashes)
      const pieces = () => evidencePage({ post: view, facts, pictures, keysUrl })
      const page = await measureFile({ name: 'page.html', pieces })
      return { page, pictures: await Array.fromAsync(pictures, measureFile) }
    }
    const measured = hashes.size === 0 ? measure() : ctx.evidence.runExclusive(signal, measure)
    const { page, pictures } = await measured
    // Outside the queue: nobody should wait in it for the timestamp authority.
    const sealed = await ctx.evidence.seal({
      subject: subjectOf(view),
      madeBy: madeBy(ctx, keysUrl, post.parserVersion),
      files: [
        page,
        wholeFile('post.json', writeDocument(view)),
        wholeFile('captures.json', writeDocument(facts)),
        ...pictures,
      ],
    })
    const { manifest, isStamped, length, pieces } = sealed
    const fileName = `${channel.username}-${post.number}-evidence.zip`
    return {
      data: {
        id: view.id,
        zip_url: `${publicUrl}/v1/channels/${channel.username}/posts/${post.number}/evidence`,
        key_id: manifest.key_id,
        keys_url: keysUrl,
        content_sha256: post.contentSha256,
        first_captured_at: facts.first_captured_at,
        last_captured_at: facts.last_captured_at,
        timestamped: isStamped,
        files: manifest.files.map((file) => ({ ...file })),
      },
      meta: { content_origin: CONTENT_ORIGIN },
      warnings: [
        ...warnings,
        ...(isCut ? [LEFT_OUT] : []),
        ...(ctx.settings.stamps && !isStamped ? [NOT_STAMPED] : []),
      ],
      file: { name: fileName, length, pieces },
    }
  },
})

/** Reads again what was edited, deleted or removed before its versions were read: the two must be of one moment. */
async function findWithVersions(ctx: Context, input: Parameters<typeof findPost>[1]) {
  const { archive } = ctx.store
  for (let tries = 1; ; tries++) {
    const of = await findPost(ctx, input)
    const found = await archive.versions(of.post, MAX_VERSIONS + 1)
    const [now] = await archive.posts([of.post])
    const isSame = now?.revision === of.post.revision && now.deletedAt === of.post.deletedAt
    if (isSame || tries === TRIES) return { ...of, found }
  }
}

/** The hashes of the pictures that the post shows today. */
async function pictureHashes(ctx: Context, post: ArchivedPost): Promise<ReadonlySet<string>> {
  const pictureOf = await ctx.pictures.of([post])
  return new Set(picturesOf(post).flatMap(({ slot }) => pictureOf(post, slot)?.sha256 ?? []))
}

/** A picture whose file is missing is left out, as it is on the page. */
async function keptPictures(ctx: Context, hashes: ReadonlySet<string>): Promise<KeptPicture[]> {
  const kept: KeptPicture[] = []
  for (const sha256 of hashes) {
    const file = await ctx.pictures.kept(sha256)
    const pieces = await file?.open()
    if (!file || !pieces) continue
    kept.push({ name: `pictures/${sha256}.${file.type}`, type: `image/${file.type}`, pieces })
  }
  return kept
}

function subjectOf(post: ArchivedPostView): Manifest['subject'] {
  return {
    id: post.id,
    url: post.url,
    published_at: post.published_at,
    first_captured_at: post.evidence.first_captured_at,
    last_captured_at: post.evidence.last_captured_at,
    deleted_at: post.deleted_at ?? null,
    content_sha256: post.evidence.content_sha256,
  }
}

function madeBy({ settings }: Context, keysUrl: string, parser: number): Manifest['made_by'] {
  const { version, contact } = settings
  return { program: 'telegrep', version, parser_version: parser, keys: keysUrl, contact }
}
