import type { CommandCall } from './command.ts'
import { shellWord } from './format.ts'

/** How a reader of a hint runs Telegrep: the package installs a command, a checkout has none. */
export const TELEGREP = import.meta.url.endsWith('.ts')
  ? 'npm run --silent telegrep --'
  : 'telegrep'

/** The parts of a call that are known once its flags have been read. */
export type Named = Pick<CommandCall, 'flags' | 'config'> & Partial<Pick<CommandCall, 'url'>>

/** A command to run next on the same data: without the folder or server of this call it would use other data. */
export function nextCommand(call: Named | undefined, command: string): string {
  const { url, data } = call?.flags ?? {}
  if (typeof url === 'string') return `${TELEGREP} ${command} --url ${shellWord(url)}`
  const folder = data === undefined ? '' : ` --data ${shellWord(call!.config.dataFolder)}`
  return `${TELEGREP} ${command}${folder}`
}
