import type { Command } from './command.ts'
import * as archive from './definitions/archive.ts'
import * as proof from './definitions/evidence.ts'
import * as queries from './definitions/queries.ts'
import * as services from './definitions/services.ts'
import * as upkeep from './definitions/upkeep.ts'
import { WATCH_COMMANDS } from './definitions/watches.ts'

/** Defined here because it refers to all the others. */
const completion: Command = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  operands: '<bash|zsh|fish>',
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
  services.serve,
  services.demo,
  archive.add,
  queries.search,
  queries.follow,
  queries.live,
  queries.channel,
  queries.post,
  queries.changes,
  queries.channels,
  proof.evidence,
  proof.verify,
  upkeep.stats,
  upkeep.status,
  upkeep.doctor,
  services.crawl,
  services.index,
  archive.backfill,
  archive.remove,
  archive.importPosts,
  archive.exportPosts,
  archive.backup,
  archive.restore,
  archive.reindex,
  upkeep.migrateStore,
  upkeep.keysCreate,
  upkeep.keysList,
  upkeep.keysRotate,
  upkeep.keysRevoke,
  ...WATCH_COMMANDS,
  services.mcp,
  completion,
]
