import type { ClusterLocation } from '../index-location.ts'
import { expectOk, openClient } from './client.ts'

/** What a cluster says about itself and our indices in it. */
interface ClusterHealth {
  readonly version: string
  readonly nodes: number
  /** `yellow` if copies of shards are missing, `red` if posts are. */
  readonly colour: 'green' | 'yellow' | 'red'
  /** What was set on our indices or the cluster that stops writing or reading, such as `index.blocks.read_only_allow_delete`. */
  readonly blocks: readonly string[]
  /** Our indices that were closed: these have no health, and no search is answered. */
  readonly closed: readonly string[]
}

/** Set by hand, or by OpenSearch while its disks are nearly full: then no new week can begin. */
const CLUSTER_BLOCKS = ['cluster.blocks.create_index', 'cluster.blocks.read_only']

/** Set by OpenSearch on an index that is closed, and removed when it is opened. */
const CLOSED = 'index.verified_before_close'

type Settings = Readonly<Record<string, string>>

export async function readHealth(location: ClusterLocation): Promise<ClusterHealth> {
  await using client = await openClient(location)
  const about = expectOk<{ version: { number: string } }>(
    await client.request({ method: 'GET', path: '/' }),
  )
  const path = `/_cluster/health/${location.prefix}-*`
  const health = expectOk<{ status: ClusterHealth['colour']; number_of_nodes: number }>(
    await client.request({ method: 'GET', path }),
  )
  const settings = expectOk<Record<string, { settings: Settings }>>(
    await client.request({
      method: 'GET',
      path: `/${location.prefix}-*/_settings/index.blocks.*,${CLOSED}?flat_settings=true&expand_wildcards=all`,
    }),
  )
  const set = Object.entries(settings).flatMap(([index, { settings: its }]) =>
    Object.entries(its).flatMap(([name, value]) => (value === 'true' ? [{ index, name }] : [])),
  )
  const cluster = await client.request({
    method: 'GET',
    path: '/_cluster/settings?flat_settings=true',
  })
  // A user who may only use our indices is not told.
  const kinds = cluster.status === 200 ? (cluster.body as Record<string, Settings>) : {}
  const blocks = [
    ...set.map(({ name }) => name).filter((name) => name !== CLOSED),
    ...CLUSTER_BLOCKS.filter((name) => Object.values(kinds).some((its) => its[name] === 'true')),
  ]
  return {
    version: about.version.number,
    nodes: health.number_of_nodes,
    colour: health.status,
    blocks: [...new Set(blocks)],
    closed: set.flatMap(({ index, name }) => (name === CLOSED ? [index] : [])),
  }
}
