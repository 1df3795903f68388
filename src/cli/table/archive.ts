import type { Command } from '../command.ts'

/** Commands that change or copy what is archived. */

export const add: Command = {
  name: 'add',
  summary: 'index channels; says for each what it became',
  operands: '<channel…|file|->',
  takes: [1, Infinity],
  data: 'made',
  flags: {
    watch: { type: 'boolean', meaning: 'stay and show how far the crawler has come' },
  },
  variables: ['crawl-rate'],
  examples: [
    {
      line: 'telegrep add durov https://t.me/s/telegram @toncoin',
      does: 'names and links in any form',
    },
    { line: 'telegrep add channels/start.txt', does: 'a file, one a line; # starts a comment' },
    { line: 'telegrep add list.csv --watch', does: 'a table; stays until all have been read' },
    { line: 'cut -f1 list.tsv | telegrep add -', does: 'from a pipe' },
  ],
  run: async (call) => (await import('../commands/add.ts')).add(call),
}

export const backfill: Command = {
  name: 'backfill',
  summary: 'read a channel’s history, to a date or to its first post',
  operands: '<channel>',
  takes: [1, 1],
  data: 'needed',
  flags: {
    until: {
      type: 'string',
      value: '<time>',
      meaning: 'stop at posts older than this: 2026-01-01, 90d',
    },
    watch: { type: 'boolean', meaning: 'stay and show how far the crawler has come' },
  },
  examples: [
    {
      line: 'telegrep backfill durov',
      does: 'down to the first post; a running crawler does it, and goes on after a restart',
    },
    {
      line: 'telegrep backfill durov --until 2026-01-01 --watch',
      does: 'this year, with progress',
    },
  ],
  run: async (call) => (await import('../commands/backfill.ts')).backfill(call),
}

export const remove: Command = {
  name: 'remove',
  summary: 'erase a channel or a post everywhere and register the opt-out',
  operands: '<channel>[/<post>]',
  takes: [0, 1],
  data: 'needed',
  flags: {
    reason: { type: 'string', value: '<text>', meaning: 'why; kept in the register' },
    undo: { type: 'boolean', meaning: 'lift the opt-out; what was erased stays erased' },
    list: { type: 'boolean', meaning: 'show the register' },
  },
  examples: [
    {
      line: 'telegrep remove somechannel --reason "asked by its owner"',
      does: 'gone from every server within 60 s, never read again',
    },
    { line: 'telegrep remove somechannel/123 --reason "personal data"', does: 'one post' },
    {
      line: 'telegrep remove somechannel --undo',
      does: 'may be indexed again: telegrep add somechannel',
    },
    { line: 'telegrep remove --list', does: 'what is in the register' },
  ],
  run: async (call) => (await import('../commands/remove.ts')).remove(call),
}

export const importPosts: Command = {
  name: 'import',
  summary: 'take posts from NDJSON or from a Telegram Desktop export',
  operands: '<file…|->',
  takes: [1, Infinity],
  data: 'made',
  flags: {
    channel: {
      type: 'string',
      value: '<username>',
      meaning: 'the file is a Telegram Desktop result.json of this channel',
    },
    own: {
      type: 'boolean',
      meaning: 'an export of your own archive: keep how each post was captured, too',
    },
    pictures: {
      type: 'string',
      value: '<folder>',
      meaning: 'keep the pictures that the export put there (needs TELEGREP_MEDIA=keep)',
    },
  },
  examples: [
    {
      line: 'telegrep import posts.ndjson',
      does: 'lines as `telegrep export` writes them, or {"channel","id","date","text"}',
    },
    {
      line: 'telegrep import result.json --channel durov',
      does: 'a Telegram Desktop export; without --channel where the channel was read here before',
    },
    { line: 'zcat posts.ndjson.gz | telegrep import -', does: 'from a pipe' },
  ],
  run: async (call) => (await import('../commands/import.ts')).importCommand(call),
}

export const exportPosts: Command = {
  name: 'export',
  summary: 'write posts as NDJSON, CSV or Parquet, with a manifest',
  operands: '[channel…]',
  takes: [0, Infinity],
  data: 'needed',
  flags: {
    format: {
      type: 'string',
      value: '<ndjson|csv|parquet>',
      meaning: 'how (as the name of --output ends, or ndjson)',
    },
    query: {
      type: 'string',
      value: '<query>',
      meaning: 'only posts that match, of any age; words and operators as in search',
    },
    since: { type: 'string', value: '<time>', meaning: 'published at or after: 2026-05-31, 7d' },
    until: { type: 'string', value: '<time>', meaning: 'published before' },
    versions: { type: 'boolean', meaning: 'with their earlier versions' },
    deleted: { type: 'boolean', meaning: 'also deleted ones, with what is kept of them' },
    pictures: {
      type: 'string',
      value: '<folder>',
      meaning: 'copy their kept pictures there, and tell which post has which',
    },
    output: { type: 'string', value: '<file>', meaning: 'a file, in place of standard output' },
    manifest: {
      type: 'string',
      value: '<file>',
      meaning: 'query, coverage, gaps and hash as JSON (<output>.manifest.json)',
    },
  },
  examples: [
    {
      line: 'telegrep export --versions > posts.ndjson',
      does: 'everything; `telegrep import` reads it back, and nothing is lost',
    },
    {
      line: 'telegrep export --query "flood OR storm" --since 90d --output storm.parquet',
      does: 'for DuckDB or pandas, with a manifest beside it',
    },
    {
      line: 'telegrep export durov --since 7d | gzip > week.ndjson.gz',
      does: 'a week of one channel',
    },
    {
      line: 'telegrep export --versions --pictures pictures --output all.ndjson',
      does: 'with the pictures that are kept; `import all.ndjson --pictures pictures` is the way back',
    },
  ],
  run: async (call) => (await import('../commands/export.ts')).exportCommand(call),
}

export const backup: Command = {
  name: 'backup',
  summary: 'copy the store into an empty folder, while servers go on',
  operands: '<folder>',
  takes: [1, 1],
  data: 'needed',
  flags: {},
  examples: [
    { line: 'telegrep backup backups/monday', does: 'consistent, verified by opening it' },
    {
      line: 'telegrep serve --data backups/monday',
      does: 'a backup is a data folder; the index comes back by itself',
    },
  ],
  run: async (call) => (await import('../commands/backup.ts')).backup(call),
}

export const restore: Command = {
  name: 'restore',
  summary: 'put a backup in the store’s place; no process may be running',
  operands: '<folder>',
  takes: [1, 1],
  // What it needs is the ledger: the store may be what was lost.
  data: 'made',
  flags: {},
  examples: [
    {
      line: 'telegrep restore backups/monday',
      does: 'verified first; keys and opt-outs stay, and the index comes back by itself',
    },
  ],
  run: async (call) => (await import('../commands/restore.ts')).restore(call),
}

export const reindex: Command = {
  name: 'reindex',
  summary: 'build the index anew from the archive',
  operands: '',
  takes: [0, 0],
  data: 'needed',
  flags: {},
  examples: [
    {
      line: 'telegrep reindex',
      does: 'a new generation, then a swap; where a server runs, it is told to put every post in anew, and status counts those that wait',
    },
  ],
  run: async (call) => (await import('../commands/reindex.ts')).reindex(call),
}
