import type { ArchivedPost } from '../../src/model/post.ts'
import type { IndexDocument, IndexWriter } from '../../src/search/search-index.ts'
import type { Store } from '../../src/store/store.ts'
import { analyze } from '../../src/text/analyze.ts'
import { fingerprint } from '../../src/text/fingerprint.ts'
import { postFeatures } from '../../src/text/post-features.ts'
import { normaliseUrl } from '../../src/text/urls.ts'

/** Brings an index up to date with its store, without language detection: tests name the language themselves. */
export async function indexChanges(store: Store, writer: IndexWriter): Promise<void> {
  for (;;) {
    const drained = await store.archive.drainChanges(500, async (changes) => {
      for (const change of changes) {
        const [channel] = await store.archive.channelsById([change.channelId])
        if (!channel) {
          await writer.removeChannel(change.channelId)
          continue
        }
        if (change.kind === 'channel') {
          const subscribers = channel.subscribers?.value ?? 0
          await writer.updateChannels([{ channelId: channel.id, subscribers }])
          continue
        }
        const [post] = await store.archive.posts([change])
        if (!post || post.deletedAt !== null) {
          await writer.remove([change])
          continue
        }
        const language = /[а-я]/i.test(post.text) ? 'ru' : 'en'
        await writer.put([documentOf(post, channel.subscribers?.value ?? 0, language)])
        const { tokens } = analyze(post.text, language)
        await store.archive.saveDerived([
          {
            channelId: post.channelId,
            number: post.number,
            revision: post.revision,
            language,
            languageWeight: post.text.length,
            detectedLanguage: language,
            terms: [...new Set(tokens.flatMap(({ tok, stem }) => [tok, stem]))].join(' '),
          },
        ])
      }
    })
    if (drained === 0) return
  }
}

function documentOf(post: ArchivedPost, subscribers: number, language: string): IndexDocument {
  const analysis = analyze(post.text, language)
  const facts = postFeatures(post, analysis.entities)
  const print = fingerprint(post.text, analysis, post.entities)
  const firstLine = post.text.indexOf('\n')
  const lineEnd = firstLine < 0 ? post.text.length : firstLine
  return {
    channelId: post.channelId,
    number: post.number,
    revision: post.revision,
    publishedAt: post.publishedAt,
    firstCapturedAt: post.firstCapturedAt,
    language,
    toks: analysis.tokens.map(({ tok }) => tok),
    stems: analysis.tokens.map(({ stem }) => stem),
    firstLineToks: analysis.tokens.filter(({ start }) => start < lineEnd).length,
    entities: analysis.entities.map(({ term }) => term),
    hashtags: facts.hashtags.map(({ tag }) => tag),
    mentions: facts.mentions,
    domains: facts.domains,
    urls: facts.links.flatMap((link) => normaliseUrl(link) ?? []),
    forwardedFrom: post.forwardedFrom?.username?.toLowerCase() ?? null,
    forwardedPost:
      /t\.me\/(.+)$/.exec(post.forwardedFrom?.postUrl ?? '')?.[1]?.toLowerCase() ?? null,
    isForward: post.forwardedFrom !== null,
    isReply: post.replyTo !== null,
    isEdited: post.edited,
    has: facts.has,
    views: post.views?.value ?? 0,
    reactions: post.reactions.reduce((sum, r) => sum + r.count.value, 0),
    subscribers,
    exactHash: print.exact,
    bands: [...print.bands],
    sketch: [...print.sketch],
  }
}
