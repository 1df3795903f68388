import type { Command, Flags } from '../command.ts'

/** Saved searches and whom to tell what they find. */

const SINKS: Flags = {
  webhook: { type: 'string', value: '<address>', meaning: 'post JSON there, signed' },
  body: {
    type: 'string',
    value: '<standard|text>',
    meaning: 'what a webhook gets: all of a post, or {"text"} as chats take it (standard)',
  },
  'allow-private': { type: 'boolean', meaning: 'the webhook may be on this host or network' },
  command: {
    type: 'string',
    value: '<program args>',
    meaning: 'run it without a shell, JSON on its input',
  },
  telegram: {
    type: 'string',
    value: '<chat>',
    meaning: 'write to this chat as your bot: TELEGREP_BOT_TOKEN_FILE',
  },
  email: { type: 'string', value: '<address>', meaning: 'send a mail: TELEGREP_SMTP_URL' },
  feed: { type: 'boolean', meaning: 'an RSS and JSON feed at an address nobody can guess' },
}

const OPTIONS: Flags = {
  name: { type: 'string', value: '<name>', meaning: 'what you call it' },
  everything: { type: 'boolean', meaning: 'every post that arrives, in place of a query' },
  'once-per-story': { type: 'boolean', meaning: 'of posts that say the same only the first' },
  edits: { type: 'boolean', meaning: 'tell when a post that was told is edited' },
  deletions: { type: 'boolean', meaning: 'tell when a post that was told is deleted' },
  digest: { type: 'string', value: '<30m>', meaning: 'tell all of so much time together' },
  quiet: {
    type: 'string',
    value: '<22:00-07:00>',
    meaning: 'tell what is found in these hours, by --tz, at their end',
  },
  replace: { type: 'boolean', meaning: 'change the watch of that name; its secret stays' },
}

const watchAdd: Command = {
  name: 'watch add',
  summary: 'save a search and be told what it finds from now on',
  operands: '<query…>',
  takes: [0, Infinity],
  data: 'needed',
  flags: async () => {
    const { watchFlags } = await import('../commands/watch-add.ts')
    return { ...OPTIONS, ...SINKS, ...watchFlags() }
  },
  examples: [
    {
      line: 'telegrep watch add \'"central bank"\' --name b --webhook https://example.com/b',
      does: 'signed as Standard Webhooks asks for; the secret is shown once',
    },
    {
      line: 'telegrep watch add election --name desk --feed --once-per-story',
      does: 'a feed for a reader; a story that many carry is in it once',
    },
    {
      line: 'telegrep watch add election --name night --command logger --quiet 22:00-07:00',
      does: 'runs a program for each post, and for all of the night together at seven',
    },
    {
      line: 'telegrep watch add election --name chat --telegram @mine --digest 30m --edits',
      does: 'your bot tells a chat every half hour, and what became of it later',
    },
    {
      line: 'telegrep watch add --name durov --channel durov --email me@example.com',
      does: 'every post of a channel by mail',
    },
  ],
  run: async (call) => (await import('../commands/watch-add.ts')).addWatch(call),
}

const watchLoad: Command = {
  name: 'watch load',
  summary: 'add or change the watches of a file',
  operands: '<file>',
  takes: [1, 1],
  data: 'needed',
  flags: {},
  examples: [
    {
      line: 'telegrep watch load watches.json',
      does: 'a list of {"name", "q", "webhook", …}, named as the flags of watch add; all or none',
    },
  ],
  run: async (call) => (await import('../commands/watch-add.ts')).loadWatches(call),
}

const watchList: Command = {
  name: 'watch list',
  summary: 'list the watches, without their secrets',
  operands: '',
  takes: [0, 0],
  data: 'needed',
  flags: {},
  examples: [{ line: 'telegrep watch list', does: 'what each looks for, and whom it tells' }],
  run: async (call) => (await import('../commands/watch.ts')).listWatches(call),
}

const watchTest: Command = {
  name: 'watch test',
  summary: 'send a test now and show the answers; what it would have found today',
  operands: '<name>',
  takes: [1, 1],
  data: 'needed',
  flags: {},
  examples: [{ line: 'telegrep watch test storms', does: 'exits with 1 when a receiver fails' }],
  run: async (call) => (await import('../commands/watch-test.ts')).testWatch(call),
}

const watchRemove: Command = {
  name: 'watch remove',
  summary: 'end a watch; what waits to be sent for it is dropped',
  operands: '<name>',
  takes: [1, 1],
  data: 'needed',
  flags: {},
  examples: [{ line: 'telegrep watch remove gales', does: 'nothing more is told' }],
  run: async (call) => (await import('../commands/watch.ts')).removeWatch(call),
}

const watchDead: Command = {
  name: 'watch dead',
  summary: 'list dead letters: what could not be sent for a day',
  operands: '',
  takes: [0, 0],
  data: 'needed',
  flags: {},
  examples: [{ line: 'telegrep watch dead', does: 'to whom, and why not' }],
  run: async (call) => (await import('../commands/watch.ts')).listDead(call),
}

const watchResend: Command = {
  name: 'watch resend',
  summary: 'send dead letters again',
  operands: '[name]',
  takes: [0, 1],
  data: 'needed',
  flags: {},
  examples: [
    { line: 'telegrep watch resend', does: 'all of them' },
    { line: 'telegrep watch resend storms', does: 'those of one watch' },
  ],
  run: async (call) => (await import('../commands/watch.ts')).resendDead(call),
}

export const WATCH_COMMANDS = [
  watchAdd,
  watchList,
  watchTest,
  watchRemove,
  watchDead,
  watchResend,
  watchLoad,
]
