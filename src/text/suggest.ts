/** "Did you mean": the nearest of a few names. */

const MAX_LENGTH = 64

/** Names in other search engines and languages, which differ in letters but mean the same. The first that fits wins. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    query: ['q', 'search', 'text'],
    channel: ['from', 'user', 'username', 'author', 'source', 'chat'],
    lang: ['language', 'languages', 'locale'],
    since: ['after', 'start', 'date_from', 'from_date', 'start_date', 'date'],
    until: ['before', 'to', 'end', 'date_to', 'to_date', 'end_date'],
    sort: ['order', 'order_by', 'sort_by'],
    order: ['sort', 'order_by', 'sort_by'],
    limit: ['count', 'size', 'per_page', 'page_size', 'max_results', 'num', 'n'],
    cursor: ['page', 'offset', 'start', 'page_token', 'next'],
    detail: ['fields', 'select', 'include', 'view', 'projection'],
    max_chars: ['max_tokens', 'max_length', 'budget'],
    domain: ['site', 'host'],
    newest: ['new', 'date', 'time', 'latest', 'recent', 'desc'],
    oldest: ['old', 'asc'],
    relevance: ['score', 'rank', 'best'],
    views: ['popular', 'top'],
    md: ['markdown', 'text', 'txt'],
    rss: ['atom', 'xml', 'feed'],
    excel: ['xlsx', 'xls', 'spreadsheet'],
    photo: ['foto', 'image', 'images', 'picture', 'pictures', 'pic', 'img', 'фото'],
    video: ['видео', 'movie', 'clip'],
    document: ['file', 'files', 'doc', 'pdf', 'attachment'],
    audio: ['music', 'sound', 'mp3'],
    link: ['url', 'links', 'urls'],
    location: ['map', 'geo', 'place'],
    forward: ['forwarded', 'repost', 'forwards'],
    reply: ['replies'],
    edited: ['edit', 'edits'],
    kind: ['type', 'types'],
    newest_post: ['new', 'newest', 'latest', 'recent', 'date'],
    subscribers: ['top', 'popular', 'size', 'members'],
    username: ['name', 'title'],
    // Last, because a name is meant for a parameter that takes names, if there is one.
    q: [
      'query',
      'search',
      'text',
      'term',
      'terms',
      'keyword',
      'keywords',
      'username',
      'name',
      'title',
    ],
  }),
)

/**
 * The candidate that `word` is another name of, else the nearest by edits (insert, delete, replace, swap of
 * neighbours), if near enough to be a slip: one edit up to four letters, two up to eight, three beyond. Ties go to the
 * earlier candidate.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length === 0 || word.length > MAX_LENGTH) return undefined
  const wanted = word.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
  const names = [...candidates]
  for (const [name, others] of OTHER_NAMES) {
    if (others.includes(wanted) && names.includes(name)) return name
  }
  let best: string | undefined
  let bestDistance = allowedEdits(wanted) + 1
  for (const candidate of names) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function allowedEdits(word: string): number {
  return word.length <= 4 ? 1 : word.length <= 8 ? 2 : 3
}

/** Optimal string alignment: Levenshtein with swaps of neighbours counted once. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
