import { connect, type Socket } from 'node:net'

/**
 * Readers of streams in their own process, so that the cost of reading is not counted as the service's. The parent sends
 * paths to open, or none to close all, and asks how many posts were received; each message is answered.
 */

const AT_ONCE = 16
const MARK = Buffer.from('event: post\n')
const [port = 0] = process.argv.slice(2).map(Number)
const host = process.argv[3] ?? '127.0.0.1'
const open = new Set<Socket>()
let told = 0
let ended = 0

export type Ask = { readonly open: readonly string[] } | 'close' | 'count'
export interface Answer {
  readonly open: number
  /** All `post` events. */
  readonly told: number
  /** Streams that the server ended or refused. */
  readonly ended: number
}

function openOne(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n`)
    })
    let isBegun = false
    // An event may arrive in two pieces.
    let rest = Buffer.alloc(0)
    socket.on('data', (piece) => {
      if (!isBegun) {
        isBegun = true
        const status = piece.toString('latin1', 9, 12)
        if (status === '200') resolve()
        else reject(new Error(`${path}: ${status}`))
      }
      const all = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      let from = 0
      for (let at = all.indexOf(MARK); at >= 0; at = all.indexOf(MARK, from)) {
        told++
        from = at + MARK.length
      }
      rest = Buffer.from(all.subarray(Math.max(from, all.length - MARK.length + 1)))
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (open.delete(socket)) ended++
    })
    open.add(socket)
  })
}

async function answer(ask: Ask): Promise<void> {
  if (ask === 'close') {
    for (const socket of open) {
      open.delete(socket)
      socket.destroy()
    }
  } else if (ask !== 'count') {
    const paths = ask.open.values()
    const openSome = async () => {
      for (const path of paths) await openOne(path)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, openSome))
  }
  process.send?.({ open: open.size, told, ended } satisfies Answer)
}

process.on('message', (ask: Ask) => void answer(ask))
process.on('disconnect', () => process.exit())
