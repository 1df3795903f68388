import { z } from 'zod'
import type { Edit } from '../../model/edit.ts'
import type { ArchivedPost } from '../../model/post.ts'
import { DAY_MS } from '../../model/time.ts'
import type { EditTexts } from '../../store/edits.ts'
import { isRedacted } from '../../store/redaction.ts'
import { channelCardView, type ChannelCardView } from './channel.ts'
import { countView, timeView, viewCountOrNull, viewTime } from './common.ts'
import { editKinds, namedChangeView, viewClassified } from './named-change.ts'
import { viewId } from './post.ts'
import { servedText } from './served-text.ts'

export const changeView = z
  .strictObject({
    id: z.string().meta({ examples: ['durov/342'] }),
    slug: z.string(),
    url: z.string(),
    channel: channelCardView,
    published_at: timeView,
    changed_at: timeView.meta({ description: 'When the change was noticed.' }),
    unchanged_at: timeView.nullable().meta({
      description: 'When the earlier version was last seen; the change happened between the two.',
    }),
    after_s: z.int().meta({ description: 'Seconds from publication to `changed_at`.' }),
    quick: z.boolean().meta({ description: 'Deleted within a day of its publication.' }),
    kinds: editKinds,
    named: z.array(namedChangeView),
    before: z.string().nullable().meta({
      description:
        'Null if it is not kept. Spoilers of the post as it is now are masked in both wordings and in `named`, except the words searched for; the post has them.',
    }),
    after: z.string().nullable().meta({ description: 'Null if it is not kept, or was deleted.' }),
    views: countView.nullable(),
    language: z.string().nullable(),
    deleted_at: timeView.optional(),
  })
  .meta({ id: 'Change' })
export type ChangeView = z.output<typeof changeView>

/** A post deleted this soon was a slip or was not meant to be seen. A day, because visits may be hours apart. */
const QUICK_MS = DAY_MS

export function viewChange(
  edit: Edit,
  post: ArchivedPost,
  { before, next }: EditTexts,
  card: ChannelCardView,
): ChangeView {
  const isDeletion = edit.kinds.includes('deleted')
  const current = isRedacted(post) ? null : post.text
  const earlier = isDeletion ? current : (before?.text ?? null)
  const later = isDeletion ? null : next === null ? current : next.text
  return {
    ...viewId(card.username, edit.number),
    channel: card,
    published_at: viewTime(post.publishedAt),
    changed_at: viewTime(edit.at),
    unchanged_at: isDeletion
      ? viewTime(post.lastCapturedAt)
      : before && viewTime(before.capturedAt),
    after_s: Math.max(0, Math.round((edit.at - post.publishedAt) / 1000)),
    quick: isDeletion && edit.at - post.publishedAt < QUICK_MS,
    ...viewClassified(edit),
    before: earlier === null ? null : servedText(earlier),
    after: later === null ? null : servedText(later),
    views: viewCountOrNull(post.views),
    language: post.language,
    ...(post.deletedAt === null ? {} : { deleted_at: viewTime(post.deletedAt) }),
  }
}
