import type { OperationName } from '../../operations/catalogue.ts'
import type { Command, Flags } from '../command.ts'

/** Commands drawn from operations: they work on the local data or, with --url, on a server. */

/** Loaded on demand: the catalogue takes longer to load than most commands take to run. */
function flagsFor(operation: OperationName): () => Promise<Flags> {
  return async () => (await import('../operation-flags.ts')).queryFlags(operation)
}

export const search: Command = {
  name: 'search',
  summary: 'search the posts of the last 30 days',
  operands: '<query…>',
  needsNone: true,
  data: 'needed',
  flags: flagsFor('search_posts'),
  examples: {
    'telegrep search climate change': 'words in any form, best first',
    'telegrep search \'"central bank" -crypto lang:en\' --sort newest':
      'phrases, exclusions, filters',
    'telegrep search election --facets day,channel --limit 5': 'with counts',
    'telegrep search election --format csv': 'a table; --format excel is one for Excel',
  },
  check: async (call) => (await import('../commands/search.ts')).checkSearch(call),
  run: async (call) => (await import('../commands/search.ts')).search(call),
}

export const follow: Command = {
  name: 'follow',
  summary: 'show posts as they become searchable',
  operands: '[query…]',
  data: 'needed',
  flags: async () => {
    const [{ streamFlags }, { streamPosts }] = await Promise.all([
      import('../operation-flags.ts'),
      import('../../operations/stream-posts.ts'),
    ])
    return streamFlags(streamPosts)
  },
  examples: {
    'telegrep follow flood --lang en': 'until Ctrl-C',
    'telegrep follow flood --collapse duplicates --json':
      'for a pipe: one object a line, each story once',
    'telegrep follow flood --url http://127.0.0.1:8080':
      'from a server, with a new connection after every break',
  },
  run: async (call) => (await import('../commands/follow.ts')).follow(call),
}

export const live: Command = {
  name: 'live',
  summary: 'read a channel from the platform now',
  operands: '<channel>',
  // Live requests are counted in the data folder, so that all processes together stay within the rate.
  data: 'made',
  flags: flagsFor('get_live_channel'),
  examples: {
    'telegrep live durov --limit 3': 'the newest posts, also when the channel is not indexed',
    'telegrep live durov --max-age 0 --json': 'force a fetch',
  },
  run: async (call) => (await import('../commands/queries.ts')).live(call),
}

export const channel: Command = {
  name: 'channel',
  summary: 'one channel: profile, activity, how complete its archive is',
  operands: '<channel>',
  data: 'needed',
  flags: flagsFor('get_channel'),
  examples: { 'telegrep channel durov': 'who it is and how much it posts' },
  run: async (call) => (await import('../commands/queries.ts')).channel(call),
}

export const post: Command = {
  name: 'post',
  summary: 'one post in full, with versions and evidence',
  operands: '<channel>/<post>',
  data: 'needed',
  flags: flagsFor('get_post'),
  examples: {
    'telegrep post durov/342': 'text, counters, earlier versions, hash',
    'telegrep post https://t.me/durov/342 --format md': 'a link works too',
  },
  run: async (call) => (await import('../commands/queries.ts')).post(call),
}

export const changes: Command = {
  name: 'changes',
  summary: 'list edits and deletions, by what they touched',
  operands: '[words…]',
  data: 'needed',
  flags: flagsFor('list_changes'),
  examples: {
    'telegrep changes --kind number,negation --since 7d': 'what was corrected',
    'telegrep changes --kind deleted --sort views': 'what was deleted and seen most',
  },
  run: async (call) => (await import('../commands/queries.ts')).changes(call),
}

export const channels: Command = {
  name: 'channels',
  summary: 'list the indexed channels',
  operands: '[words…]',
  data: 'needed',
  flags: flagsFor('list_channels'),
  examples: {
    'telegrep channels': 'largest first',
    'telegrep channels news --lang en --sort newest_post': 'found by words and filters',
    'telegrep channels --status unavailable': 'which cannot be read, and why',
  },
  run: async (call) => (await import('../commands/queries.ts')).channels(call),
}
