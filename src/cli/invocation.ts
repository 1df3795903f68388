import type { CommandCall } from './command.ts'
import { shellWord } from './format.ts'

/** How the reader of a hint runs Telegrep: the package installs a command, a checkout has none. */
export const TELEGREP = import.meta.url.endsWith('.ts')
  ? 'npm run --silent telegrep --'
  : 'telegrep'

/** Of a command line that was read as far as its flags. */
export type Named = Pick<CommandCall, 'flags' | 'config'> & Partial<Pick<CommandCall, 'url'>>

/** A command to run next on the data of this call: without the folder or server that was named it would find other data. */
export function nextCommand(call: Named | undefined, command: string): string {
  const { url, data } = call?.flags ?? {}
  if (typeof url === 'string') return `${TELEGREP} ${command} --url ${shellWord(url)}`
  const folder = data === undefined ? '' : ` --data ${shellWord(call!.config.dataFolder)}`
  return `${TELEGREP} ${command}${folder}`
}
