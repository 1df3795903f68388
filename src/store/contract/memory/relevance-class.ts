import { nameKey } from '../../../model/channel-name.ts'
import { reachOf, type ChannelWords } from '../../channel-words.ts'

/**
 * How well a channel matches the query words, best first. 0: together they are its name; 1: each begins a word of its name or
 * title; 2: some match inside those words; 3: the description is needed. Undefined when a word is not found at all.
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
