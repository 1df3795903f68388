import type { Post } from '../../src/model/post.ts'
import type { Sinks, Watch } from '../../src/model/watch.ts'
import { NO_PICTURES } from '../../src/operations/views/picture.ts'
import { viewFullPost } from '../../src/operations/views/post.ts'
import { viewChannelCard } from '../../src/operations/views/channel.ts'
import { addChannel, NOON, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { sampleWatch } from '../../src/store/contract/watches.ts'
import type { Message, MessageItem } from '../../src/watch/message.ts'
import { openTemporary } from '../open-temporary.ts'

export function watchWith(sinks: Sinks): Watch {
  return { ...sampleWatch('storms'), id: 1, stopped: {}, sinks }
}

export function webhookTo(url: string, fields: Partial<NonNullable<Sinks['webhook']>> = {}): Watch {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  return watchWith({
    webhook: { url, secret, body: 'standard', allowPrivate: true, ...fields },
  })
}

/** A message about posts with these texts. */
export async function messageOf(
  texts: readonly string[],
  type: MessageItem['type'] = 'post',
  forwardedFrom: Post['forwardedFrom'] = null,
): Promise<Message> {
  const clock = { now: () => NOON, elapsed: () => NOON, sleep: async () => {} }
  await using store = await openTemporary(clock)
  const { id } = await addChannel(store, 'gales')
  const posts = texts.map((text, i) => samplePost(i + 1, { text, forwardedFrom }))
  await store.archive.record(sampleReading(id, { posts }))
  const card = viewChannelCard((await store.archive.channel('gales'))!, undefined)
  const kept = await store.archive.posts(posts.map(({ number }) => ({ channelId: id, number })))
  const items = kept.map((post) => {
    return { type, at: NOON, post: viewFullPost(post!, card, NO_PICTURES) }
  })
  return { id: 'msg_1_2_abc', watch: 'storms', items, isDigest: texts.length > 1 }
}
