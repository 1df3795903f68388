import type { CommandCall } from './command.ts'
import { shellWord } from './format.ts'

/** How the reader of a hint runs Telegrep: the package installs a command, a checkout has none. */
export const TELEGREP = import.meta.url.endsWith('.ts')
  ? 'npm run --silent telegrep --'
  : 'telegrep'

/** A command to run next on the data of this call: without the folder that was named it would find other data. */
export function nextCommand(
  { flags, config }: Pick<CommandCall, 'flags' | 'config'>,
  command: string,
): string {
  const data = flags['data'] === undefined ? '' : ` --data ${shellWord(config.dataFolder)}`
  return `${TELEGREP} ${command}${data}`
}
