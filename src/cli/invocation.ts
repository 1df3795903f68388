import type { CommandCall } from './command.ts'
import { shellWord } from './format.ts'

/** How the reader of a hint runs Telegrep: the package installs a command, a checkout has none. */
export const TELEGREP = import.meta.url.endsWith('.ts')
  ? 'npm run --silent telegrep --'
  : 'telegrep'

/** Of a command line that was read as far as its flags. */
export type Named = Pick<CommandCall, 'flags' | 'config'>

/** A command to run next on the data of this call: without the folder that was named it would find other data. */
export function nextCommand(call: Named | undefined, command: string): string {
  const data =
    call?.flags['data'] === undefined ? '' : ` --data ${shellWord(call.config.dataFolder)}`
  return `${TELEGREP} ${command}${data}`
}
