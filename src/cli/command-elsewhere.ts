import { resolve } from 'node:path'
import { VARIABLES } from '../variables.ts'
import { nextCommand, type Named } from './invocation.ts'

/** A command to run next on the same data in another terminal, in which the variables of this one are not set. */
export function commandElsewhere(call: Named, command: string): string {
  const { dataFolder } = call.config
  const isDefault = dataFolder === resolve(VARIABLES.TELEGREP_DATA.default)
  const flags = isDefault ? call.flags : { ...call.flags, data: dataFolder }
  return nextCommand({ ...call, flags }, command)
}
