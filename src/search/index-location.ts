import { join } from 'node:path'

/** Where an index is: plain data, so that it can be sent to a thread. */
export type IndexLocation =
  | {
      readonly kind: 'embedded'
      readonly folder: string
      /** Number of threads that search; `SEARCH_CORES` by default. */
      readonly workers?: number
    }
  | ClusterLocation

/** The address of a cluster, and the prefix of our indices in it. */
export interface ClusterLocation {
  readonly kind: 'opensearch'
  /** Origins such as `https://search-1:9200`. */
  readonly nodes: readonly string[]
  /** Prefix of the names of all our indices. */
  readonly prefix: string
  readonly auth?: { readonly user: string; readonly password: string }
  /** Certificate of the authority that signed the nodes' certificates, in PEM; by default those that the system trusts. */
  readonly ca?: string
  /** Deadline of a search; 4 s by default. */
  readonly deadlineMs?: number
  /** Settings for the index of each week. An existing index keeps those it was created with. */
  readonly layout?: {
    readonly shards?: number
    /** By default 1 if there is a second node, otherwise 0. */
    readonly replicas?: number
  }
}

/** The place that the operator configured. */
export interface IndexPlace {
  /** Absolute path; an index in files gets a folder of its own below it. */
  readonly folder: string
  /** The cluster to use instead of files. */
  readonly cluster?: Omit<ClusterLocation, 'kind'> | undefined
}

export function locateIndex({ folder, cluster }: IndexPlace): IndexLocation {
  if (cluster) return { kind: 'opensearch', ...cluster }
  return { kind: 'embedded', folder: join(folder, 'index') }
}

/** True for an index that is reached over a network; it may be unavailable while everything else works. */
export function isIndexRemote({ kind }: IndexLocation): boolean {
  return kind === 'opensearch'
}
