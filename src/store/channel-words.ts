import { clipText } from '../model/cut-text.ts'
import type { Channel } from '../model/channel.ts'
import { CJK, SOUTHEAST, classAt } from '../text/characters.ts'
import { foldWord, lowerWord } from '../text/fold.ts'
import { simplified } from '../text/han.ts'

/**
 * The words by which a channel is found. A query word matches the beginning of a word. It matches inside a word only in the
 * channel's name, with three letters or more, and in scripts that put no spaces between words.
 */

/** Folded words, each preceded by a space. */
export interface ChannelWords {
  readonly name: string
  readonly title: string
  readonly description: string
}

/** The platform allows 255 characters. */
const MAX_DESCRIPTION = 256
const MIN_INSIDE = 3

export function wordsOfChannel(
  channel: Pick<Channel, 'username' | 'title' | 'description'>,
): ChannelWords {
  const { username } = channel
  const parts = username.includes('_') ? `${username} ${username.replaceAll('_', '')}` : username
  return {
    name: folded(parts),
    title: folded(channel.title),
    description: folded(channel.description.slice(0, MAX_DESCRIPTION)),
  }
}

function folded(text: string): string {
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return runs.map((run) => ` ${simplified(foldWord(lowerWord(run)))}`).join('')
}

const MAX_WORDS = 8

/** The query words in the form in which channels' words are kept: callers have folded them, but not to simplified Chinese. */
export function foldQueryWords(words: readonly string[]): string[] {
  return words.slice(0, MAX_WORDS).map(simplified)
}

/** Where a query word may match. */
interface Reach {
  /** Anywhere in a name, not only at the beginning of a word. */
  readonly insideNames: boolean
  /** Anywhere in any text. */
  readonly insideAll: boolean
}

export function reachOf(word: string): Reach {
  const insideAll = isUnspaced(word, 0)
  return { insideNames: insideAll || word.length >= MIN_INSIDE, insideAll }
}

/** The length of the prefixes in the index: long enough to tell words apart, short enough for a million channels. */
const PREFIX_UNITS = 8

/** The prefix to look up in the index for channels that may contain a word. */
export function wordPrefix(word: string): string {
  return clipText(word, PREFIX_UNITS)
}

/** The prefixes to index for a channel, one for every place where a query word may match. None is a prefix of another. */
export function indexedPrefixes({ name, title, description }: ChannelWords): string[] {
  const starts = new Set<string>()
  for (const word of runsOf(name)) {
    for (let i = 0; i === 0 || i <= word.length - MIN_INSIDE; i++)
      starts.add(wordPrefix(word.slice(i)))
  }
  for (const word of runsOf(title + description)) {
    starts.add(wordPrefix(word))
    for (let i = 1; i < word.length; i++) {
      if (isUnspaced(word, i)) starts.add(wordPrefix(word.slice(i)))
    }
  }
  const sorted = [...starts].toSorted((a, b) => (a < b ? -1 : 1))
  return sorted.filter((start, i) => !sorted[i + 1]?.startsWith(start))
}

function runsOf(text: string): string[] {
  return text.split(' ').filter((run) => run !== '')
}

function isUnspaced(text: string, index: number): boolean {
  const found = classAt(text, index)
  return found === CJK || found === SOUTHEAST
}
