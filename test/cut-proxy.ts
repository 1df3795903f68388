import { connect, createServer, type Socket } from 'node:net'

export interface CutProxy extends AsyncDisposable {
  readonly port: number
  /** Cuts all connections; new ones are refused until `mend`. */
  cut(): void
  /** Keeps connections open and lets nothing through. */
  hang(): void
  /** Lets everything through so much later, in order. */
  delay(ms: number): void
  mend(): void
}

/** Stands before a server and fails as a network does. */
export async function listenBefore(host: string, port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'hanging' = 'whole'
  let delayMs = 0
  const pass = (to: Socket, data: Buffer) => {
    if (state === 'hanging') return
    if (delayMs === 0) to.write(data)
    // Timers of one length end in the order in which they began.
    else setTimeout(() => to.write(data), delayMs)
  }
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}).on('close', () => sockets.delete(client)))
    if (state === 'cut') {
      client.destroy()
      return
    }
    const behind = connect(port, host)
    sockets.add(behind.on('error', () => client.destroy()).on('close', () => client.destroy()))
    client.on('data', (data) => pass(behind, data))
    behind.on('data', (data) => pass(client, data))
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
    delay(ms) {
      delayMs = ms
    },
    mend() {
      // What hung has lost bytes, and what is late would be overtaken: nobody could go on with it.
      if (state === 'hanging' || delayMs > 0) destroyAll()
      state = 'whole'
      delayMs = 0
    },
    async [Symbol.asyncDispose]() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
