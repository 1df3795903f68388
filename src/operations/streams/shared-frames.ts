import type { News } from '../../follow/news.ts'
import { frame } from './frames.ts'
import { printEventId } from './event-id.ts'
import { renderNews, type RenderOptions, type RenderedNews } from './render-news.ts'

/** An event in wire format. */
export interface Frame {
  readonly kind: RenderedNews['kind']
  readonly text: string
}

/** The query is part of the key only for `brief`, because only snippets depend on it. */
export function renderKeyOf({
  search,
  detail,
  maxChars,
}: Omit<RenderOptions, 'renderKey'>): string {
  const asked = detail === 'brief' ? JSON.stringify(search.root) : ''
  const { match, collapse } = search.query
  return `${detail} ${maxChars ?? ''} ${collapse} ${match} ${asked}`
}

/** Thousands of readers may get the same event: it is rendered and serialised once for all with the same options. */
export async function shareFrames(
  parts: Parameters<typeof renderNews>[0],
  log: string,
  all: readonly { readonly news: News; readonly options: RenderOptions }[],
): Promise<(news: News, options: RenderOptions) => Frame | undefined> {
  const render = await renderNews(parts, all)
  const made = new Map<string, Frame | undefined>()
  return (news, options) => {
    const key = `${news.seq} ${news.kind} ${news.matches} ${options.renderKey}`
    if (made.has(key)) return made.get(key)
    const told = render(news, options)
    const text = told && frame(told.kind, told.data, printEventId(log, news.seq))
    const shared = told && text !== undefined ? { kind: told.kind, text } : undefined
    made.set(key, shared)
    return shared
  }
}
