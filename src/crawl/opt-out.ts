import type { ChannelProfile } from '../model/channel.ts'

const TAG = /#telegrep_optout\b/i

/** Whether the channel's own description asks not to be indexed. */
export function asksToBeLeftOut({ description }: Pick<ChannelProfile, 'description'>): boolean {
  return TAG.test(description)
}
