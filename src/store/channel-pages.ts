import type { Channel } from '../model/channel.ts'
import { ALL_CHANNELS, type Archive, type ChannelQuery } from './archive.ts'

/** All channels, page by page. */
export async function* channelPages(
  archive: Pick<Archive, 'channels'>,
  sort: ChannelQuery['sort'],
): AsyncGenerator<readonly Channel[]> {
  let after: string | null = null
  do {
    const page = await archive.channels({ ...ALL_CHANNELS, sort, limit: 500, after })
    yield page.items
    after = page.next
  } while (after !== null)
}
