import { nameKey } from '../../../model/channel-name.ts'
import { reachOf, type ChannelWords } from '../../channel-words.ts'

/**
 * How well a channel answers the words, best first: 0 is its name, 1 begins words of name or title, 2 stands inside
 * them, 3 needs the description; undefined when a word is missing.
 */
export function relevanceClass(
  username: string,
  words: ChannelWords,
  asked: readonly string[],
): number | undefined {
  const { name, title, description } = words
  const begins = (word: string) => `${name}${title}`.includes(` ${word}`)
  const isInTitle = (word: string) => {
    const { insideNames, insideAll } = reachOf(word)
    return (
      begins(word) || (insideNames && name.includes(word)) || (insideAll && title.includes(word))
    )
  }
  const isDescribed = (word: string) =>
    description.includes(reachOf(word).insideAll ? word : ` ${word}`)
  if (!asked.every((word) => isInTitle(word) || isDescribed(word))) return undefined
  if (nameKey(username).replaceAll('_', '') === asked.join('')) return 0
  if (asked.every(begins)) return 1
  return asked.every(isInTitle) ? 2 : 3
}
