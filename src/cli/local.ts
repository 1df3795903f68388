import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { prepareDataFolder } from '../operator-files.ts'
import { hasLostStore, holdsStore, mayRead, openStore } from '../store/open-store.ts'
import { isStoreRemote, type StoreLocation } from '../store/store-location.ts'
import type { Store } from '../store/store.ts'
import { NotFoundError, type CommandCall } from './command.ts'
import { TELEGREP } from './invocation.ts'

/** A mistyped folder must not look like an empty archive. */
export function expectData({ store, dataFolder }: Config, canAskServer: boolean): void {
  if (holdsStore(store) || hasLostStore(store)) return
  const server = canAskServer ? ', a running server with --url' : ''
  throw new NotFoundError(
    `there is no data in ${dataFolder}; name another folder with --data${server}, or begin:\n  ${TELEGREP} add durov telegram`,
  )
}

/** For a folder that is named beside the data folder, and that another user may have made. */
export function expectReadable(location: StoreLocation, folder: string): void {
  if (!mayRead(location))
    throw new OperatorError(`${folder}: this user may not read the store there`)
}

/** The store of the local data folder; running servers may have it open as well. */
export async function openLocalStore({
  config,
  signal,
}: Pick<CommandCall, 'config' | 'signal'>): Promise<Store> {
  await prepareDataFolder(config)
  return openStore({ ...config.store, retention: config.retention, signal })
}

/** A database has better tools of its own: they copy while everything runs, and back to any moment. */
export function expectFiles({ store }: Config): void {
  if (isStoreRemote(store))
    throw new OperatorError(
      'the store is in PostgreSQL: back it up and restore it with its own tools, pg_dump or pg_basebackup, as docs/cluster.md says; `telegrep migrate-store` copies it into a data folder, once every process is stopped',
    )
}
