import { resolve } from 'node:path'
import { isStoreRemote } from '../store/store-location.ts'
import { VARIABLES } from '../variables.ts'
import { nextCommand, type Named } from './invocation.ts'

/** Where to run it: the address of a database may hold a password, so no command names it. */
export function elsewhere({ config }: Named): string {
  return isStoreRemote(config.store)
    ? 'in another terminal with the same variables'
    : 'in another terminal'
}

/** A command to run next on the same data in another terminal, in which the variables of this one are not set. */
export function commandElsewhere(call: Named, command: string): string {
  const { dataFolder, store } = call.config
  if (isStoreRemote(store)) return nextCommand(call, command)
  const isDefault = dataFolder === resolve(VARIABLES.TELEGREP_DATA.default)
  const flags = isDefault ? call.flags : { ...call.flags, data: dataFolder }
  return nextCommand({ ...call, flags }, command)
}
