import type { Client } from './client.ts'
import { ask } from './control.ts'
import type { Segment } from './segments.ts'

/** The share of a disk that must stay free: with less, the engine moves shards away and at last lets nobody write. */
const FREE = 0.1

interface Disk {
  readonly total_in_bytes: number
  readonly available_in_bytes: number
}

interface FileStats {
  readonly nodes: Readonly<Record<string, { readonly fs: { readonly total: Disk } }>>
}

/** Rejects if a node lacks room to merge these segments: a merge that fills a disk fails its shard. */
export async function expectRoom(client: Client, segments: readonly Segment[]): Promise<void> {
  const path = '/_nodes/stats/fs?filter_path=nodes.*.fs.total'
  const { nodes } = await ask<FileStats>(client, 'GET', path)
  const disks = new Map(Object.entries(nodes).map(([id, { fs }]) => [id, fs.total]))
  if (!hasRoom(segments, disks)) throw new Error('its nodes lack room for a copy of it')
}

/** Whether each node has room for its segments a second time, and as much again for what comes in meanwhile. */
export function hasRoom(segments: readonly Segment[], disks: ReadonlyMap<string, Disk>): boolean {
  return [...Map.groupBy(segments, ({ node }) => node)].every(([node, own]) => {
    const disk = disks.get(node)
    if (!disk) return false
    const { available_in_bytes: available, total_in_bytes: total } = disk
    const bytes = own.reduce((sum, segment) => sum + segment.bytes, 0)
    return available - 2 * bytes >= FREE * total
  })
}
