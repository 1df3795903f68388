import type { Warning } from '../warnings.ts'

/** The events of a stream in wire format: https://html.spec.whatwg.org/#server-sent-events. */

/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000

export function frame(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The first event carries an id: a script in a browser sees only the ids of events, and needs one to resume from the start. */
export function opening(id: string, warnings: readonly Warning[]): string {
  const data = { since_id: id, ...(warnings.length === 0 ? {} : { warnings }) }
  return `: telegrep\nretry: ${RETRY_MS}\n${frame('begin', data, id)}`
}

/** Without data no event is dispatched, but the client remembers the id and resumes from it when it reconnects. */
export function heartbeat(id: string): string {
  return `: \nid: ${id}\n\n`
}
