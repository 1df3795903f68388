import type { Command } from './command.ts'
import {
  add,
  backfill,
  backup,
  exportPosts,
  importPosts,
  reindex,
  remove,
  restore,
} from './table/archive.ts'
import { evidence, verify } from './table/evidence.ts'
import { changes, channel, channels, follow, live, post, search } from './table/queries.ts'
import { crawl, demo, index, mcp, serve } from './table/services.ts'
import {
  doctor,
  keysCreate,
  keysList,
  keysRevoke,
  keysRotate,
  migrateStore,
  stats,
  status,
} from './table/upkeep.ts'
import { WATCH_COMMANDS } from './table/watches.ts'

/** Defined here because it refers to all the others. */
const completion: Command = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  operands: '<bash|zsh|fish>',
  takes: [1, 1],
  data: 'untouched',
  examples: {
    'telegrep completion bash > ~/.local/share/bash-completion/completions/telegrep': 'for bash',
    'telegrep completion zsh > ~/.zfunc/_telegrep':
      'for zsh, with fpath=(~/.zfunc $fpath) before compinit in ~/.zshrc',
    'telegrep completion fish > ~/.config/fish/completions/telegrep.fish': 'for fish',
  },
  run: async (call) => (await import('./commands/completion.ts')).completion(call, COMMANDS),
}

/** Every command, in the order of the help. A command's code is loaded when it runs. */
export const COMMANDS: readonly Command[] = [
  serve,
  demo,
  add,
  search,
  follow,
  live,
  channel,
  post,
  changes,
  channels,
  evidence,
  verify,
  stats,
  status,
  doctor,
  crawl,
  index,
  backfill,
  remove,
  importPosts,
  exportPosts,
  backup,
  restore,
  reindex,
  migrateStore,
  keysCreate,
  keysList,
  keysRotate,
  keysRevoke,
  ...WATCH_COMMANDS,
  mcp,
  completion,
]
