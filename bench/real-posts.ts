/** Posts of real channels for the benchmarks, and any number of posts made like them. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

interface RealPost {
  readonly channel: string
  readonly date: string
  readonly text: string
  readonly views: number | null
}

/** Reads NDJSON, gzipped or not, with `{channel, date, text, views}` on each line; returns the oldest first. */
export async function readPosts(path: string): Promise<RealPost[]> {
  const stream = createReadStream(path)
  const input = path.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  const read: RealPost[] = []
  for await (const line of createInterface({ input })) {
    if (line.trim() !== '') read.push(JSON.parse(line) as RealPost)
  }
  return read.sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** Joins the first sentences of one post with the last of another in the same language: new posts of real sentences. */
export function createRecombiner(read: readonly RealPost[]) {
  const byLanguage = Map.groupBy(read, ({ text }) => guessLanguage(text))
  const sentences = (text: string) => text.split(/(?<=[.!?\n])\s+/)
  return (random: () => number): RealPost => {
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
    const line = pick(read)
    const own = sentences(line.text)
    const other = sentences(pick(byLanguage.get(guessLanguage(line.text))!).text)
    const [end, begin] = [own, other].map((list) => Math.floor(random() * (list.length + 1)))
    const text = [...own.slice(0, end), ...other.slice(begin)].join(' ')
    return { ...line, text: text || line.text }
  }
}

/** By script; enough to choose a stemmer. */
export function guessLanguage(text: string): string {
  if (/[іїєґ]/i.test(text)) return 'uk'
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru'
  if (/[پچژگ]/.test(text)) return 'fa'
  if (/\p{Script=Arabic}/u.test(text)) return 'ar'
  if (/\p{Script=Ethiopic}/u.test(text)) return 'am'
  return 'en'
}
