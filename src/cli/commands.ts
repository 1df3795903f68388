import type { Command } from './command.ts'
import { add } from './commands/add.ts'
import { backfill } from './commands/backfill.ts'
import { backup } from './commands/backup.ts'
import { completionCommand } from './commands/completion.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { keysCreate, keysList, keysRevoke } from './commands/keys.ts'
import { mcp } from './commands/mcp.ts'
import { channel, channels, live, post, search } from './commands/query.ts'
import { reindex } from './commands/reindex.ts'
import { remove } from './commands/remove.ts'
import { crawl, serveCommand } from './commands/serve.ts'
import { status } from './commands/status.ts'

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  demo,
  add,
  search,
  live,
  channel,
  post,
  channels,
  status,
  doctor,
  crawl,
  backfill,
  remove,
  importCommand,
  exportCommand,
  backup,
  reindex,
  keysCreate,
  keysList,
  keysRevoke,
  mcp,
  completionCommand(() => COMMANDS),
]
