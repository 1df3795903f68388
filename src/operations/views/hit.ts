import { z } from 'zod'
import type { SearchHit } from '../../model/query.ts'
import type { ChannelCardView } from './channel.ts'
import { briefPost, fullPost, idView } from './post.ts'

const clusterView = z
  .strictObject({
    id: z.string(),
    size: z.int(),
    channels: z.int(),
    first: z
      .string()
      .nullable()
      .meta({ description: 'Id of the earliest member, if it may be shown.' }),
  })
  .meta({
    id: 'Cluster',
    description: 'Near-identical or forwarded posts within the last 30 days.',
  })

/** The fields that a search adds to a post. */
const hit = {
  score: z.number().meta({
    description:
      'Sort key under `sort=relevance`, otherwise 0. Where many posts match they are ranked a few hundred at a time, so scores may rise between batches: follow the order of the reply.',
  }),
  matched: z.enum(['all', 'some']),
  missing: z.array(z.string()).optional().meta({
    description:
      'With `matched: some`: the words the post lacks; words like `of` only where it lacks no other.',
  }),
  cluster: clusterView.optional(),
}

export const briefHitView = z.strictObject({ ...briefPost, ...hit }).meta({ id: 'Hit' })
export const fullHitView = z.strictObject({ ...fullPost, ...hit }).meta({ id: 'HitFull' })
export const idHitView = z.strictObject({ ...idView.shape, ...hit }).meta({ id: 'HitId' })

export type HitView =
  z.output<typeof briefHitView> | z.output<typeof fullHitView> | z.output<typeof idHitView>

export function viewHit(
  found: SearchHit,
  cards: ReadonlyMap<number, ChannelCardView>,
): Pick<z.output<typeof idHitView>, keyof typeof hit> {
  const first = found.cluster && cards.get(found.cluster.first.channelId)
  return {
    score: found.score,
    matched: found.matched,
    ...(found.matched === 'some' ? { missing: [...found.missing] } : {}),
    ...(found.cluster
      ? {
          cluster: {
            id: found.cluster.id,
            size: found.cluster.size,
            channels: found.cluster.channels,
            first: first ? `${first.username}/${found.cluster.first.number}` : null,
          },
        }
      : {}),
  }
}
