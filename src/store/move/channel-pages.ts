import { ALL_CHANNELS } from '../archive.ts'
import type { Store } from '../store.ts'

/** All channels of a store, page by page. */
export async function* channelPages({ archive }: Store) {
  let after: string | null = null
  do {
    const page = await archive.channels({ ...ALL_CHANNELS, sort: 'added', limit: 500, after })
    yield page.items
    after = page.next
  } while (after !== null)
}
