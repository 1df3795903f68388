import type { QueryNode, SearchFilters, SearchQuery } from '../../model/query.ts'
import { NO_FILTERS } from './sample.ts'

const DAY_MS = 24 * 3_600_000
const only = (filters: Partial<SearchFilters>) => ({ filters: { ...NO_FILTERS, ...filters } })
const any = <T>(...values: T[]) => ({ any: values, none: [] })
const none = <T>(...values: T[]) => ({ any: [], none: values })

/** Every parameter that narrows a search, alone: an engine that ignores one fails its case. Times are ages. */
export const FILTERED: Readonly<Record<string, Partial<SearchQuery>>> = {
  'any of two channels': only({ channel: any(1, 3) }),
  'not of a channel': only({ channel: none(2) }),
  'in any of two languages': only({ lang: any('en', 'ru') }),
  'not in a language': only({ lang: none('en') }),
  'with a hashtag': only({ hashtag: any('news') }),
  'without a hashtag': only({ hashtag: none('news', 'money') }),
  'that mention somebody': only({ mention: any('durov') }),
  'that do not mention somebody': only({ mention: none('telegram') }),
  'that link to a domain or one below it': only({ domain: any('example.com') }),
  'that do not link to a domain': only({ domain: none('example.com') }),
  'that link to an address': only({ url: any('https://example.com/a') }),
  'that do not link to an address': only({ url: none('https://other.org') }),
  'forwarded from a channel': only({ forwardedFrom: any('durov') }),
  'not forwarded from a channel': only({ forwardedFrom: none('durov') }),
  'with a photo': only({ has: ['photo'] }),
  'forwards only': only({ forwards: 'only' }),
  'no forwards': only({ forwards: 'exclude' }),
  'replies only': only({ replies: 'only' }),
  'no replies': only({ replies: 'exclude' }),
  'edited ones only': only({ edited: 'only' }),
  'no edited ones': only({ edited: 'exclude' }),
  'seen so often': only({ minViews: 400 }),
  'with so many reactions': only({ minReactions: 2 }),
  'of channels with so many subscribers': only({ minSubscribers: 3_000 }),
  'published since': { since: 9 * DAY_MS },
  'published until': { until: 9 * DAY_MS },
  'first captured since': { arrivedSince: 5 * DAY_MS },
  'with the word itself and not its stem': {
    root: { kind: 'word', text: 'run', start: 0, end: 3 },
  },
  'with the word in no other form': {
    match: 'exact',
    root: { kind: 'word', text: 'running', start: 0, end: 7 },
  },
}

const AT = { start: 0, end: 0 }
const word = (text: string): QueryNode => ({ kind: 'word', text, ...AT })

/** Every kind of node, alone. */
export const NODES: Readonly<Record<string, QueryNode>> = {
  'a word': word('flood'),
  'a compound in any form': word('Нью-Йорк'),
  'a compound as one word': word('cease-fire'),
  'two words as one': { kind: 'and', nodes: [word('cease'), word('fire')] },
  'two words as one, among alternatives': {
    kind: 'or',
    nodes: [{ kind: 'and', nodes: [word('F'), word('16')] }, word('votes')],
  },
  'two words with something between them': {
    kind: 'and',
    nodes: [word('cease'), { kind: 'not', node: word('flood') }, word('fire')],
  },
  'letters with digits': word('F16'),
  'a number with thousands': word('1299'),
  'a word in one form': { kind: 'exact', text: 'runs', ...AT },
  'a word that begins so': { kind: 'prefix', text: 'run', ...AT },
  'a compound that begins so': { kind: 'prefix', text: 'covid-1', ...AT },
  'words one after the other': { kind: 'phrase', text: 'нью йорка', ...AT },
  'a quote': { kind: 'quote', text: 'covid-19', ...AT },
  'a hashtag': { kind: 'hashtag', value: 'money', ...AT },
  'a mention': { kind: 'mention', value: 'telegram', ...AT },
  'a cashtag': { kind: 'cashtag', value: 'btc', ...AT },
  'a channel': { kind: 'channel', value: '3', ...AT },
  'a language': { kind: 'lang', value: 'fa', ...AT },
  'a domain': { kind: 'domain', value: 'news.example.com', ...AT },
  'an address': { kind: 'url', value: 'https://other.org', ...AT },
  'a video': { kind: 'has', value: 'video', ...AT },
  'a reply': { kind: 'is', value: 'reply', ...AT },
  'published after': { kind: 'after', at: 9 * DAY_MS, text: '', ...AT },
  'published before': { kind: 'before', at: 9 * DAY_MS, text: '', ...AT },
  'seen so often': { kind: 'min_views', value: 400, ...AT },
  'not seen so often': { kind: 'not', node: { kind: 'min_views', value: 400, ...AT } },
  'not a word': { kind: 'not', node: word('flood') },
  'either of two words': { kind: 'or', nodes: [word('flood'), word('地震')] },
  'both of two words': { kind: 'and', nodes: [word('метро'), { kind: 'not', node: word('вода') }] },
}
