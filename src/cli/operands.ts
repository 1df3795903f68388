import { parsePostRef } from '../model/post-ref.ts'
import { UsageError, type CommandCall } from './command.ts'

/** The operands of a command, as operations take them. */

export function wordsOf({ operands }: Pick<CommandCall, 'operands'>): { readonly q?: string } {
  return operands.length === 0 ? {} : { q: operands.join(' ') }
}

export function postOf(operand: string): { readonly username: string; readonly slug: string } {
  const ref = parsePostRef(operand)
  if (ref) return { username: ref.username, slug: String(ref.number) }
  throw new UsageError(`expected a post such as durov/342; found ${JSON.stringify(operand)}`)
}
