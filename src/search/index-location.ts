import { join } from 'node:path'

/** Where an index is: plain data, so that a thread can be told. */
export type IndexLocation =
  | {
      readonly kind: 'embedded'
      readonly folder: string
      /** Threads that search; by default `SEARCH_CORES`. */
      readonly workers?: number
    }
  | ClusterLocation

/** Where a cluster is, and what our indices in it are called. */
export interface ClusterLocation {
  readonly kind: 'opensearch'
  /** Origins such as `https://search-1:9200`. */
  readonly nodes: readonly string[]
  /** What the names of all our indices begin with. */
  readonly prefix: string
  readonly auth?: { readonly user: string; readonly password: string }
  /** The certificate of whoever signed theirs, in PEM; by default those the system trusts. */
  readonly ca?: string
  /** Within how long a search must be answered; 2 s unless told. */
  readonly deadlineMs?: number
  /** How the index of a week is laid out; one that is there keeps what it was made with. */
  readonly layout?: {
    readonly shards?: number
    /** By default one where there is a second node. */
    readonly replicas?: number
  }
}

/** What the operator says of it. */
export interface IndexPlace {
  /** Absolute; an index in files is in a folder of its own below. */
  readonly folder: string
  /** Servers to keep it on instead. */
  readonly cluster?: Omit<ClusterLocation, 'kind'> | undefined
}

export function locateIndex({ folder, cluster }: IndexPlace): IndexLocation {
  if (cluster) return { kind: 'opensearch', ...cluster }
  return { kind: 'embedded', folder: join(folder, 'index') }
}

/** Reached over a network, by processes of any machine; it may be away while everything else goes on. */
export function isIndexRemote({ kind }: IndexLocation): boolean {
  return kind === 'opensearch'
}
