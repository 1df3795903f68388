import { connect, createServer, type Socket } from 'node:net'

export interface CutProxy extends AsyncDisposable {
  readonly port: number
  /** Cuts all connections; new ones are refused until `mend`. */
  cut(): void
  /** Keeps connections open and lets nothing through. */
  hang(): void
  mend(): void
}

/** Stands before a server and fails as a network does. */
export async function listenBefore(host: string, port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'hanging' = 'whole'
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}).on('close', () => sockets.delete(client)))
    if (state === 'cut') {
      client.destroy()
      return
    }
    const behind = connect(port, host)
    sockets.add(behind.on('error', () => client.destroy()).on('close', () => client.destroy()))
    client.on('data', (data) => state !== 'hanging' && behind.write(data))
    behind.on('data', (data) => state !== 'hanging' && client.write(data))
    client.on('close', () => behind.destroy())
  })
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      state = 'cut'
      destroyAll()
    },
    hang() {
      state = 'hanging'
    },
    mend() {
      // What hung has lost bytes: nobody could go on with it.
      if (state === 'hanging') destroyAll()
      state = 'whole'
    },
    async [Symbol.asyncDispose]() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
