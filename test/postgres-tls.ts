import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export interface TlsProxy extends AsyncDisposable {
  readonly port: number
  /** How many connections were encrypted. */
  encrypted(): number
}

/** What a PostgreSQL client sends to request TLS. */
const SSL_REQUEST = 80877103

/**
 * Offers TLS in front of a PostgreSQL that does not, in the way its own server would: requested in clear text, answered with
 * one letter.
 */
export async function listenBeforeTls(databaseUrl: string, folder: URL): Promise<TlsProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const key = readFileSync(new URL('server.key', folder))
  const cert = readFileSync(new URL('server.pem', folder))
  const sockets = new Set<Socket>()
  let encrypted = 0
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}))
    client.once('data', (request) => {
      if (request.readInt32BE(4) !== SSL_REQUEST) {
        client.destroy()
        return
      }
      client.write('S')
      const secure = new TLSSocket(client, { isServer: true, key, cert })
      secure.on('error', () => client.destroy())
      secure.once('secure', () => encrypted++)
      const behind = connect(Number(port), hostname)
      sockets.add(behind.on('error', () => client.destroy()))
      secure.pipe(behind).pipe(secure)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    port: (server.address() as { port: number }).port,
    encrypted: () => encrypted,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
