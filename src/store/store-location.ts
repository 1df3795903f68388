import { resolve } from 'node:path'

/** Where a store is: plain data, so that a thread can be told. */
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

/** What the operator says of it. */
export interface StorePlace {
  /** Absolute; of a store in files. */
  readonly folder: string
  /** Of a database server, if there is one. */
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

/** A store as one who stands in `here` names it on a command line: a folder, or the address of a database. */
export function parseLocation(place: string, here: string): StoreLocation {
  const isFolder = !/^\w+:\/\//.test(place)
  return isFolder
    ? locateStore({ folder: resolve(here, place) })
    : locateStore({ folder: '', url: place })
}

/** Reached over a network, by processes of any machine. */
export function isStoreRemote({ kind }: StoreLocation): boolean {
  return kind === 'postgres'
}
