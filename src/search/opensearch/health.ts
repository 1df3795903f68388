import type { ClusterLocation } from '../index-location.ts'
import { expectOk, openClient } from './client.ts'

/** What a cluster says of itself and of our indices in it. Rejects with one sentence where it does not answer. */
interface ClusterHealth {
  readonly version: string
  readonly nodes: number
  /** `yellow`: copies of shards are missing; `red`: posts are. */
  readonly colour: 'green' | 'yellow' | 'red'
}

export async function readHealth(location: ClusterLocation): Promise<ClusterHealth> {
  await using client = await openClient(location)
  const about = expectOk<{ version: { number: string } }>(
    await client.request({ method: 'GET', path: '/' }),
  )
  const path = `/_cluster/health/${location.prefix}-*`
  const health = expectOk<{ status: ClusterHealth['colour']; number_of_nodes: number }>(
    await client.request({ method: 'GET', path }),
  )
  return {
    version: about.version.number,
    nodes: health.number_of_nodes,
    colour: health.status,
  }
}
