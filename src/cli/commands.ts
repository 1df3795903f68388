import type { Command } from './command.ts'
import {
  add,
  backfill,
  backup,
  exportPosts,
  importPosts,
  reindex,
  remove,
} from './table/archive.ts'
import { channel, channels, live, post, search } from './table/queries.ts'
import { crawl, demo, mcp, serve } from './table/services.ts'
import {
  completion,
  doctor,
  keysCreate,
  keysList,
  keysRevoke,
  keysRotate,
  status,
} from './table/upkeep.ts'

/** Every command, in the order of the help. What a command does is loaded when it runs. */
export const COMMANDS: readonly Command[] = [
  serve,
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
  importPosts,
  exportPosts,
  backup,
  reindex,
  keysCreate,
  keysList,
  keysRotate,
  keysRevoke,
  mcp,
  completion,
]
