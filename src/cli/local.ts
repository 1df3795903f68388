import type { Config } from '../config.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** The store of this machine's data folder, which running servers may have open as well. */
export function openLocalStore(config: Config): Promise<Store> {
  return openStore({ kind: 'sqlite', folder: config.dataFolder, retention: config.retention })
}
