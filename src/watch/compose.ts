import type { ArchivedPost } from '../model/post.ts'
import type { Watch } from '../model/watch.ts'
import type { ChannelCards } from '../operations/channel-cards.ts'
import { NO_PICTURES } from '../operations/views/picture.ts'
import { viewFullPost, viewId } from '../operations/views/post.ts'
import type { Archive } from '../store/archive.ts'
import type { Delivery, WatchEvent } from '../store/deliveries.ts'
import type { Message, MessageItem } from './message.ts'

/**
 * Composes the message of a delivery from the archive as it is now: nothing is told of a channel or post that was removed
 * meanwhile, nor the text of a post that was deleted. Undefined when nothing is left to tell.
 */
export async function compose(
  { archive, cards }: { readonly archive: Archive; readonly cards: ChannelCards },
  watch: Watch,
  delivery: Delivery,
): Promise<Message | undefined> {
  const { events } = delivery
  const posts = await archive.posts(events)
  const known = await cards.byId(events.map(({ channelId }) => channelId))
  const items = events.flatMap((event, i): MessageItem[] => {
    const card = known.get(event.channelId)
    if (!card) return []
    const post = shownPost(event, posts[i], card)
    return post ? [{ type: event.kind, at: event.at, post }] : []
  })
  if (items.length === 0) return undefined
  const id = `msg_${watch.id}_${delivery.id}_${delivery.createdAt.toString(36)}`
  const isDigest = watch.options.digestMinutes !== null || events.length > 1
  return { id, watch: watch.name, items, isDigest }
}

function shownPost(
  { kind, number }: WatchEvent,
  post: ArchivedPost | undefined,
  card: Parameters<typeof viewFullPost>[1],
): MessageItem['post'] | undefined {
  if (kind === 'deleted') return post && viewId(card.username, number)
  return post && post.deletedAt === null ? viewFullPost(post, card, NO_PICTURES) : undefined
}
