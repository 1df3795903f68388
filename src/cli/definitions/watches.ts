import type { Command, Flags } from '../command.ts'

/** Saved searches, and where to send what they find. */

const SINKS: Flags = {
  webhook: { value: '<address>', meaning: 'post JSON there, signed' },
  body: {
    value: '<standard|text>',
    meaning:
      'what a webhook gets: the whole post, or {"text"} as chat services expect it (standard)',
  },
  'allow-private': { meaning: 'allow a webhook on this host or network' },
  command: {
    value: '<program args>',
    meaning: 'run this program, without a shell, with JSON on its input',
  },
  telegram: {
    value: '<chat>',
    meaning: 'write to this chat as your bot; needs TELEGREP_BOT_TOKEN_FILE',
  },
  email: { value: '<address>', meaning: 'send a mail; needs TELEGREP_SMTP_URL' },
  feed: { meaning: 'an RSS and JSON feed at an address nobody can guess' },
}

const OPTIONS: Flags = {
  name: { value: '<name>', meaning: 'what you call it' },
  everything: { meaning: 'every new post, instead of a query' },
  'once-per-story': { meaning: 'of posts that say the same, only the first' },
  edits: { meaning: 'also report edits of posts that were sent' },
  deletions: { meaning: 'also report deletions of posts that were sent' },
  digest: { value: '<30m>', meaning: 'collect posts for this long and send them together' },
  quiet: {
    value: '<22:00-07:00>',
    meaning: 'hold posts found in these hours (of --tz) until they end',
  },
  replace: { meaning: 'change the watch of that name; its secret stays' },
}

const watchAdd: Command = {
  name: 'watch add',
  summary: 'save a search and be notified of what it finds from now on',
  operands: '[query…]',
  data: 'needed',
  flags: async () => {
    const { watchFlags } = await import('../commands/watch-add.ts')
    return { ...OPTIONS, ...SINKS, ...watchFlags() }
  },
  examples: {
    'telegrep watch add \'"central bank"\' --name b --webhook https://example.com/b':
      'signed by the Standard Webhooks scheme; the secret is shown once',
    'telegrep watch add election --name desk --feed --once-per-story':
      'a feed for a reader; a story that many channels carry is in it once',
    'telegrep watch add election --name night --command logger --quiet 22:00-07:00':
      'runs a program for each post; those of the night come together at seven',
    'telegrep watch add election --name chat --telegram @mine --digest 30m --edits':
      'your bot writes to a chat every half hour, and reports later edits',
    'telegrep watch add --name durov --channel durov --email me@example.com':
      'every post of a channel by mail',
  },
  run: async (call) => (await import('../commands/watch-add.ts')).addWatch(call),
}

const watchLoad: Command = {
  name: 'watch load',
  summary: 'add or change the watches of a file',
  operands: '<file>',
  data: 'needed',
  examples: {
    'telegrep watch load watches.json':
      'a list of {"name", "q", "webhook", …}, named as the flags of watch add; all or none',
  },
  run: async (call) => (await import('../commands/watch-add.ts')).loadWatches(call),
}

const watchList: Command = {
  name: 'watch list',
  summary: 'list the watches, without their secrets',
  data: 'needed',
  examples: { 'telegrep watch list': 'what each looks for and where it sends it' },
  run: async (call) => (await import('../commands/watch.ts')).listWatches(call),
}

const watchTest: Command = {
  name: 'watch test',
  summary: 'send a test now and show the answers; what it would have found today',
  operands: '<name>',
  data: 'needed',
  examples: { 'telegrep watch test storms': 'exits with 1 when a receiver fails' },
  run: async (call) => (await import('../commands/watch-test.ts')).testWatch(call),
}

const watchRemove: Command = {
  name: 'watch remove',
  summary: 'end a watch; messages that wait to be sent are dropped',
  operands: '<name>',
  data: 'needed',
  examples: { 'telegrep watch remove gales': 'nothing more is told' },
  run: async (call) => (await import('../commands/watch.ts')).removeWatch(call),
}

const watchDead: Command = {
  name: 'watch dead',
  summary: 'list dead letters: what could not be sent for a day',
  data: 'needed',
  examples: { 'telegrep watch dead': 'to whom, and why not' },
  run: async (call) => (await import('../commands/watch.ts')).listDead(call),
}

const watchResend: Command = {
  name: 'watch resend',
  summary: 'send dead letters again, also to receivers that were stopped',
  operands: '[name]',
  data: 'needed',
  flags: { all: { meaning: 'those of every watch' } },
  examples: {
    'telegrep watch resend storms': 'those of one watch; a stopped receiver is told again',
    'telegrep watch resend --all': 'all of them',
  },
  check: async (call) => (await import('../commands/watch.ts')).checkResend(call),
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
