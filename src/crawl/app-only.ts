/**
 * Posts that the platform shows only in its app ("Please open Telegram to view this post"). The page of each post still has
 * the beginning of its text: it is requested once, for a few posts per visit, so that they can be read and found.
 */
import type { ChannelProfile } from '../model/channel.ts'
import type { Archive } from '../store/archive.ts'
import { hideIfAgain, type HiddenPosts, type ReadingBuilder } from './reading-builder.ts'
import { isOfOnePage, type PageReader } from './walk.ts'

/** Each takes one request; the rest waits for the next visit. */
const MAX_READ = 10

export async function readAppOnly(options: {
  readonly channelId: number
  readonly profile: ChannelProfile
  readonly archive: Archive
  readonly builder: ReadingBuilder
  readonly reader: Pick<PageReader, 'words'>
  /** Posts already requested, and edited posts requested again; they are left alone for a day. */
  readonly hidden: HiddenPosts
}): Promise<void> {
  const { channelId, profile, builder, hidden } = options
  const shut = [...builder.posts.values()].filter((post) => post.orphan && post.text === '')
  if (shut.length === 0) return
  const archived = await options.archive.posts(shut.map(({ number }) => ({ channelId, number })))
  const keyOf = (number: number, edited: boolean) =>
    `${channelId}/${number} words${edited ? ' edited' : ''}`
  const wanted = shut.filter((post, i) => {
    const isKnown = archived[i] !== undefined && archived[i].text !== ''
    const isAsked = hidden.get(keyOf(post.number, post.edited)) === true
    return !isAsked && (!isKnown || post.edited)
  })
  for (const post of wanted.toSorted((a, b) => b.number - a.number).slice(0, MAX_READ)) {
    const outcome = await options.reader.words(post.number)
    const key = keyOf(post.number, post.edited)
    if (outcome.kind !== 'words') {
      // Any other failure would repeat for the others now, and says nothing about this post.
      if (!isOfOnePage(outcome)) return
      hideIfAgain(hidden, key)
      continue
    }
    hidden.set(key, true)
    const isOwn = bare(outcome.text) !== bare(profile.description)
    if (isOwn && outcome.text !== '') builder.amend({ ...post, text: outcome.text })
  }
}

/** The head of a page and its body break lines differently. */
function bare(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
