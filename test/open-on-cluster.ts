import { randomBytes } from 'node:crypto'
import { engines } from './engines.ts'
import type { ClusterLocation } from '../src/search/index-location.ts'
import {
  deleteClusterIndex,
  openClusterIndex,
  openClusterWriter,
} from '../src/search/opensearch/open.ts'
import type { SearchLimits } from '../src/search/limits.ts'
import type { Open } from '../src/search/contract/stage.ts'

/** A test's own names in the cluster; everything made under them is deleted at the end. */
export function ownLocation(shards = 1): ClusterLocation & AsyncDisposable {
  const nodes = engines().searchUrl.split(',')
  const prefix = `test-${randomBytes(6).toString('hex')}`
  // The machine may be busy with other suites; these tests check what a search finds, not how soon.
  const deadlineMs = 60_000
  const location: ClusterLocation = {
    kind: 'opensearch',
    nodes,
    prefix,
    deadlineMs,
    layout: { shards },
  }
  return { ...location, [Symbol.asyncDispose]: () => deleteClusterIndex(location) }
}

/** New indices, opened as in production. */
export function openOnCluster(shards = 1): Open {
  return async (clock) => {
    await using opening = new AsyncDisposableStack()
    const location = opening.use(ownLocation(shards))
    const writer = opening.use(await openClusterWriter(location, clock))
    const index = opening.use(await openClusterIndex(location, clock))
    const opened = opening.move()
    const openBounded = (limits: SearchLimits) => openClusterIndex(location, clock, { limits })
    return { index, writer, openBounded, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  }
}
