import { resolve } from 'node:path'

/** Where a store is; plain data, so that it can be sent to a worker thread. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | {
      readonly kind: 'postgres'
      /** May hold a password. */
      readonly url: string
      readonly schema?: string
      readonly passwordFile?: string
      readonly caFile?: string
    }

/** Where the operator has configured the store to be. */
export interface StorePlace {
  /** The absolute folder of a store in files. */
  readonly folder: string
  /** The address of the database server, if there is one. */
  readonly url?: string | undefined
  readonly passwordFile?: string | null
  readonly caFile?: string | null
}

export function locateStore({ folder, url, passwordFile, caFile }: StorePlace): StoreLocation {
  if (url === undefined) return { kind: 'sqlite', folder }
  const schema = new URL(url).searchParams.get('schema')
  return {
    kind: 'postgres',
    url,
    ...(schema && { schema }),
    ...(passwordFile && { passwordFile }),
    ...(caFile && { caFile }),
  }
}

/** A store named on the command line: a folder, relative to `here`, or the address of a database. */
export function parseLocation(place: string, here: string): StoreLocation {
  const isFolder = !/^\w+:\/\//.test(place)
  return isFolder
    ? locateStore({ folder: resolve(here, place) })
    : locateStore({ folder: '', url: place })
}

/** Whether it is reached over a network, possibly by processes on several machines. */
export function isStoreRemote({ kind }: StoreLocation): boolean {
  return kind === 'postgres'
}
