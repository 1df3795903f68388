import { z } from 'zod'
import { findChannel } from './find-channel.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { channelProfileView, viewChannelProfile } from './views/channel.ts'
import { CONTENT_ORIGIN, contentOrigin } from './views/common.ts'

export const getChannel = defineOperation({
  name: 'get_channel',
  path: '/channels/{username}',
  summary: 'Profile of one indexed channel',
  description:
    'Who the channel is, how much it posts and when, what it links to and forwards, which channels are like it, and how complete its archive is.',
  input: z.strictObject({ username: p.channel('The channel: `durov`, `@durov` or `t.me/durov`.') }),
  output: channelProfileView,
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: ['invalid_username', 'channel_not_indexed', 'channel_removed'],
  formats: ['json', 'md'],
  policies: ['burst', 'daily'],
  examples: [{ summary: 'The profile of a channel', input: { username: 'durov' } }],
  async run(ctx, { username }) {
    const { channel, warnings } = await findChannel(ctx, username)
    const now = ctx.clock.now()
    const stats = await ctx.store.archive.stats(channel.id, now)
    return {
      data: viewChannelProfile(channel, stats, now),
      meta: { content_origin: CONTENT_ORIGIN },
      warnings,
    }
  },
})
