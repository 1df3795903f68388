import { z } from 'zod'
import { nameKey } from '../model/channel-name.ts'
import type { ChannelStats } from '../store/archive.ts'
import type { Context } from './context.ts'
import { findChannel } from './find-channel.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { compactProfile } from './render/compact.ts'
import { markdownChannel } from './render/markdown-channel.ts'
import { channelProfileView, viewChannelProfile } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin } from './views/common.ts'

export const getChannel = defineOperation({
  name: 'get_channel',
  path: '/channels/{username}',
  summary: 'Profile of one indexed channel',
  description:
    'Who the channel is, how much and when it posts, what it links to and forwards, similar channels, and how complete its archive is.',
  input: z.strictObject({ username: p.username }),
  output: channelProfileView,
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: ['invalid_username', 'channel_not_indexed', 'channel_removed'],
  formats: ['json', 'md'],
  markdown: ({ data }) => markdownChannel(data),
  compact: compactProfile,
  policies: ['burst', 'daily'],
  examples: [{ summary: 'The profile of a channel', input: { username: 'durov' } }],
  async run(ctx, { username }) {
    const { channel, warnings } = await findChannel(ctx, username)
    const now = ctx.clock.now()
    const stats = await ctx.store.archive.stats(channel.id, now)
    const avatarOf = await ctx.pictures.ofChannels([channel])
    const forwardsFrom = await spelt(ctx, stats.forwardsFrom)
    return {
      data: viewChannelProfile(channel, { ...stats, forwardsFrom }, now, avatarOf(channel)),
      meta: { content_origin: CONTENT_ORIGIN },
      warnings,
    }
  },
})

type Tally = ChannelStats['forwardsFrom'][number]

/** Names are counted in lower case; channels that are archived are shown in their own spelling, as in the other lists. */
async function spelt({ store }: Context, tallies: readonly Tally[]): Promise<Tally[]> {
  const channels = await store.archive.channelsByName(tallies.map(({ value }) => value))
  return tallies.map((tally, i) => {
    const username = channels[i]?.username
    const isOwn = username !== undefined && nameKey(username) === tally.value
    return isOwn ? { ...tally, value: username } : tally
  })
}
