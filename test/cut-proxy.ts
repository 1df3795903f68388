import { connect, createServer, type Socket } from 'node:net'

export interface CutProxy extends AsyncDisposable {
  readonly port: number
  /** Cuts all connections; new ones are refused until `mend`. */
  cut(): void
  /** Keeps connections open but lets nothing through. */
  hang(): void
  /** Delays everything by this long, in order. */
  delay(ms: number): void
  /**
   * Withholds the next reply to a request that starts like this, until `mend`; resolves once the server has replied, and so
   * has done its work.
   */
  keepAnswerTo(beginning: string): Promise<void>
  mend(): void
}

/** A proxy in front of a server that fails like a network. */
export async function listenBefore(host: string, port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'hanging' = 'whole'
  let delayMs = 0
  let wanted: { readonly beginning: string; readonly resolve: () => void } | undefined
  const kept = new Set<Socket>()
  const pass = (to: Socket, data: Buffer) => {
    if (state === 'hanging') return
    if (delayMs === 0) to.write(data)
    // Timers of equal length fire in the order in which they were set.
    else setTimeout(() => to.write(data), delayMs)
  }
  // A host that hangs does not close its side when the other side does.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    sockets.add(client.on('error', () => {}).on('close', () => sockets.delete(client)))
    client.on('end', () => state === 'hanging' || client.end())
    if (state === 'cut') {
      client.destroy()
      return
    }
    const behind = connect(port, host)
    sockets.add(behind.on('error', () => client.destroy()).on('close', () => client.destroy()))
    let asked: typeof wanted
    client.on('data', (data) => {
      if (wanted && data.toString('latin1').startsWith(wanted.beginning)) asked = wanted
      pass(behind, data)
    })
    behind.on('data', (data) => {
      if (asked !== undefined && asked === wanted) {
        kept.add(client)
        wanted = undefined
        asked.resolve()
      }
      if (!kept.has(client)) pass(client, data)
    })
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
    keepAnswerTo: (beginning) =>
      new Promise((resolve) => {
        wanted = { beginning, resolve }
      }),
    mend() {
      // A connection that hung has lost bytes, and delayed data would be overtaken, so neither can continue.
      if (state === 'hanging' || delayMs > 0) destroyAll()
      for (const client of kept) client.destroy()
      kept.clear()
      wanted = undefined
      state = 'whole'
      delayMs = 0
    },
    async [Symbol.asyncDispose]() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
