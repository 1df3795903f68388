/**
 * Loaded into a service before it starts, with `--expose-gc`: reports the memory in use, without garbage, to its parent, and
 * ends with it.
 */
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, rss, external } = process.memoryUsage()
  const sockets = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap')
  process.send?.({
    heapMb: heapUsed / 1e6,
    rssMb: rss / 1e6,
    externalMb: external / 1e6,
    connections: sockets.length,
  } satisfies Memory)
})
process.on('disconnect', () => process.exit())
process.channel?.unref()

export interface Memory {
  readonly heapMb: number
  readonly rssMb: number
  readonly externalMb: number
  readonly connections: number
}
