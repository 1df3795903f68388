import type { Command } from '../command.ts'

/** Commands that change or copy what is archived. */

export const add: Command = {
  name: 'add',
  summary: 'index channels; says for each what it became',
  operands: '<channel…|file|->',
  data: 'made',
  flags: { watch: { meaning: 'stay and show how far the crawler has come' } },
  variables: ['crawl-rate'],
  examples: {
    'telegrep add durov https://t.me/s/telegram @toncoin': 'names and links in any form',
    'telegrep add channels/start.txt': 'a file, one a line; # starts a comment',
    'telegrep add list.csv --watch': 'a table; stays until all have been read',
    'cut -f1 list.tsv | telegrep add -': 'from a pipe',
  },
  run: async (call) => (await import('../commands/add.ts')).add(call),
}

export const backfill: Command = {
  name: 'backfill',
  summary: 'read a channel’s history, to a date or to its first post',
  operands: '<channel>',
  data: 'needed',
  flags: {
    until: { value: '<time>', meaning: 'stop at posts older than this: 2026-01-01, 90d' },
    watch: { meaning: 'stay and show how far the crawler has come' },
  },
  examples: {
    'telegrep backfill durov':
      'down to the first post; a running crawler does it, and goes on after a restart',
    'telegrep backfill durov --until 2026-01-01 --watch': 'this year, with progress',
  },
  run: async (call) => (await import('../commands/backfill.ts')).backfill(call),
}

export const remove: Command = {
  name: 'remove',
  summary: 'erase a channel or a post everywhere and register the opt-out',
  operands: '<channel>[/<post>]',
  needsNone: true,
  data: 'needed',
  flags: {
    reason: { value: '<text>', meaning: 'why; kept in the register' },
    undo: { meaning: 'lift the opt-out; what was erased stays erased' },
    list: { meaning: 'show the register' },
  },
  examples: {
    'telegrep remove somechannel --reason "asked by its owner"':
      'gone from every server within 60 s, never read again',
    'telegrep remove somechannel/123 --reason "personal data"': 'one post',
    'telegrep remove somechannel --undo': 'may be indexed again: telegrep add somechannel',
    'telegrep remove --list': 'what is in the register',
  },
  run: async (call) => (await import('../commands/remove.ts')).remove(call),
}

export const importPosts: Command = {
  name: 'import',
  summary: 'take posts from NDJSON or from a Telegram Desktop export',
  operands: '<file…|->',
  data: 'made',
  flags: {
    channel: {
      value: '<username>',
      meaning: 'the file is a Telegram Desktop result.json of this channel',
    },
    own: {
      meaning: 'an export of your own archive: keep how each post was captured, too',
    },
    pictures: {
      value: '<folder>',
      meaning: 'keep the pictures that the export put there (needs TELEGREP_MEDIA=keep)',
    },
  },
  examples: {
    'telegrep import posts.ndjson':
      'lines as `telegrep export` writes them, or {"channel","id","date","text"}',
    'telegrep import result.json --channel durov':
      'a Telegram Desktop export; without --channel where the channel was read here before',
    'zcat posts.ndjson.gz | telegrep import -': 'from a pipe',
  },
  run: async (call) => (await import('../commands/import.ts')).importCommand(call),
}

export const exportPosts: Command = {
  name: 'export',
  summary: 'write posts as NDJSON, CSV or Parquet, with a manifest',
  operands: '[channel…]',
  data: 'needed',
  flags: {
    format: {
      value: '<ndjson|csv|excel|parquet>',
      meaning: 'how (as the name of --output ends, or ndjson)',
    },
    query: {
      value: '<query>',
      meaning: 'only posts that match, of any age; words and operators as in search',
    },
    since: { value: '<time>', meaning: 'published at or after: 2026-05-31, 7d' },
    until: { value: '<time>', meaning: 'published before' },
    versions: { meaning: 'with their earlier versions' },
    deleted: { meaning: 'also deleted ones, with what is kept of them' },
    pictures: {
      value: '<folder>',
      meaning: 'copy their kept pictures there, and tell which post has which',
    },
    output: { value: '<file>', meaning: 'a file, in place of standard output' },
    manifest: {
      value: '<file>',
      meaning: 'query, coverage, gaps and hash as JSON (<output>.manifest.json)',
    },
  },
  examples: {
    'telegrep export --versions > posts.ndjson':
      'everything; `telegrep import` reads it back, and nothing is lost',
    'telegrep export --query "flood OR storm" --since 90d --output storm.parquet':
      'for DuckDB or pandas, with a manifest beside it',
    'telegrep export durov --since 7d | gzip > week.ndjson.gz': 'a week of one channel',
    'telegrep export --versions --pictures pictures --output all.ndjson':
      'with the pictures that are kept; `import all.ndjson --pictures pictures` is the way back',
  },
  run: async (call) => (await import('../commands/export.ts')).exportCommand(call),
}

export const backup: Command = {
  name: 'backup',
  summary: 'copy a store in files into an empty folder, while servers go on',
  operands: '<folder>',
  data: 'needed',
  examples: {
    'telegrep backup backups/monday': 'consistent, verified by opening it',
    'telegrep serve --data backups/monday':
      'a backup is a data folder; the index comes back by itself',
  },
  run: async (call) => (await import('../commands/backup.ts')).backup(call),
}

export const restore: Command = {
  name: 'restore',
  summary: 'put a backup in the place of a store in files; no process may be running',
  operands: '<folder>',
  // Only the ledger has to be there: the store may be what was lost.
  data: 'made',
  examples: {
    'telegrep restore backups/monday':
      'verified first; keys and opt-outs stay, and the index comes back by itself',
  },
  run: async (call) => (await import('../commands/restore.ts')).restore(call),
}

export const reindex: Command = {
  name: 'reindex',
  summary: 'build the index anew from the archive',
  data: 'needed',
  examples: {
    'telegrep reindex':
      'a new generation, then a swap; a server that runs does it within a minute. Also to be run once a store was put back by other means than restore',
  },
  run: async (call) => (await import('../commands/reindex.ts')).reindex(call),
}
