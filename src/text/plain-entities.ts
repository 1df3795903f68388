import type { Entity } from '../model/post.ts'
import { analyze } from './analyze.ts'

/** The entities that the platform would have marked in a text without any: links, mentions, hashtags, cashtags. */
export function plainEntities(text: string): Entity[] {
  return analyze(text, null).entities.flatMap(({ term, start, end }): Entity[] => {
    const place = { offset: start, length: end - start }
    if (term.startsWith('#')) return [{ type: 'hashtag', ...place }]
    if (term.startsWith('$')) return [{ type: 'cashtag', ...place }]
    const shown = text.slice(start, end)
    if (term.startsWith('@') && shown.startsWith('@')) {
      return [{ type: 'mention', ...place, url: `https://t.me/${shown.slice(1)}` }]
    }
    if (!term.startsWith('site:')) return []
    const url = /^https?:\/\//i.test(shown) ? shown : `http://${shown}`
    return URL.canParse(url) && url.length <= 2048 ? [{ type: 'link', ...place, url }] : []
  })
}
