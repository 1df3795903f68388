import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * What happens to a request: it passes, is never answered, is cut off before or after it was processed, or gets this answer.
 */
export type Fate =
  'pass' | 'hang' | 'cut' | 'cut the answer' | { readonly answer: (body: string) => string }

/** A proxy between a client and a server, on real sockets. */
export async function openProxy(
  target: string,
  decide: (request: IncomingMessage) => Fate | Promise<Fate>,
): Promise<AsyncDisposable & { readonly origin: string }> {
  const sockets = new Set<Socket>()

  async function forward(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const body = await buffer(request)
    const { method, headers } = request
    const url = new URL(request.url ?? '/', target)
    return new Promise((resolve, reject) => {
      const sent = send(url, { method, headers: { ...headers, host: url.host } }, (response) => {
        const status = response.statusCode ?? 0
        buffer(response).then((told) => resolve({ status, body: told.toString() }), reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fate = await decide(request)
    if (fate === 'hang') return
    if (fate === 'cut') return void request.socket.destroy()
    const { status, body } = await forward(request)
    if (fate === 'cut the answer') return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof fate === 'object' ? fate.answer(body) : body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
