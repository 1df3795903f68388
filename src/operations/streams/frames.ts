/** The events of a stream as they go over the wire: https://html.spec.whatwg.org/#server-sent-events. */

/** How long a reader waits before it comes back. */
const RETRY_MS = 2_000

export function frame(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The first event: a script in a browser sees ids of events only, and needs one to go on with from the beginning. */
export function opening(id: string): string {
  return `: telegrep\nretry: ${RETRY_MS}\n${frame('begin', { since_id: id }, id)}`
}

/** Without data nothing is told; the reader keeps the id, with which it goes on where it was when it comes back. */
export function heartbeat(id: string): string {
  return `: \nid: ${id}\n\n`
}
